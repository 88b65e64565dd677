import { Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/texts.ts'
import { useLiveState } from '../live/live-provider.tsx'
import classes from './offline-banner.module.css'

/** Shorter gaps are repaired before anybody could act on them. */
const PATIENCE_MS = 1_000

/** Says that what is on the screen may be old. */
export function OfflineBanner() {
  const texts = useTexts(commonTexts)
  const state = useLiveState()
  const [settled] = useDebouncedValue(state, PATIENCE_MS)
  const isShown = state === 'lost' && settled === 'lost'
  return (
    <div role="status" aria-live="polite">
      {isShown && (
        <div className={classes.banner}>
          <Loader size={14} color="currentColor" aria-hidden />
          {texts.offline}
        </div>
      )}
    </div>
  )
}

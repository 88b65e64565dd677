import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { useTexts } from '../../../i18n/texts.ts'
import classes from './bubble.module.css'
import { adviceFor, sendErrorTexts } from './send-error-texts.ts'
import { threadTexts } from './thread-texts.ts'

/** Under a message that did not simply arrive: what became of it, what Meta said, and what to do. */
export function SendState({ message }: { message: MessageDto }) {
  const texts = useTexts(threadTexts)
  const errors = useTexts(sendErrorTexts)
  const { direction, error, status } = message
  if (direction !== 'out') return null
  if (status === 'canceled' || status === 'unknown') {
    return (
      <p className={classes.state} data-state={status}>
        <strong>{texts.status[status]}.</strong> {errors[status]}
      </p>
    )
  }
  // A message that waits for another try keeps what the last one was told.
  const isFailed = status === 'failed'
  if (!isFailed && !(status === 'pending' && error !== null)) return null
  return (
    <div className={classes.state} data-state={status} role={isFailed ? 'alert' : undefined}>
      <p>
        <strong>{texts.status[status]}.</strong>{' '}
        {isFailed ? errors[adviceFor(error?.code ?? 0)] : errors.pending}
      </p>
      {error !== null && (
        <p className={classes.meta}>
          Meta: {[error.detail, error.code === 0 ? '' : errors.code(error.code)].filter(Boolean).join(' · ')}
        </p>
      )}
    </div>
  )
}

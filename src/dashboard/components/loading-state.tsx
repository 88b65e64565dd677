import { Center, Loader } from '@mantine/core'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/texts.ts'

/** While something is read that nothing can stand in for. */
export function LoadingState() {
  const texts = useTexts(commonTexts)
  return (
    <Center h="100%" mih={160} role="status" aria-label={texts.loading}>
      <Loader type="dots" />
    </Center>
  )
}

import { Button, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import type { Row } from '../draft/draft-document.ts'
import classes from '../settings.module.css'

/** What was removed stays in its place until it is saved, with the way back. */
export function RemovedRow({
  row,
  name,
  isDeactivated = false,
  onUndo,
}: {
  row: Row
  name: string
  isDeactivated?: boolean
  onUndo: () => void
}) {
  const texts = useTexts(documentTexts)
  const common = useTexts(commonTexts)
  const what = row.isNew ? texts.willNotAdd : isDeactivated ? texts.willDeactivate : texts.willRemove
  return (
    <div className={classes.removed} role="status">
      <Text size="sm" c="dimmed">
        {what(name)}
      </Text>
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconArrowBackUp size={15} />}
        aria-label={texts.undoOf(name)}
        // The button that removed the row is gone: the keyboard goes on here.
        autoFocus
        onClick={onUndo}
      >
        {common.undo}
      </Button>
    </div>
  )
}

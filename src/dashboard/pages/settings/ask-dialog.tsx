import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export interface AskDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly hint: ReactNode
  readonly no: string
  readonly yes: string
  readonly isBusy?: boolean
  readonly onNo: () => void
  readonly onYes: () => void
}

/** Asks before something is lost; the way back is where the cursor starts. */
export function AskDialog({ isOpen, title, hint, no, yes, isBusy = false, onNo, onYes }: AskDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onNo} title={title} centered>
      <Text size="sm">{hint}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" data-autofocus onClick={onNo}>
          {no}
        </Button>
        <Button color="red.8" loading={isBusy} onClick={onYes}>
          {yes}
        </Button>
      </Group>
    </Modal>
  )
}

import { Kbd, Modal, Table } from '@mantine/core'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { inboxTexts } from '../inbox-texts.ts'

const ROWS = [
  { keys: ['j'], name: 'next' },
  { keys: ['k'], name: 'previous' },
  { keys: ['c'], name: 'claim' },
  { keys: ['r'], name: 'reply' },
  { keys: ['n'], name: 'note' },
  { keys: ['e'], name: 'resolve' },
  { keys: ['/'], name: 'search' },
  { keys: ['?'], name: 'help' },
  { keys: ['Enter'], name: 'send' },
  { keys: ['/'], name: 'canned' },
] as const

export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const texts = useTexts(inboxTexts)
  const common = useTexts(commonTexts)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.help}
      closeButtonProps={{ 'aria-label': common.close }}
      centered
    >
      <Table withRowBorders={false}>
        <Table.Tbody>
          {ROWS.map(({ keys, name }) => (
            <Table.Tr key={name}>
              <Table.Td w={90}>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Table.Td>
              <Table.Td>{texts.shortcuts[name]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

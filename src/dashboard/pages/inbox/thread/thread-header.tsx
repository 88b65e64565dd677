import { ActionIcon, Badge, Button, Menu, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconCircleCheck,
  IconDots,
  IconEye,
  IconHandStop,
  IconRobot,
  IconUserCircle,
} from '@tabler/icons-react'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { useMe } from '../../../auth/session.ts'
import { CustomerAvatar } from '../../../components/customer-avatar.tsx'
import { formatPhone } from '../../../components/phone-number.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { inboxTexts } from '../inbox-texts.ts'
import { statusWord } from '../list/conversation-row.tsx'
import { WaitBadge } from '../list/wait-badge.tsx'
import { allowedSteps } from '../steps/allowed-steps.ts'
import type { Step } from '../steps/use-steps.ts'
import classes from './thread-header.module.css'

const STEP_ICONS = {
  claim: IconHandStop,
  'take-over': IconHandStop,
  release: IconArrowBackUp,
  'return-to-bot': IconRobot,
  resolve: IconCircleCheck,
} as const

const STATUS_COLORS = { queued: 'orange', assigned: 'brand', bot: 'blue', closed: 'gray' } as const

export interface ThreadHeaderProps {
  readonly conversation: ConversationDto
  readonly name: string
  readonly onBack: () => void
  readonly onStep: (step: Step) => void
  readonly isStepping: boolean
  readonly onPanel: (() => void) | undefined
}

/** Who it is, who has them, who else looks, and what may be done. */
export function ThreadHeader({ conversation, name, onBack, onStep, isStepping, onPanel }: ThreadHeaderProps) {
  const texts = useTexts(inboxTexts)
  const { staff } = useMe()
  const { customer, status, viewers } = conversation
  const others = viewers.filter(({ id }) => id !== staff.id).map((viewer) => viewer.name)
  const [first, ...more] = allowedSteps(conversation, staff)
  const labels: Record<Step, string> = {
    claim: texts.claim,
    'take-over': status === 'closed' ? texts.reopen : texts.takeOver,
    release: texts.release,
    'return-to-bot': texts.returnToBot,
    resolve: texts.resolve,
  }
  const FirstIcon = first === undefined ? null : STEP_ICONS[first]
  return (
    <header className={classes.header}>
      <ActionIcon
        className={classes.back}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.backToList}
        onClick={onBack}
      >
        <IconArrowLeft size={22} />
      </ActionIcon>
      <CustomerAvatar id={customer.id} name={customer.name} size={40} />
      <div className={classes.who}>
        <h2>{name}</h2>
        <div className={classes.facts}>
          <Badge size="sm" variant="light" color={STATUS_COLORS[status]} tt="none" fw={600}>
            {statusWord(conversation, staff.id, texts)}
          </Badge>
          <WaitBadge conversation={conversation} />
          {customer.name !== null && <span className={classes.phone}>{formatPhone(customer.phone)}</span>}
          {others.length > 0 && (
            <span className={classes.viewers}>
              <IconEye size={15} aria-hidden /> {texts.alsoHere(others.join(', '))}
            </span>
          )}
        </div>
      </div>
      {first !== undefined && FirstIcon !== null && (
        <Button
          className={classes.step}
          variant={first === 'resolve' ? 'light' : 'filled'}
          leftSection={<FirstIcon size={17} aria-hidden />}
          loading={isStepping}
          onClick={() => onStep(first)}
        >
          {labels[first]}
        </Button>
      )}
      {more.length > 0 && (
        <Menu position="bottom-end" withArrow>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={texts.moreSteps}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((step) => {
              const Icon = STEP_ICONS[step]
              return (
                <Menu.Item key={step} leftSection={<Icon size={17} />} onClick={() => onStep(step)}>
                  <Text size="sm">{labels[step]}</Text>
                </Menu.Item>
              )
            })}
          </Menu.Dropdown>
        </Menu>
      )}
      {onPanel !== undefined && (
        <ActionIcon variant="default" size={36} aria-label={texts.customerPanel} onClick={onPanel}>
          <IconUserCircle size={19} />
        </ActionIcon>
      )}
    </header>
  )
}

import type { ConversationDto, StaffDto } from '../../../../contracts/staff-api.ts'
import type { Step } from './use-steps.ts'

/** The steps that the server would let this person take, the one to offer first in front. */
export function allowedSteps({ status, assignee }: ConversationDto, staff: StaffDto): readonly Step[] {
  switch (status) {
    case 'queued':
      return ['claim', 'return-to-bot']
    case 'bot':
    case 'closed':
      return ['take-over']
    case 'assigned': {
      if (assignee?.id === staff.id) return ['resolve', 'release', 'return-to-bot']
      const others: Step[] = staff.role === 'owner' || assignee === null ? ['release', 'resolve'] : []
      const back: Step[] = staff.role === 'owner' ? ['return-to-bot'] : []
      return [assignee === null ? 'claim' : 'take-over', ...others, ...back]
    }
    default:
      return status satisfies never
  }
}

import { type Icon, IconArchive, IconCoffee, IconInbox, IconRobot, IconUsers } from '@tabler/icons-react'
import type { View } from '../views.ts'

export const VIEW_ICONS: Readonly<Record<View, Icon>> = {
  queue: IconCoffee,
  mine: IconInbox,
  team: IconUsers,
  bot: IconRobot,
  closed: IconArchive,
}

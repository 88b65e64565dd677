import { Stack, Text, ThemeIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface EmptyStateProps {
  readonly icon: Icon
  readonly title: string
  readonly hint?: string | undefined
  readonly action?: ReactNode
}

/** Says why there is nothing, and what to do about it. */
export function EmptyState({ icon: IconOf, title, hint, action }: EmptyStateProps) {
  return (
    <Stack align="center" justify="center" gap="xs" h="100%" mih={220} p="xl" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <IconOf size={28} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} mt="xs">
        {title}
      </Text>
      {hint !== undefined && (
        <Text size="sm" c="dimmed" maw={320}>
          {hint}
        </Text>
      )}
      {action}
    </Stack>
  )
}

import { Group, Title } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import classes from './page-header.module.css'

/** The head of a page: its name, and its controls at the end. */
export function PageHeader({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <header className={classes.header}>
      <Title order={1} size={22}>
        {title}
      </Title>
      <Group gap="sm">{children}</Group>
    </header>
  )
}

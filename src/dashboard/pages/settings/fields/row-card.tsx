import { Badge, Button, Collapse, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconTrash } from '@tabler/icons-react'
import { type PropsWithChildren, useId, useState } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import classes from '../settings.module.css'

export interface RowCardProps {
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly isOpenAtFirst: boolean
  readonly onRemove: () => void
}

/** One row of the document: a line that says what it is, and behind it its fields. */
export function RowCard({
  path,
  name,
  summary,
  isOpenAtFirst,
  onRemove,
  children,
}: PropsWithChildren<RowCardProps>) {
  const texts = useTexts(documentTexts)
  const { focus, faultsIn } = useSettingsForm()
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const [seen, setSeen] = useState<typeof focus>(null)
  const id = useId()
  // Whoever is led to a field inside finds it open, in the same paint.
  if (focus !== seen) {
    setSeen(focus)
    if (focus?.path.startsWith(`${path}.`)) setIsOpen(true)
  }
  const shownName = name.trim() === '' ? texts.unnamed : name
  const faults = faultsIn(path)
  return (
    <li className={classes.card} data-open={isOpen || undefined}>
      <h3 className={classes.cardHead}>
        <UnstyledButton
          className={classes.cardButton}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className={classes.cardName}>{shownName}</span>
          {faults > 0 && (
            <Badge color="red.9" size="sm" circle={faults < 10}>
              {faults}
            </Badge>
          )}
          <span className={classes.cardSummary}>{summary}</span>
          <IconChevronDown size={18} className={classes.chevron} aria-hidden />
        </UnstyledButton>
      </h3>
      <Collapse expanded={isOpen} id={id} transitionDuration={0}>
        <div className={classes.cardBody}>
          {children}
          <Button
            variant="subtle"
            color="red"
            c="var(--app-danger)"
            size="compact-sm"
            className={classes.remove}
            leftSection={<IconTrash size={16} />}
            aria-label={texts.removeOf(shownName)}
            onClick={onRemove}
          >
            {texts.remove}
          </Button>
        </div>
      </Collapse>
    </li>
  )
}

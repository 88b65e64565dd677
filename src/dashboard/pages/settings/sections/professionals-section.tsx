import { Button, Checkbox, Group, Text } from '@mantine/core'
import { IconId, IconPlus } from '@tabler/icons-react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { changeRow, keyFor, liveRows, newRow, type ProfessionalRow } from '../draft/draft-document.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { NameFields } from '../fields/name-fields.tsx'
import { RemovedRow } from '../fields/removed-row.tsx'
import { RowCard } from '../fields/row-card.tsx'
import { useField } from '../fields/use-field.tsx'
import { WeeklyHours } from '../fields/weekly-hours.tsx'
import classes from '../settings.module.css'

/** Who works here, what they do and when. */
export function ProfessionalsSection() {
  const texts = useTexts(documentTexts)
  const { draft, change, show } = useSettingsForm()
  const live = liveRows(draft.professionals)
  const taken = draft.professionals.map(({ key }) => key)
  const add = () => {
    const services = liveRows(draft.services).map(({ key }) => key)
    const professional = { ...newRow(), key: keyFor('', taken), name: '', services, hours: [] }
    change({ professionals: [...draft.professionals, professional] })
    show(`professionals.${live.length}.name`)
  }
  const changeOne = (professional: ProfessionalRow, part: Partial<ProfessionalRow>) => {
    const professionals = changeRow(draft.professionals, professional.rowId, part)
    const { key } = part
    if (key === undefined) return change({ professionals })
    const renamed = draft.exceptions.map((exception) =>
      exception.professional === professional.key ? { ...exception, professional: key } : exception,
    )
    change({ professionals, exceptions: renamed })
  }
  return (
    <>
      <p className={classes.lead}>{texts.professionals.lead}</p>
      {draft.professionals.length === 0 && (
        <EmptyState icon={IconId} title={texts.professionals.none} hint={texts.professionals.noneHint} />
      )}
      <ul className={classes.cards}>
        {draft.professionals.map((professional) => {
          const set = (part: Partial<ProfessionalRow>) => changeOne(professional, part)
          return professional.isRemoved ? (
            <li key={professional.rowId}>
              <RemovedRow
                row={professional}
                name={professional.name || texts.unnamed}
                isDeactivated
                onUndo={() => set({ isRemoved: false })}
              />
            </li>
          ) : (
            <ProfessionalCard
              key={professional.rowId}
              professional={professional}
              path={`professionals.${live.indexOf(professional)}`}
              taken={taken}
              onChange={set}
            />
          )
        })}
      </ul>
      <Button variant="light" leftSection={<IconPlus size={18} />} onClick={add}>
        {texts.professionals.add}
      </Button>
    </>
  )
}

interface ProfessionalCardProps {
  readonly professional: ProfessionalRow
  readonly path: string
  readonly taken: readonly string[]
  readonly onChange: (part: Partial<ProfessionalRow>) => void
}

function ProfessionalCard({ professional, path, taken, onChange }: ProfessionalCardProps) {
  const { professionals: texts } = useTexts(documentTexts)
  const { draft } = useSettingsForm()
  const field = useField()
  const services = liveRows(draft.services)
  const { 'data-path': at, ...own } = field(`${path}.services`)
  const does = services.filter(({ key }) => professional.services.includes(key)).length
  return (
    <RowCard
      path={path}
      name={professional.name}
      summary={texts.serviceCount(does)}
      isOpenAtFirst={professional.isNew}
      onRemove={() => onChange({ isRemoved: true })}
    >
      <div className={classes.grid}>
        <NameFields path={path} row={professional} taken={taken} onChange={onChange} />
      </div>
      <Checkbox.Group
        {...own}
        data-path={at}
        tabIndex={-1}
        label={texts.does}
        value={[...professional.services]}
        onChange={(keys) => onChange({ services: keys })}
      >
        <Group gap="8px 18px" mt={6}>
          {services.map(({ rowId, key, name }) => (
            <Checkbox key={rowId} value={key} label={name || key} />
          ))}
        </Group>
        {services.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noServices}
          </Text>
        )}
      </Checkbox.Group>
      <WeeklyHours
        path={`${path}.hours`}
        label={texts.hours}
        none={texts.noHours}
        rows={professional.hours}
        onChange={(hours) => onChange({ hours })}
      />
    </RowCard>
  )
}

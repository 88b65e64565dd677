import { Button, Textarea } from '@mantine/core'
import { IconPlus, IconScissors } from '@tabler/icons-react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { changeRow, keyFor, liveRows, newRow, type ServiceRow } from '../draft/draft-document.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { NameFields } from '../fields/name-fields.tsx'
import { MoneyField, WholeField } from '../fields/number-field.tsx'
import { RemovedRow } from '../fields/removed-row.tsx'
import { RowCard } from '../fields/row-card.tsx'
import { useField } from '../fields/use-field.tsx'
import classes from '../settings.module.css'

/** What can be booked. */
export function ServicesSection() {
  const texts = useTexts(documentTexts)
  const { draft, change, show } = useSettingsForm()
  const live = liveRows(draft.services)
  const taken = draft.services.map(({ key }) => key)
  const add = () => {
    const service: ServiceRow = {
      ...newRow(),
      key: keyFor('', taken),
      name: '',
      description: '',
      durationMinutes: 30,
      bufferBeforeMinutes: 0,
      bufferAfterMinutes: 0,
      priceCents: null,
    }
    change({ services: [...draft.services, service] })
    show(`services.${live.length}.name`)
  }
  const changeService = (service: ServiceRow, part: Partial<ServiceRow>) => {
    const services = changeRow(draft.services, service.rowId, part)
    const { key } = part
    if (key === undefined) return change({ services })
    // Who does it goes on doing it under the new key.
    const renamed = draft.professionals.map((professional) => ({
      ...professional,
      services: professional.services.map((own) => (own === service.key ? key : own)),
    }))
    change({ services, professionals: renamed })
  }
  return (
    <>
      <p className={classes.lead}>{texts.services.lead}</p>
      {draft.services.length === 0 && (
        <EmptyState icon={IconScissors} title={texts.services.none} hint={texts.services.noneHint} />
      )}
      <ul className={classes.cards}>
        {draft.services.map((service) => {
          const set = (part: Partial<ServiceRow>) => changeService(service, part)
          return service.isRemoved ? (
            <li key={service.rowId}>
              <RemovedRow
                row={service}
                name={service.name || texts.unnamed}
                isDeactivated
                onUndo={() => set({ isRemoved: false })}
              />
            </li>
          ) : (
            <ServiceCard
              key={service.rowId}
              service={service}
              path={`services.${live.indexOf(service)}`}
              taken={taken}
              onChange={set}
            />
          )
        })}
      </ul>
      <Button variant="light" leftSection={<IconPlus size={18} />} onClick={add}>
        {texts.services.add}
      </Button>
    </>
  )
}

interface ServiceCardProps {
  readonly service: ServiceRow
  readonly path: string
  readonly taken: readonly string[]
  readonly onChange: (part: Partial<ServiceRow>) => void
}

function ServiceCard({ service, path, taken, onChange }: ServiceCardProps) {
  const { services: texts } = useTexts(documentTexts)
  const format = useFormat()
  const field = useField()
  const price = service.priceCents === null ? texts.noPrice : format.money(service.priceCents)
  return (
    <RowCard
      path={path}
      name={service.name}
      summary={`${service.durationMinutes ?? '–'} min · ${price}`}
      isOpenAtFirst={service.isNew}
      onRemove={() => onChange({ isRemoved: true })}
    >
      <div className={classes.grid}>
        <NameFields path={path} row={service} taken={taken} onChange={onChange} />
        <WholeField
          path={`${path}.durationMinutes`}
          label={texts.duration}
          value={service.durationMinutes}
          onChange={(durationMinutes) => onChange({ durationMinutes })}
        />
        <MoneyField
          path={`${path}.priceCents`}
          label={texts.price}
          value={service.priceCents}
          onChange={(priceCents) => onChange({ priceCents })}
        />
        <WholeField
          path={`${path}.bufferBeforeMinutes`}
          label={texts.before}
          value={service.bufferBeforeMinutes}
          onChange={(bufferBeforeMinutes) => onChange({ bufferBeforeMinutes })}
        />
        <WholeField
          path={`${path}.bufferAfterMinutes`}
          label={texts.after}
          value={service.bufferAfterMinutes}
          onChange={(bufferAfterMinutes) => onChange({ bufferAfterMinutes })}
        />
        <Textarea
          {...field(`${path}.description`, texts.descriptionHint)}
          className={classes.wide}
          label={texts.description}
          autosize
          minRows={2}
          maxRows={6}
          value={service.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </div>
    </RowCard>
  )
}

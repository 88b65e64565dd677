import { Input, SegmentedControl } from '@mantine/core'
import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { WholeField } from '../fields/number-field.tsx'
import { useField } from '../fields/use-field.tsx'
import classes from '../settings.module.css'

const NUMBERS = [
  { name: 'slotStepMinutes', step: 5 },
  { name: 'minNoticeMinutes', step: 30 },
  { name: 'changeNoticeMinutes', step: 30 },
  { name: 'maxAdvanceDays', step: 1 },
  { name: 'maxActivePerCustomer', step: 1 },
] as const

/** What customers may book by themselves. */
export function RulesSection() {
  const { rules: texts } = useTexts(documentTexts)
  const { draft, change } = useSettingsForm()
  const { policy } = draft
  const { 'data-path': path, ...alignment } = useField()('policy.slotAlignment', texts.slotAlignmentHint)
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <div className={classes.panel}>
        <div className={`${classes.grid} ${classes.wideGrid}`}>
          {NUMBERS.map(({ name, step }) => (
            <WholeField
              key={name}
              path={`policy.${name}`}
              label={texts[name]}
              hint={texts[`${name}Hint`]}
              step={step}
              value={policy[name]}
              onChange={(value) => change({ policy: { ...policy, [name]: value } })}
            />
          ))}
          <Input.Wrapper {...alignment} label={texts.slotAlignment} labelElement="div">
            <SegmentedControl
              fullWidth
              mt={6}
              data-path={path}
              aria-label={texts.slotAlignment}
              value={policy.slotAlignment}
              data={(['shift', 'gap'] as const).map((value) => ({ value, label: texts[value] }))}
              onChange={(value) => change({ policy: { ...policy, slotAlignment: value } })}
            />
          </Input.Wrapper>
        </div>
      </div>
    </>
  )
}

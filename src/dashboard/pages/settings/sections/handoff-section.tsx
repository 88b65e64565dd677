import { useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import { useSettingsForm } from '../draft/settings-form.tsx'
import { WholeField } from '../fields/number-field.tsx'
import { WeeklyHours } from '../fields/weekly-hours.tsx'
import classes from '../settings.module.css'

/** When people answer, and how soon. */
export function HandoffSection() {
  const { handoff: texts } = useTexts(documentTexts)
  const { draft, change } = useSettingsForm()
  const { handoff } = draft
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <div className={classes.panel}>
        <WeeklyHours
          path="handoff.hours"
          label={texts.hours}
          none={texts.noHours}
          rows={handoff.hours}
          onChange={(hours) => change({ handoff: { ...handoff, hours } })}
        />
      </div>
      <div className={classes.panel}>
        <div className={`${classes.grid} ${classes.wideGrid}`}>
          {(['firstReplyMinutes', 'returnToQueueMinutes'] as const).map((name) => (
            <WholeField
              key={name}
              path={`handoff.${name}`}
              label={texts[name]}
              hint={texts[`${name}Hint`]}
              value={handoff[name]}
              onChange={(value) => change({ handoff: { ...handoff, [name]: value } })}
            />
          ))}
        </div>
      </div>
    </>
  )
}

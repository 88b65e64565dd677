import { Alert, Badge, Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ChannelSendsDto } from '../../../../contracts/dashboard-api.ts'
import { useChannel, useChannelSends, useResumeSends } from '../../../api/channel.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { LoadingState } from '../../../components/loading-state.tsx'
import { notifyDone, notifyFailure } from '../../../components/notify.ts'
import { formatPhone } from '../../../components/phone-number.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { channelTexts } from '../channel-texts.ts'
import classes from '../settings.module.css'

const COLOR_OF: Readonly<Record<string, string>> = {
  APPROVED: 'brand.8',
  REJECTED: 'red.9',
  DISABLED: 'red.9',
  PAUSED: 'orange.9',
  FLAGGED: 'orange.9',
}

/** What WhatsApp says of the number, and whether messages leave. */
export function WhatsappSection() {
  const texts = useTexts(channelTexts)
  const format = useFormat()
  const channel = useChannel()
  const sends = useChannelSends()
  const error = channel.error ?? sends.error
  if (channel.data === undefined || sends.data === undefined) {
    const retry = () => {
      void channel.refetch()
      void sends.refetch()
    }
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={retry} />
  }
  const { displayPhoneNumber, quality, templates, alerts } = channel.data
  const qualityText = [quality?.event, quality?.limit && texts.limit(quality.limit)].filter(Boolean)
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <SendState sends={sends.data} />
      <dl className={`${classes.panel} ${classes.facts}`}>
        <Fact name={texts.number} value={formatPhone(displayPhoneNumber)} />
        <Fact name={texts.quality} value={qualityText.join(', ') || texts.qualityUnknown} />
        <Fact name={texts.waiting} value={format.number(sends.data.waiting)} />
      </dl>
      <section className={classes.panel}>
        <h3 className={classes.panelTitle}>{texts.templates}</h3>
        {templates.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.noTemplates}
          </Text>
        ) : (
          <table className={classes.people}>
            <thead>
              <tr>
                <th scope="col">{texts.template}</th>
                <th scope="col">{texts.language}</th>
                <th scope="col">{texts.status}</th>
                <th scope="col">{texts.when}</th>
              </tr>
            </thead>
            <tbody>
              {templates.map(({ name, language, status, reason, at }) => (
                <tr key={`${name} ${language}`}>
                  <td>{name}</td>
                  <td>{language}</td>
                  <td>
                    <TemplateStatus status={status} />
                    {reason !== null && reason !== 'NONE' && (
                      <Text size="xs" c="dimmed">
                        {reason}
                      </Text>
                    )}
                  </td>
                  <td>{format.dayTime(at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section className={classes.panel}>
        <h3 className={classes.panelTitle}>{texts.alerts}</h3>
        {alerts.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noAlerts}
          </Text>
        )}
        <ul className={classes.news}>
          {alerts.map(({ field, event, detail, at }) => (
            <li key={`${field} ${event} ${at}`}>
              <span>{format.dayTime(at)}</span>
              <span>
                <strong>{event ?? field}</strong> {detail}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function SendState({ sends }: { sends: ChannelSendsDto }) {
  const texts = useTexts(channelTexts)
  const format = useFormat()
  const { paused, proactiveStoppedSince, disabledTemplates } = sends
  const resume = useResumeSends()
  const action = (
    <Button
      mt="sm"
      size="compact-sm"
      loading={resume.isPending}
      onClick={() =>
        resume.mutate(undefined, {
          onSuccess: () => notifyDone(texts.resumed),
          onError: (error) => notifyFailure(texts.failed, error),
        })
      }
    >
      {texts.resume}
    </Button>
  )
  const warning = {
    icon: <IconAlertTriangle />,
    mb: 'md',
    styles: { title: { color: 'var(--mantine-color-text)' } },
  } as const
  if (paused !== null) {
    return (
      <Alert {...warning} color="red" title={texts.paused}>
        {texts.pausedHint(format.dayTime(paused.since), paused.code)} {paused.detail}
        <br />
        {action}
      </Alert>
    )
  }
  if (proactiveStoppedSince !== null) {
    return (
      <Alert {...warning} color="orange" title={texts.proactive}>
        {texts.proactiveHint(format.dayTime(proactiveStoppedSince))}
        <br />
        {action}
      </Alert>
    )
  }
  if (disabledTemplates.length > 0) {
    const names = disabledTemplates.map(({ name, language }) => `${name} (${language})`).join(', ')
    return (
      <Alert {...warning} color="orange" title={texts.disabled}>
        {texts.disabledHint(names)}
        <br />
        {action}
      </Alert>
    )
  }
  return <Alert mb="md" color="brand" icon={<IconCircleCheck />} title={texts.sending} />
}

function TemplateStatus({ status }: { status: string }) {
  const { statuses } = useTexts(channelTexts)
  const known: Readonly<Record<string, string>> = statuses
  return (
    <Badge color={COLOR_OF[status] ?? 'gray.7'} variant="filled" tt="none">
      {known[status] ?? status}
    </Badge>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

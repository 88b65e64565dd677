import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { ApiError } from '../api/client.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/texts.ts'
import { EmptyState } from './empty-state.tsx'

export interface ErrorStateProps {
  readonly error: Error
  readonly onRetry?: () => void
}

/** In place of what could not be read. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const texts = useTexts(commonTexts)
  const isOffline = error instanceof ApiError && error.status === 0
  const title = isOffline
    ? texts.unreachable
    : error instanceof ApiError && error.status === 404
      ? texts.notFound
      : texts.failed
  return (
    <div role="alert">
      <EmptyState
        icon={isOffline ? IconCloudOff : IconAlertTriangle}
        title={title}
        hint={isOffline ? texts.unreachableHint : error instanceof ApiError ? error.message : undefined}
        action={
          onRetry !== undefined && (
            <Button variant="light" mt="sm" onClick={onRetry}>
              {texts.retry}
            </Button>
          )
        }
      />
    </div>
  )
}

import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueryClient } from './api/query-client.ts'
import { MeContext, useMeQuery } from './auth/session.ts'
import { ErrorState } from './components/error-state.tsx'
import { LoadingState } from './components/loading-state.tsx'
import { LocaleProvider } from './i18n/locale-provider.tsx'
import { GuardedRouter } from './layout/navigation-guard.tsx'
import { Shell } from './layout/shell.tsx'
import { LiveProvider } from './live/live-provider.tsx'
import { LoginPage } from './pages/login/login-page.tsx'
import { Routes } from './routes.tsx'
import { theme, themeVariables } from './theme/theme.ts'

/** The staff's dashboard: one page, served under `/dashboard`. */
export function App() {
  const [client] = useState(createQueryClient)
  return (
    <MantineProvider theme={theme} cssVariablesResolver={themeVariables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <GuardedRouter base="/dashboard">
          <Session />
        </GuardedRouter>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The login page, or the shell around everything else. */
function Session() {
  const { data: me, error, refetch } = useMeQuery()
  return (
    <LocaleProvider tenantLocale={me?.tenant.locale ?? null}>
      <Notifications position="bottom-center" autoClose={5_000} />
      {me ? (
        <MeContext value={me}>
          <LiveProvider>
            <Shell>
              <Routes />
            </Shell>
          </LiveProvider>
        </MeContext>
      ) : me === null ? (
        <LoginPage />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </LocaleProvider>
  )
}

import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { LoadingState } from './components/loading-state.tsx'

const InboxPage = lazy(async () => ({ default: (await import('./pages/inbox/inbox-page.tsx')).InboxPage }))
const AgendaPage = lazy(async () => ({
  default: (await import('./pages/agenda/agenda-page.tsx')).AgendaPage,
}))
const FiguresPage = lazy(async () => ({
  default: (await import('./pages/figures/figures-page.tsx')).FiguresPage,
}))
const SettingsPage = lazy(async () => ({
  default: (await import('./pages/settings/settings-page.tsx')).SettingsPage,
}))

/** Each page is a file of its own for the browser, read when it is first opened. */
export function Routes() {
  return (
    <Suspense fallback={<LoadingState />}>
      <Switch>
        <Route path="/inbox/:view?/:id?">
          {({ view, id }) => <InboxPage view={view} conversationId={id} />}
        </Route>
        <Route path="/agenda/*?" component={AgendaPage} />
        <Route path="/figures" component={FiguresPage} />
        <Route path="/settings/:section?" component={SettingsPage} />
        <Route>
          <Redirect to="/inbox/queue" replace />
        </Route>
      </Switch>
    </Suspense>
  )
}

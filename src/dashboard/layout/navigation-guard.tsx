import {
  createContext,
  type PropsWithChildren,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type AroundNavHandler, type BaseLocationHook, Router } from 'wouter'
import { useBrowserLocation } from 'wouter/use-browser-location'

interface Guard {
  /** Asked before a step is taken; true when it may be taken now. */
  readonly ask: (to: string, go: () => void) => boolean
  /** The path to show while the address has it: another one as long as the step there is held back. */
  readonly shown: (path: string) => string
}

const GuardContext = createContext<RefObject<Guard | null>>({ current: null })

/** The router, with steps that a page can hold back while something on it is not saved. */
export function GuardedRouter({ base, children }: PropsWithChildren<{ base: string }>) {
  const guard = useRef<Guard | null>(null)
  const [aroundNav] = useState(() => asking(guard))
  return (
    <GuardContext value={guard}>
      <Router base={base} hook={useGuardedLocation} aroundNav={aroundNav}>
        {children}
      </Router>
    </GuardContext>
  )
}

export interface HeldStep {
  /** Takes the step that was held back. */
  readonly leave: () => void
  readonly stay: () => void
}

/**
 * Holds back every step out of `area` while it is active: links, the browser's arrows, and closing the tab
 * (which the browser asks about in its own words).
 * @param area a path with the router's base, e.g. `/dashboard/settings`.
 * @returns the step that waits for an answer, or null.
 */
export function useNavigationGuard(isActive: boolean, area: string): HeldStep | null {
  const guard = use(GuardContext)
  const [held, setHeld] = useState<{ readonly go: () => void } | null>(null)
  useEffect(() => {
    if (!isActive) return
    let here = location.href
    const isInside = (path: string) => path === area || path.startsWith(`${area}/`)
    guard.current = {
      ask: (to, go) => {
        if (isInside(to)) return true
        setHeld({ go })
        return false
      },
      shown: (path) => (isInside(path) ? path : new URL(here).pathname),
    }
    const onPop = () => {
      const { href, pathname } = location
      if (guard.current === null) return
      if (isInside(pathname)) {
        here = href
        return
      }
      // The address has changed already, the page has not: put it back.
      history.pushState(null, '', here)
      setHeld({ go: () => history.go(-1) })
    }
    const onPush = () => {
      here = location.href
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('popstate', onPop)
    window.addEventListener('pushState', onPush)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      guard.current = null
      window.removeEventListener('popstate', onPop)
      window.removeEventListener('pushState', onPush)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isActive, area, guard])
  if (held === null) return null
  return {
    stay: () => setHeld(null),
    leave: () => {
      guard.current = null
      setHeld(null)
      held.go()
    },
  }
}

/** The router hears of the browser's arrows before anybody can stop it: what it reads is the guard's. */
function useGuardedLocation(): ReturnType<BaseLocationHook> {
  const guard = use(GuardContext)
  const [path, navigate] = useBrowserLocation()
  return [guard.current?.shown(path) ?? path, navigate]
}

function asking(guard: RefObject<Guard | null>): AroundNavHandler {
  return (navigate, to, options) => {
    const go = () => navigate(to, options)
    if (guard.current?.ask(to, go) ?? true) go()
  }
}

import { Indicator } from '@mantine/core'
import { IconCalendarEvent, IconChartBar, IconMessages, IconSettings } from '@tabler/icons-react'
import type { PropsWithChildren } from 'react'
import { Link, useLocation } from 'wouter'
import { useMe } from '../auth/session.ts'
import { OfflineBanner } from '../components/offline-banner.tsx'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { useAttention } from './attention.ts'
import classes from './shell.module.css'

const PAGES = [
  { path: '/inbox', to: '/inbox/queue', icon: IconMessages, name: 'inbox' },
  { path: '/agenda', to: '/agenda', icon: IconCalendarEvent, name: 'agenda' },
  { path: '/figures', to: '/figures', icon: IconChartBar, name: 'figures' },
  { path: '/settings', to: '/settings', icon: IconSettings, name: 'settings' },
] as const

/** The frame around every page: a rail at the side, on a phone a bar at the bottom. */
export function Shell({ children }: PropsWithChildren) {
  const texts = useTexts(commonTexts)
  const [location] = useLocation()
  const { staff } = useMe()
  const pages = PAGES.filter(({ name }) => name !== 'settings' || staff.role === 'owner')
  const { queued, unread } = useAttention()
  const isThread = /^\/inbox\/[^/]+\/[^/]+/.test(location)
  return (
    <div className={classes.shell} data-thread={isThread || undefined}>
      <a className={classes.skip} href="#content">
        {texts.skipToContent}
      </a>
      <nav className={classes.rail} aria-label={texts.navigation}>
        <img className={classes.logo} src="/dashboard/icon.svg" alt="agendou" width={38} height={38} />
        <ul className={classes.pages}>
          {pages.map(({ path, to, icon: Icon, name }) => {
            const isCurrent = location.startsWith(path)
            const count = name === 'inbox' ? queued + unread : 0
            return (
              <li key={path}>
                <Link
                  href={to}
                  className={classes.page}
                  aria-current={isCurrent ? 'page' : undefined}
                  data-current={isCurrent || undefined}
                >
                  <Indicator
                    label={count > 99 ? '99+' : count}
                    size={17}
                    color="red.8"
                    disabled={count === 0}
                    offset={3}
                  >
                    <Icon size={23} stroke={1.7} aria-hidden />
                  </Indicator>
                  <span>{texts[name]}</span>
                </Link>
              </li>
            )
          })}
        </ul>
        <AccountMenu />
      </nav>
      <main className={classes.content} id="content" tabIndex={-1}>
        <OfflineBanner />
        <div className={classes.body}>{children}</div>
      </main>
    </div>
  )
}

import { Badge } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../../i18n/texts.ts'
import { GROUPS, SECTIONS, type SectionName } from './sections.ts'
import classes from './settings.module.css'
import { settingsTexts } from './settings-texts.ts'

/** The sections in their groups, each with how much is wrong in it. */
export function SettingsNav({
  current,
  faultsIn,
}: {
  current: SectionName
  faultsIn: (path: string) => number
}) {
  const texts = useTexts(settingsTexts)
  const nav = useRef<HTMLElement>(null)
  // On a phone the sections are a strip that is longer than the screen.
  useEffect(() => {
    const link = nav.current?.querySelector(`a[href$="/${current}"]`)
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav ref={nav} className={classes.nav} aria-label={texts.navigation}>
      {GROUPS.map((group) => (
        <div key={group}>
          <p className={classes.groupName}>{texts.groups[group]}</p>
          <ul className={classes.links}>
            {SECTIONS.filter((section) => section.group === group).map(({ name, icon: Icon, parts }) => {
              const faults = parts.reduce((sum, part) => sum + faultsIn(part), 0)
              return (
                <li key={name}>
                  <Link
                    href={`/settings/${name}`}
                    className={classes.link}
                    aria-current={name === current ? 'page' : undefined}
                  >
                    <Icon size={18} stroke={1.7} aria-hidden />
                    <span>{texts.sections[name]}</span>
                    {faults > 0 && (
                      <Badge color="red.9" size="sm" ml="auto" circle={faults < 10}>
                        {faults}
                      </Badge>
                    )}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}

import { Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { threadTexts } from '../thread/thread-texts.ts'
import classes from './composer.module.css'
import type { CannedMenuState } from './use-canned-menu.ts'

/** The list above the reply box. The focus stays in the box, which tells which option is meant. */
export function CannedMenu({ menu }: { menu: CannedMenuState }) {
  const texts = useTexts(threadTexts)
  const list = useRef<HTMLDivElement>(null)
  const { active } = menu
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  if (menu.items.length === 0) {
    return (
      <div className={classes.menu} role="status">
        <div className={classes.none}>
          {menu.isLoading ? (
            <Loader size="xs" type="dots" />
          ) : menu.hasAny ? (
            texts.canned.none
          ) : (
            texts.canned.empty
          )}
        </div>
      </div>
    )
  }
  return (
    <div className={classes.menu} role="listbox" id={menu.listId} aria-label={texts.canned.label} ref={list}>
      {menu.items.map((reply, index) => (
        <div
          key={reply.id}
          id={menu.optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.option}
          onPointerDown={(event) => {
            // Before the box would lose the focus.
            event.preventDefault()
            menu.choose(reply)
          }}
        >
          <span className={classes.shortcut}>
            /{reply.shortcut}
            {reply.missing.length > 0 && ` · ${texts.canned.missing}: ${reply.missing.join(', ')}`}
          </span>
          <span className={classes.filled}>{reply.filled}</span>
        </div>
      ))}
    </div>
  )
}

import { type Action, type Choice, choice, offer } from './action.ts'
import type { View } from './view.ts'

/** The main menu, after whatever has to be said first. */
export function mainMenu(view: View, ...before: readonly string[]): Action {
  const { texts } = view
  return offer(
    [...before, texts.menu],
    [menuEntry('book', view), menuEntry('mine', view), menuEntry('human', view)],
  )
}

export function greet(view: View): Action {
  return mainMenu(view, view.texts.greeting(view.customerName ?? view.state.name))
}

/** Says what is the matter and offers a person first. */
export function offerHuman(view: View, ...text: readonly (string | null)[]): Action {
  return offer(text, [menuEntry('human', view), menuEntry('start', view)])
}

export function menuEntry(entry: keyof View['texts']['menuEntries'], view: View): Choice {
  return choice('menu', entry, view.texts.menuEntries[entry])
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The properties that have a value: to the use cases `undefined` is not the same as left out. */
export function given<T extends object>(properties: T): Given<T>
export function given(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

/** Makes a `switch` exhaustive at compile time; at run time it names the value nobody handled. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}

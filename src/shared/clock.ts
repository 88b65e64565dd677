/** Where "now" comes from: milliseconds since the Unix epoch. Passed in, so that tests can move it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

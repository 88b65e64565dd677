import { canonicalJson } from './canonical-json.ts'

/** From this call on, an identical one is not executed. */
const REFUSED_FROM = 3

/**
 * Counts identical calls of one run: same name, same input whatever the order of its keys. Calls in between do
 * not matter, so a cycle A-B-A-B-A-B is caught at its third round. A successful write changes the world, and
 * with it what the same question may answer: the counts start again, but for the write's own.
 */
export class Repetition {
  private readonly counts = new Map<string, number>()

  /** Counts the call; true when it is the third identical one or a later one. */
  isRepeated(name: string, input: unknown): boolean {
    const key = fingerprint(name, input)
    const count = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, count)
    return count >= REFUSED_FROM
  }

  writeSucceeded(name: string, input: unknown): void {
    const key = fingerprint(name, input)
    const own = this.counts.get(key) ?? 1
    this.counts.clear()
    this.counts.set(key, own)
  }
}

function fingerprint(name: string, input: unknown): string {
  return `${name}\n${canonicalJson(input)}`
}

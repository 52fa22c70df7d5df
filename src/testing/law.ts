import type { Task } from '../core/index.ts'
import type { Subject } from './subject.ts'

/** One thing that every task promises, in every config. */
export interface Law {
  /** A short name, e.g. `gold`. */
  readonly id: string
  /** What a task does, as in "the task ...". */
  readonly says: string
  /** Why it does not concern a task; null where it does. */
  skips?(task: Task): string | null
  /** @throws Broken saying what was expected and what came. */
  hold(subject: Subject): void
}

/** A law does not hold. */
export class Broken extends Error {
  /** The id of the item that shows it; null where it is not of one item. */
  readonly item: string | null

  constructor(message: string, item: string | null = null) {
    super(message)
    this.name = 'Broken'
    this.item = item
  }
}

/** @throws Broken */
export function demand(condition: boolean, message: string, item: { readonly id: string } | null = null): void {
  if (!condition) throw new Broken(message, item?.id ?? null)
}

/** @throws Broken where two values differ as JSON. */
export function demandEqual(
  got: unknown,
  wanted: unknown,
  what: string,
  item: { readonly id: string } | null = null,
): void {
  const [a, b] = [got, wanted].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  if (a !== b) throw new Broken(`${what}: expected ${shown(b)}, got ${shown(a)}`, item?.id ?? null)
}

const LONGEST = 160

/** A value in a message, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
}

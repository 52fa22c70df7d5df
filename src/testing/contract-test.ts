import type { Task } from '../core/index.ts'
import type { Subject } from './subject.ts'

/** One thing that every task promises, in every config. */
export interface ContractTest {
  /** A short name, e.g. `gold`. */
  readonly id: string
  /** What a task does, as in "the task ...". */
  readonly description: string
  /** Why it does not concern a task; null where it does. */
  skips?(task: Task): string | null
  /** @throws Broken saying what was expected and what came. */
  run(subject: Subject): void
}

/** A law does not hold. */
export class ContractError extends Error {
  /** The id of the item that shows it; null where it is not of one item. */
  readonly item: string | null

  constructor(message: string, item: string | null = null) {
    super(message)
    this.name = 'Broken'
    this.item = item
  }
}

/** @throws Broken */
export function assertThat(
  condition: boolean,
  message: string,
  item: { readonly id: string } | null | undefined = null,
): void {
  if (!condition) throw new ContractError(message, item?.id ?? null)
}

/** @throws Broken where two values differ as JSON. */
export function demandEqual(
  got: unknown,
  wanted: unknown,
  what: string,
  item: { readonly id: string } | null = null,
): void {
  const [a, b] = [got, wanted].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  if (a === b) return
  const at = firstDifference(a ?? '', b ?? '')
  throw new ContractError(`${what}: expected ${shownAt(b, at)}, got ${shownAt(a, at)}`, item?.id ?? null)
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** Characters that are shown before the place where two texts differ. */
const BEFORE = 40

/** A text from shortly before a place on, where what comes first would fill the message. */
function shownAt(text: string | undefined, at: number): string {
  if (text === undefined || at < MAX_LENGTH - BEFORE) return shown(text)
  const from = at - BEFORE
  return `…${shown(text.slice(from))} (from character ${from})`
}

const MAX_LENGTH = 160

/** A value in a message, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text
}

import type { Task } from '../core/index.ts'
import type { Subject } from './subject.ts'

/** A property that every task must satisfy, in every config. */
export interface ContractTest {
  /** A short name, e.g. `gold`. */
  readonly id: string
  /** Continues "the task ...". */
  readonly description: string
  /** Why the test does not apply to a task; null: it applies. */
  skips?(task: Task): string | null
  /** @throws ContractError with what was expected and what the task did. */
  run(subject: Subject): void
}

/** A contract test failed. */
export class ContractError extends Error {
  /** Id of the item that shows it; null: not about one item. */
  readonly item: string | null

  constructor(message: string, item: string | null = null) {
    super(message)
    this.name = 'ContractError'
    this.item = item
  }
}

export function assertThat(
  condition: boolean,
  message: string,
  item: { readonly id: string } | null | undefined = null,
): void {
  if (!condition) throw new ContractError(message, item?.id ?? null)
}

/** Fails where two values differ as JSON. */
export function assertEqual(
  got: unknown,
  wanted: unknown,
  what: string,
  item: { readonly id: string } | null = null,
): void {
  const [a, b] = [got, wanted].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  if (a === b) return
  const at = firstDifference(a ?? '', b ?? '')
  throw new ContractError(`${what}: expected ${excerptAt(b, at)}, got ${excerptAt(a, at)}`, item?.id ?? null)
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** Characters shown before the first difference. */
const BEFORE = 40

/** A text from shortly before position `at`. */
function excerptAt(text: string | undefined, at: number): string {
  if (text === undefined || at < MAX_LENGTH - BEFORE) return shorten(text)
  const from = at - BEFORE
  return `…${shorten(text.slice(from))} (from character ${from})`
}

const MAX_LENGTH = 160

/** A value for a message, shortened. */
export function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text
}

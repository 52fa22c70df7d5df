import {
  canonicalJson,
  type Frame,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  UsageError,
} from '../core/index.ts'
import { keySeen } from '../libraries/statistics/index.ts'
import { textsIn } from './rows.ts'

type Of = ReturnType<typeof textsIn>

/** One line of a published key: `answer` was drawn at random from the item's correct answers. */
export interface KeyLine {
  readonly item: string
  /** Text as it is, everything else as sorted JSON, as in rows. */
  readonly answer: string
  /** Number of correct answers of the item. */
  readonly right: number
}

export interface KeyReport {
  /** Items of the key that the model answered or should have answered. */
  readonly items: number
  /** Items whose answer is the published one. */
  readonly matches: number
  /** Expected matches of a model that is always correct and has not seen the key. */
  readonly expected: number
  /** Probability of at least as many matches without the key. */
  readonly p: number
  /** Lines of the key without a response of the model. */
  readonly missing: number
}

/**
 * Reads a key: JSON lines `{"item", "answer", "right"}`, one published answer per item.
 * @throws UsageError naming an invalid line, or an item that occurs twice.
 */
export function parseKey(text: string, name: string): KeyLine[] {
  const found = new Map<string, KeyLine>()
  for (const [at, one] of text.split('\n').entries()) {
    if (one.trim() === '') continue
    const where = `${name}, line ${at + 1}`
    let value: Json
    try {
      value = parseJson(one)
    } catch (error) {
      throw new UsageError(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
    const line = lineOf(value)
    if (line === null)
      throw new UsageError(
        `${where} is not {"item": ID, "answer": ANSWER, "right": HOW MANY ARE RIGHT}, got ${one.slice(0, 80)}`,
      )
    if (found.has(line.item)) throw new UsageError(`${where}: the item ${line.item} occurs twice`)
    found.set(line.item, line)
  }
  if (found.size === 0) throw new UsageError(`${name} is empty: expected JSON lines {"item", "answer", "right"}`)
  return [...found.values()]
}

/** null where one of the three is missing or invalid. */
function lineOf(value: Json): KeyLine | null {
  if (!isObject(value)) return null
  const { item, answer, right }: JsonObject = value
  if (typeof item !== 'string' || item === '' || answer === undefined) return null
  if (typeof right !== 'number' || !Number.isSafeInteger(right) || right < 1) return null
  return { item, answer: shown(answer), right }
}

const shown = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value))

/**
 * Ishida's ceiling on a run over published items: how often does `model` give exactly the published answer? The first sample of an
 * item counts; unparsed responses match nothing, which can only hide that the key was seen.
 * @throws UsageError where the model answered no item of the key.
 */
export function keyReport(published: Frame, model: string, key: readonly KeyLine[]): KeyReport {
  const [item, of, status] = ['item', 'model', 'status'].map((name) => textsIn(published, name)) as [Of, Of, Of]
  const prediction = published.has('prediction') ? textsIn(published, 'prediction') : () => ''
  const sample = published.has('sample') ? published.number('sample') : new Float64Array(published.length)
  const predictions = new Map<string, { readonly sample: number; readonly answer: string | null }>()
  for (let row = 0; row < published.length; row++) {
    if (of(row) !== model || status(row) === 'error' || status(row) === 'loglikelihood') continue
    const before = predictions.get(item(row))
    const mine = sample[row] as number
    if (before !== undefined && before.sample <= mine) continue
    predictions.set(item(row), { sample: mine, answer: status(row) === 'graded' ? prediction(row) : null })
  }
  const asked = key.filter((one) => predictions.has(one.item))
  if (asked.length === 0)
    throw new UsageError(`${model} answered no item of the key in the published run. Items are matched by their ids`)
  const matches = asked.filter((one) => predictions.get(one.item)?.answer === one.answer).length
  const right = asked.map((one) => one.right)
  return {
    items: asked.length,
    matches,
    expected: right.reduce((sum, count) => sum + 1 / count, 0),
    p: keySeen(matches, right),
    missing: key.length - asked.length,
  }
}

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

/** One line of a published key: of the item's right answers, `answer` was drawn at random and published. */
export interface KeyLine {
  readonly item: string
  /** As rows show it: text as it is, everything else as sorted JSON. */
  readonly answer: string
  /** How many answers of the item are right. */
  readonly right: number
}

export interface KeyReport {
  /** Items of the key that the model answered or should have answered. */
  readonly items: number
  /** Items whose answer is the published one. */
  readonly matches: number
  /** Matches of somebody who always answers right and has not seen the key. */
  readonly expected: number
  /** Probability of that many matches or more without the key. */
  readonly p: number
  /** Lines of the key whose item the run lacks, or the model has no answer to. */
  readonly missing: number
}

/**
 * Reads a key: JSON lines `{"item", "answer", "right"}`, as a publisher of one drawn answer an item would write it.
 * @throws UsageError naming the line that is not one, or an item that comes twice.
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
    if (found.has(line.item)) throw new UsageError(`${where}: the item ${line.item} comes twice`)
    found.set(line.item, line)
  }
  if (found.size === 0) throw new UsageError(`${name} holds no lines`)
  return [...found.values()]
}

/** Null where one of the three is missing or is something else. */
function lineOf(value: Json): KeyLine | null {
  if (!isObject(value)) return null
  const { item, answer, right }: JsonObject = value
  if (typeof item !== 'string' || item === '' || answer === undefined) return null
  if (typeof right !== 'number' || !Number.isSafeInteger(right) || right < 1) return null
  return { item, answer: shown(answer), right }
}

const shown = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value))

/**
 * Ishida's ceiling on a run over published items: how often does `model` give the very answer that was published? The first
 * sample of an item counts; unread answers match nothing, which can only hide a key that was seen.
 * @throws UsageError where no line of the key names an item that the model was asked.
 */
export function keyReport(published: Frame, model: string, key: readonly KeyLine[]): KeyReport {
  const textOf = (name: string): ((row: number) => string) => {
    const { codes, levels } = published.category(name)
    return (row) => levels[codes[row] as number] ?? ''
  }
  const [item, of, state] = [textOf('item'), textOf('model'), textOf('state')]
  const answer = published.has('answer') ? textOf('answer') : () => ''
  const sample = published.has('sample') ? published.number('sample') : new Float64Array(published.length)
  const said = new Map<string, { readonly sample: number; readonly answer: string | null }>()
  for (let row = 0; row < published.length; row++) {
    if (of(row) !== model || state(row) === 'failed' || state(row) === 'measured') continue
    const before = said.get(item(row))
    const mine = sample[row] as number
    if (before !== undefined && before.sample <= mine) continue
    said.set(item(row), { sample: mine, answer: state(row) === 'graded' ? answer(row) : null })
  }
  const asked = key.filter((one) => said.has(one.item))
  if (asked.length === 0)
    throw new UsageError(
      `no item of the key was answered by ${model} in the published run; items are named by their ids`,
    )
  const matches = asked.filter((one) => said.get(one.item)?.answer === one.answer).length
  const right = asked.map((one) => one.right)
  return {
    items: asked.length,
    matches,
    expected: right.reduce((sum, count) => sum + 1 / count, 0),
    p: keySeen(matches, right),
    missing: key.length - asked.length,
  }
}

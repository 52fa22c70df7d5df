import {
  type EmptyIndex,
  type Item,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
  sortedJson,
  type Task,
} from '../../../core/index.ts'

export interface GeneratedItem {
  readonly kind: 'item'
  readonly index: number
  readonly id: string
  readonly prompt: string
  readonly problem: Problem<Json, Json, Json>
  readonly gold: string | null
  readonly features: { readonly [name: string]: Json }
  readonly version: number
}

export type Generated =
  | { readonly kind: 'hole'; readonly index: number; readonly reason: string; readonly proved: boolean }
  | GeneratedItem

function generate(task: Task, source: Source, item: Item): GeneratedItem {
  const request = source.request(item, task.styles[0])
  const problem = { shared: item.shared, given: item.given, answer: item.answer }
  return {
    kind: 'item',
    index: item.index,
    id: item.id,
    prompt:
      request.kind === 'chat'
        ? request.messages.map(({ content }) => content).join('\n\n')
        : `${request.context}${request.text}`,
    problem,
    gold: task.gold?.(problem) ?? null,
    features: { ...item.features },
    version: task.version,
  }
}

export const generateAt = (task: Task, source: Source, item: Item | EmptyIndex): Generated =>
  item.kind === 'hole'
    ? { kind: 'hole', index: item.index, reason: item.reason, proved: item.proved }
    : generate(task, source, item)

/** A field of a row that was given, and what the set has there. */
export interface Field {
  readonly name: string
  readonly same: boolean
  readonly given: Json
  readonly ours: Json
}

/** Result of looking up a row in a regenerated dataset. */
export type Found =
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'outside'; readonly index: number }
  | { readonly kind: 'nowhere'; readonly looked: number }
  | { readonly kind: 'hole'; readonly index: number; readonly reason: string; readonly proved: boolean }
  | { readonly kind: 'item'; readonly item: GeneratedItem; readonly fields: readonly Field[] }

export interface SetRange {
  readonly first: number
  readonly count: number
}

/** Most indices regenerated to find a row without an index. */
const SEARCHED = 5000

/** Finds a row of a dataset by index, id, hash or content, and compares the fields that it has with the regenerated item. */
export function findRow(task: Task, source: Source, row: JsonObject, range: SetRange): Found {
  const index = indexOf(row) ?? search(source, row, range)
  if (typeof index === 'object') return index
  if (index < range.first || index >= range.first + range.count) return { kind: 'outside', index }
  const made = source.item(index)
  if (made.kind === 'hole') return { kind: 'hole', index, reason: made.reason, proved: made.proved }
  const item = generate(task, source, made)
  const ours: JsonObject = {
    id: made.id,
    index,
    group: made.group,
    draw: made.draw,
    hash: made.hash,
    shared: made.shared,
    given: made.given,
    answer: made.answer,
    features: made.features,
    ...Object.fromEntries(Object.entries(made.features).map(([name, value]) => [`feature_${name}`, value])),
  }
  const fields = Object.entries(row).flatMap(([name, given]): Field[] => {
    const value = Object.hasOwn(ours, name) ? ours[name] : undefined
    if (value === undefined) return []
    const same = isSame(given, value) || (name === 'answer' && item.gold !== null && given === item.gold)
    return [{ name, same, given, ours: value }]
  })
  return { kind: 'item', item, fields }
}

function indexOf({ index, id }: JsonObject): number | null {
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index
  const end = typeof id === 'string' ? /\/(\d{1,15})$/u.exec(id)?.[1] : undefined
  return end === undefined ? null : Number(end)
}

function search(source: Source, row: JsonObject, { first, count }: SetRange): number | Found {
  const { hash, given, answer } = row
  if (typeof hash !== 'string' && given === undefined) return { kind: 'unnamed' }
  const looked = Math.min(count, SEARCHED)
  for (let index = first; index < first + looked; index++) {
    const item = source.item(index)
    if (item.kind !== 'item') continue
    const fits =
      typeof hash === 'string'
        ? item.hash === hash
        : isSame(given, item.given) && (answer === undefined || isSame(answer, item.answer))
    if (fits) return index
  }
  return { kind: 'nowhere', looked }
}

/** Columns of JSON may be pasted as the text that they are stored as. */
function isSame(given: Json | undefined, ours: Json): boolean {
  if (given === undefined) return false
  if (sortedJson(given) === sortedJson(ours)) return true
  if (typeof given !== 'string' || typeof ours === 'string') return false
  try {
    return sortedJson(JSON.parse(given) as Json) === sortedJson(ours)
  } catch {
    return false
  }
}

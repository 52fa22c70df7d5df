import { z } from 'zod'
import {
  canonicalJson,
  type Detail,
  type Item,
  isObject,
  type Json,
  type JsonObject,
  type SerializedItem,
  type Source,
  solutionText,
  sortedJson,
  type Task,
  UsageError,
} from '../core/index.ts'
import type { ColumnSpec, ColumnType, Row } from '../store/index.ts'

/** The columns of `items-*` and `groups-*` (docs/formats.md#a-dataset). */

/** A task's declared features as JSON Schema, for the manifest. */
export const featureSchema = (task: Task): JsonObject =>
  JSON.parse(JSON.stringify(z.toJSONSchema(task.features))) as JsonObject

/** The storage type of a feature from its schema: what may be null is a nullable column, which all are. */
function featureType(schema: Json): ColumnType {
  const types = new Set(typesOf(schema))
  if (types.size === 1) return [...types][0] as ColumnType
  return types.has('number') && types.has('integer') && types.size === 2 ? 'number' : 'json'
}

/** The types of the values that a schema allows, but for null. */
function typesOf(schema: Json): readonly ColumnType[] {
  if (!isObject(schema)) return ['json']
  const { anyOf, type, enum: values } = schema
  if (Array.isArray(anyOf)) return anyOf.flatMap(typesOf)
  if (Array.isArray(type)) return type.flatMap((one) => typesOf({ type: one }))
  switch (type) {
    case 'null':
      return []
    case 'integer':
    case 'number':
    case 'boolean':
      return [type]
    case 'string':
      return ['text']
    default:
      return Array.isArray(values) || typeof schema['const'] === 'string' ? ['text'] : ['json']
  }
}

export function itemColumns(task: Task): readonly ColumnSpec[] {
  const properties = featureSchema(task)['properties'] as JsonObject
  return [
    { name: 'id', type: 'text' },
    { name: 'index', type: 'integer' },
    { name: 'group', type: 'integer' },
    { name: 'stratum', type: 'integer' },
    { name: 'twin', type: 'integer' },
    { name: 'draw', type: 'text' },
    { name: 'given', type: 'json' },
    { name: 'answer', type: 'json' },
    { name: 'hole', type: 'text' },
    { name: 'witness', type: 'text' },
    ...Object.entries(properties).map(([key, schema]) => ({ name: `feature_${key}`, type: featureType(schema) })),
    { name: 'hash', type: 'text' },
  ]
}

/** The columns of {@link itemRow}: those of the file, made of problems that are written already. */
export const storedColumns = (task: Task): readonly ColumnSpec[] =>
  itemColumns(task).map((column) => (column.name === 'given' ? { ...column, type: 'written' } : column))

/** A row as read, to be written. */
export const toStoredRow = (row: Row): Row =>
  (row['hole'] ?? null) === null ? { ...row, given: sortedJson(row['given'] ?? null) } : row

/** A row to be written, as it will be read. */
export const fromStoredRow = (row: Row): Row =>
  typeof row['given'] === 'string' ? { ...row, given: JSON.parse(row['given']) as Json } : row

export const groupColumns: readonly ColumnSpec[] = [
  { name: 'group', type: 'integer' },
  { name: 'shared', type: 'json' },
  { name: 'hash', type: 'text' },
]

export const promptColumns = (solutions: boolean): readonly ColumnSpec[] => [
  { name: 'id', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'style', type: 'text' },
  { name: 'request', type: 'json' },
  { name: 'prompt', type: 'text' },
  { name: 'answer', type: 'text' },
  ...(solutions ? [{ name: 'solution', type: 'text' } as const] : []),
]

/** What is written of a question: the prompt in one style, and with it a worked solution. */
export interface PromptKind {
  readonly style: string
  /** How much the solution tells; false: none is written. */
  readonly solutions: Detail | false
}

/**
 * A question as asked, with its answer: all that is needed to ask and to grade without another file.
 * @throws UsageError where a solution is asked of a task that writes none.
 */
export function promptRow(task: Task, source: Source, item: Item, { style, solutions }: PromptKind): Row {
  const request = source.request(item, style)
  return {
    id: item.id,
    index: item.index,
    style,
    request: request as unknown as Json,
    prompt:
      request.kind === 'chat'
        ? request.messages.map(({ content }) => content).join('\n\n')
        : `${request.context}${request.text}`,
    answer: typeof item.answer === 'string' ? item.answer : canonicalJson(item.answer),
    ...(solutions === false ? {} : { solution: solutionOf(task, item, solutions) }),
  }
}

function solutionOf(task: Task, { shared, given, answer }: Item, detail: Detail): string {
  if (task.solution !== undefined) return solutionText(task.solution({ shared, given, answer }), detail)
  throw new UsageError(`${task.name} has no worked solutions: its items are measured, not answered`)
}

/** @param witness - undefined: none is stored. */
export function itemRow({ item, given }: SerializedItem, witness: Json | undefined): Row {
  if (item.kind === 'hole')
    return {
      id: item.id,
      index: item.index,
      group: item.group,
      stratum: item.stratum,
      hole: `${item.proved ? 'proved' : 'gave up'}: ${item.reason}`,
      hash: item.hash,
    }
  const row: { [column: string]: Json } = {
    id: item.id,
    index: item.index,
    group: item.group,
    stratum: item.stratum,
    ...(item.twin === undefined ? {} : { twin: item.twin }),
    draw: item.draw,
    given,
    answer: item.answer,
    witness: witness === undefined ? null : canonicalJson(witness),
  }
  for (const [feature, value] of Object.entries(item.features)) row[featureColumn(feature)] = value
  row['hash'] = item.hash
  return row
}

/** The names of columns, put together once. */
const featureColumns = new Map<string, string>()

function featureColumn(feature: string): string {
  const known = featureColumns.get(feature)
  if (known !== undefined) return known
  const column = `feature_${feature}`
  featureColumns.set(feature, column)
  return column
}

/** What a hole's text says. */
export function parseEmptyIndex(text: string): { readonly proved: boolean; readonly reason: string } {
  const proved = text.startsWith('proved: ')
  return { proved, reason: text.slice(proved ? 'proved: '.length : 'gave up: '.length) }
}

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

/** A task's declared features as JSON Schema, for the manifest. */
export const featureSchema = (task: Task): JsonObject =>
  JSON.parse(JSON.stringify(z.toJSONSchema(task.features))) as JsonObject

/** Storage type of a feature by its schema; every column is nullable. */
function featureType(schema: Json): ColumnType {
  const types = new Set(typesOf(schema))
  if (types.size === 1) return [...types][0] as ColumnType
  return types.has('number') && types.has('integer') && types.size === 2 ? 'number' : 'json'
}

/** Types of the values that a schema allows, without null. */
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

/** Columns of `items-*` (docs/formats.md#a-dataset). */
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

/** {@link itemColumns} for rows of {@link itemRow}, whose `given` is serialized. */
export const storedColumns = (task: Task): readonly ColumnSpec[] =>
  itemColumns(task).map((column) => (column.name === 'given' ? { ...column, type: 'written' } : column))

/** Serializes `given` of a row that was read. */
export const toStoredRow = (row: Row): Row =>
  (row['hole'] ?? null) === null ? { ...row, given: sortedJson(row['given'] ?? null) } : row

/** Parses `given` of a row to be written. */
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

/** Prompts in one style, with or without worked solutions. */
export interface PromptKind {
  readonly style: string
  /** Detail of the solutions; false: none. */
  readonly solutions: Detail | false
}

/**
 * A prompt with its answer: enough to ask and grade without another file.
 * @throws UsageError if solutions are requested of a task without them.
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
  throw new UsageError(`${task.name} has no worked solutions: it is a log-likelihood task`)
}

/** @param witness - undefined: not stored. */
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
  for (const [feature, value] of Object.entries(item.features)) row[`feature_${feature}`] = value
  row['hash'] = item.hash
  return row
}

/** Parses the column `hole` of an empty index. */
export function parseEmptyIndex(text: string): { readonly proved: boolean; readonly reason: string } {
  const proved = text.startsWith('proved: ')
  return { proved, reason: text.slice(proved ? 'proved: '.length : 'gave up: '.length) }
}

import { z } from 'zod'
import type { ColumnSpec, ColumnType } from '../columns.ts'
import type { Ledger } from '../ledger.ts'
import { parseStored } from '../records.ts'
import { type ColumnNames, columnTypes } from './column-names.ts'

/** The parser whose verdicts are in the columns without a suffix. */
export const MAIN_PARSER = 'strict'

/** `score` of the main parser, `score@lenient` of another. */
export const parserColumn = (column: string, parser: string): string =>
  parser === MAIN_PARSER ? column : `${column}@${parser}`

const FIXED: readonly ColumnSpec[] = [
  { name: 'call', type: 'integer' },
  { name: 'item', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'stratum', type: 'integer' },
  { name: 'draw', type: 'text' },
  { name: 'group', type: 'text' },
  { name: 'task', type: 'text' },
  { name: 'version', type: 'integer' },
  { name: 'scorer', type: 'integer' },
  { name: 'config', type: 'text' },
  { name: 'style', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'settings', type: 'text' },
  { name: 'sample', type: 'integer' },
  { name: 'attempts', type: 'integer' },
  { name: 'finish_reason', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'score', type: 'number' },
  { name: 'correct', type: 'integer' },
  { name: 'prediction', type: 'text' },
  { name: 'target', type: 'text' },
  { name: 'parser_rule', type: 'text' },
  { name: 'error_source', type: 'text' },
  { name: 'error_code', type: 'text' },
  { name: 'error_message', type: 'text' },
  { name: 'input_tokens', type: 'integer' },
  { name: 'output_tokens', type: 'integer' },
  { name: 'reasoning_tokens', type: 'integer' },
  { name: 'steps', type: 'integer' },
  { name: 'seconds', type: 'number' },
  { name: 'usd', type: 'number' },
]

/** The columns that each parser fills; the others are facts about the row. */
const OF_PARSER = new Set(['status', 'score', 'correct', 'prediction', 'parser_rule'])

/** Does each parser fill a column of this name? */
export const isOfParser = (name: string): boolean => OF_PARSER.has(name) || name.startsWith('subscore_')

/** Facts about models, by model name: what an experiment declares of them besides their settings. */
export type ModelAttributes = { readonly [model: string]: { readonly [name: string]: string | number | boolean } }

/** The columns of a run's rows: fixed ones, then one for each model attribute, feature, parser, part and measure. */
export function rowColumns(names: ColumnNames, attributes: ModelAttributes = {}): readonly ColumnSpec[] {
  const columns = [...FIXED]
  for (const [name, type] of attributeTypes(attributes)) columns.push({ name: `attribute_${name}`, type })
  for (const [name, type] of columnTypes(names.features)) columns.push({ name: `feature_${name}`, type })
  for (const [parser, parts] of Object.entries(names.parsers)) {
    if (parser !== MAIN_PARSER)
      for (const { name, type } of FIXED)
        if (OF_PARSER.has(name)) columns.push({ name: parserColumn(name, parser), type })
    for (const part of parts) columns.push({ name: parserColumn(`subscore_${part}`, parser), type: 'number' })
  }
  for (const name of names.measured) columns.push({ name: `metric_${name}`, type: 'number' })
  return columns
}

/** An attribute or feature with values of two types is text. */
function attributeTypes(attributes: ModelAttributes): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>()
  for (const ofModel of Object.values(attributes))
    for (const [name, value] of Object.entries(ofModel)) {
      const type = typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'boolean' : 'number'
      types.set(name, (types.get(name) ?? type) === type ? type : 'text')
    }
  return types
}

const attributed: z.ZodType<ModelAttributes> = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
)

/** The attributes of a run's models. @throws StoreError for what this program did not write */
export async function modelAttributes(ledger: Ledger): Promise<ModelAttributes> {
  const text = await ledger.meta('attributes')
  return text === null ? {} : parseStored(attributed, text, 'what the ledger says of attributes of models')
}

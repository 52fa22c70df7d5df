import type { Json } from '../core/index.ts'
import { promptOf } from '../extras/exchange/line.ts'
import { runAnswers } from '../extras/exchange/run-questions.ts'
import { csvLine } from '../report/index.ts'
import type { Run } from '../runner/index.ts'
import { type ColumnSpec, linesWriter, loadFrames, type Row, rowWriter } from '../store/index.ts'

/** Columns by their names in rows, as far as people analyse them. */
const NAMES: { readonly [column: string]: string } = {
  item: 'item',
  task: 'task',
  config: 'config',
  group: 'group',
  style: 'style',
  model: 'model',
  settings: 'settings',
  sample: 'sample',
  state: 'status',
  value: 'score',
  answer: 'prediction',
  truth: 'target',
  finish: 'finish_reason',
  code: 'error_code',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  reasoningTokens: 'reasoning_tokens',
  seconds: 'seconds',
  usd: 'usd',
}
/** The start of a name, and of its name here. */
const PREFIXES = { attribute_: 'attribute_', feature_: 'feature_', part_: 'subscore_', measured_: 'metric_' } as const

const STATUS: { readonly [state: string]: string } = { failed: 'error', measured: 'loglikelihood' }

/**
 * Writes the responses of a run as one flat table, a row each: ids, outcome by the strict parser, tokens and cost, features, prompt and
 * response. Columns in which no row has a value are left out.
 *
 * @returns the number of rows.
 */
export async function writeResponses(run: Run, path: string, format: 'csv' | 'parquet'): Promise<number> {
  const frames = await loadFrames(run)
  const used = new Set<string>()
  for (const page of frames.pages())
    for (const row of page) for (const [name, value] of Object.entries(row)) if (value !== null) used.add(name)
  const kept = frames.specs.filter(({ name }) => used.has(name) && nameOf(name) !== null)
  const columns: readonly ColumnSpec[] = [
    ...kept.map(({ name, type }) => ({ name: nameOf(name) ?? name, type })),
    { name: 'correct', type: 'integer' },
    { name: 'prompt', type: 'text' },
    { name: 'response', type: 'text' },
  ]
  const names = columns.map(({ name }) => name)
  const writer = await (format === 'csv'
    ? linesWriter(path, csvLine(names), (row) => csvLine(names.map((name) => row[name])))
    : rowWriter(path, 'parquet', columns))
  try {
    const rows = rowsOf(frames.pages())
    for await (const page of runAnswers(run)) {
      const batch = page.map((answer): Row => {
        const row = rows.next().value
        if (row === undefined || row['item'] !== answer.item || row['model'] !== answer.model)
          throw new Error(`rows and responses of ${run.dir} differ at ${answer.item}`)
        return {
          ...Object.fromEntries(kept.map(({ name }) => [nameOf(name), shownValue(name, row)])),
          correct: correctOf(row),
          prompt: promptOf(answer.request),
          response: answer.response?.text ?? null,
        }
      })
      await writer.write(batch)
    }
    return (await writer.close()).rows
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** null: the column is for readers of rows only. */
function nameOf(column: string): string | null {
  if (column.includes('@')) return null
  const prefix = Object.entries(PREFIXES).find(([start]) => column.startsWith(start))
  if (prefix !== undefined) return `${prefix[1]}${column.slice(prefix[0].length)}`
  return Object.hasOwn(NAMES, column) ? (NAMES[column] as string) : null
}

function shownValue(column: string, row: Row): Json {
  const value = row[column] ?? null
  return column === 'state' ? (STATUS[String(value)] ?? value) : value
}

/** As accuracy counts: what a parser did not read is incorrect, errors and loglikelihood items count nowhere. */
const correctOf = ({ state, value }: Row): number | null =>
  Object.hasOwn(STATUS, String(state)) ? null : state === 'graded' && Number(value) >= 1 ? 1 : 0

function* rowsOf(pages: Iterable<readonly Row[]>): Generator<Row, undefined> {
  for (const page of pages) yield* page
}

import {
  type FileTree,
  type Imported,
  type ImportedResponse,
  type Importer,
  importProblem,
  type Json,
  type Outcome,
  sha256Hex,
  sortedJson,
} from '../../../core/index.ts'
import { fieldColumns, rowFeatures } from '../../../datasets/index.ts'
import type { LogRecord } from './record.ts'
import { scoredLogs } from './task.ts'

/** A first scorer that gives parts of a point, or more than one: its scores are compared by their means, as a metric. */
export const isMetric = (records: readonly LogRecord[]): boolean =>
  records.some(({ scores: [first] }) => first?.[1] != null && first[1] !== 0 && first[1] !== 1)

/** The logs need no folder. */
export const NO_FILES: FileTree = { async *list() {}, async *text() {} }

/**
 * Importers of the records of logs, one for each task that they are of.
 *
 * @param group - the fact that names the groups of samples. Default: one with a usual name.
 * @param measured - every score is a metric. Default: by the scores of a task.
 */
export function logImporters(
  records: readonly LogRecord[],
  group: string | undefined,
  measured = false,
): readonly Importer[] {
  const tasks = Map.groupBy(records, ({ task }) => task)
  return [...tasks].map(([task, list]) => ({
    name: task,
    label: task,
    task: scoredLogs.name,
    describe: 'samples of a log',
    read: () => importsOf(list, group, measured || isMetric(list)),
  }))
}

/** Samples of one transaction. */
const BATCH = 500

async function* importsOf(
  records: readonly LogRecord[],
  group: string | undefined,
  measured: boolean,
): AsyncGenerator<Imported> {
  const rows = records.map(({ facts }) => facts)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const by = group ?? fieldColumns(names, {}).group?.[0]
  const features = rowFeatures(
    rows,
    names.filter((name) => name !== by),
  )
  if (measured)
    yield importProblem('metric', records[0]?.task ?? '', null, 'scores other than 0 and 1: their means are compared')
  const seen = new Set<string>()
  const samples = new Map<string, number>()
  for (let first = 0; first < records.length; first += BATCH) {
    const part = records.slice(first, first + BATCH)
    for (const record of part) {
      const key = keyOf(record)
      if (seen.has(key)) continue
      seen.add(key)
      const named = by === undefined ? null : (record.facts[by] ?? null)
      const inGroup = named === null ? key : `${by}=${sortedJson(named)}`
      if (!seen.has(`group ${inGroup}`)) yield { kind: 'group', key: inGroup, shared: null }
      seen.add(`group ${inGroup}`)
      yield {
        kind: 'item',
        key,
        group: inGroup,
        given: { messages: record.question, choices: record.choices } as unknown as Json,
        answer: record.targets.length === 1 ? (record.targets[0] ?? '') : [...record.targets],
        features: Object.fromEntries([...features].map(([name, { value }]) => [name, value(record.facts)])),
      }
    }
    for (const record of part) {
      const { model, style, settings } = record
      const place = sortedJson([keyOf(record), model, style, settings as Json])
      const sample = record.sample ?? samples.get(place) ?? 0
      samples.set(place, sample + 1)
      yield responseOf(record, sample, measured)
    }
  }
}

const keyOf = ({ id, content }: LogRecord): string => `${id}-${sha256Hex(content).slice(0, 8)}`

function responseOf(record: LogRecord, sample: number, measured: boolean): ImportedResponse {
  const { model, style, settings, text, reasoning, finish, usage } = record
  return {
    kind: 'response',
    item: keyOf(record),
    model,
    style,
    settings,
    sample,
    text,
    reasoning,
    finish,
    usage,
    outcome: outcomeOf(record, measured),
  }
}

/** Scores as given: the first one counts, the others are parts of it. Without a score nothing is known, and nothing is counted. */
function outcomeOf({ scores, answer, error, text }: LogRecord, measured: boolean): Outcome {
  const [[scorer, score] = ['', null], ...others] = scores
  if (error !== null) return { kind: 'error', source: 'provider', code: 'error-in-log', message: error }
  if (score === null) return { kind: 'error', source: 'task', code: 'no-score', message: 'the log has no score for it' }
  const given = others.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  if (measured) return { kind: 'measured', values: Object.fromEntries([[scorer, score], ...given]) }
  const parts = Object.fromEntries(given.filter(([, value]) => value >= 0 && value <= 1))
  const result = {
    kind: 'graded',
    value: score,
    answer: answer ?? text.slice(0, 200),
    rule: scorer,
    span: [0, 0],
    ...(Object.keys(parts).length === 0 ? {} : { parts }),
  } as const
  return { kind: 'answered', finish: 'stop', results: { strict: result, lenient: result } }
}

import { type AnalysisOptions, type Frame, memoize } from '../../../../core/index.ts'
import {
  allRows,
  type Confusion,
  macroF1,
  rowsByLevel,
  rowsWhere,
  systems,
  varying,
} from '../../../../libraries/statistics/index.ts'

/** The responses of a run, one entry each; errors are not there. */
export interface Responses {
  readonly n: number
  /** Model, with settings, style and config where the run has several. */
  readonly arms: readonly string[]
  readonly grammars: readonly string[]
  /** Row of the frame. */
  readonly row: Int32Array
  readonly arm: Int32Array
  readonly grammar: Int32Array
  readonly length: Int32Array
  /** 1: the string is in the language. */
  readonly label: Int8Array
  /** 1: Yes, 0: No, -1: unparsed. */
  readonly said: Int8Array
  /** 1 where `said` is the label. */
  readonly correct: Int8Array
}

export const needs = ['item', 'model', 'group', 'status', 'prediction', 'feature_length', 'feature_label'] as const

/** As the headline counts: answers of truncated and refused responses do not count. */
export const strictResponses = memoize((frame: Frame) => responsesOf(frame, true))

/** Any answer that the parser finds in the raw text counts, as in the paper's notebook. */
const anyResponses = memoize((frame: Frame) => responsesOf(frame, false))

/** The published parser of a run, or the report's where no row has that one. */
export const publishedResponses = (frame: Frame, options: AnalysisOptions): Responses =>
  anyResponses(options.frameOf('published') ?? frame)

function responsesOf(frame: Frame, gradedOnly: boolean): Responses {
  const state = frame.category('status')
  const failed = state.levels.indexOf('error')
  const graded = state.levels.indexOf('graded')
  const answer = frame.category('prediction')
  const yes = answer.levels.indexOf('true')
  const no = answer.levels.indexOf('false')
  const lengths = frame.number('feature_length')
  const labels = frame.number('feature_label')
  const groups = frame.category('group')
  const { codes, names } = arms(frame)
  const row = rowsWhere(allRows(frame), (i) => {
    const code = state.codes[i] as number
    return code >= 0 && code !== failed
  })
  const n = row.length
  const columns = {
    arm: new Int32Array(n),
    grammar: new Int32Array(n),
    length: new Int32Array(n),
    label: new Int8Array(n),
    said: new Int8Array(n),
    correct: new Int8Array(n),
  }
  for (let k = 0; k < n; k++) {
    const i = row[k] as number
    const code = answer.codes[i] as number
    const unparsed = code < 0 || (gradedOnly && state.codes[i] !== graded)
    const said = unparsed ? -1 : code === yes ? 1 : code === no ? 0 : -1
    const label = labels[i] as number
    columns.arm[k] = codes[i] as number
    columns.grammar[k] = groups.codes[i] as number
    columns.length[k] = lengths[i] as number
    columns.label[k] = label
    columns.said[k] = said
    columns.correct[k] = said === label ? 1 : 0
  }
  return { n, arms: names, grammars: groups.levels, row, ...columns }
}

/** Systems, separated by style and config too where there are several. */
export function arms(frame: Frame): { readonly codes: Int32Array; readonly names: readonly string[] } {
  const who = systems(frame)
  const axes = varying(frame, ['style', 'config'])
  if (axes.length === 0) return { codes: who.codes, names: who.labels }
  const columns = axes.map((name) => frame.category(name))
  const index = new Map<string, number>()
  const codes = Int32Array.from(who.codes, (code, i) => {
    const parts = columns.map(({ codes: inside, levels }) => levels[inside[i] as number] ?? 'none')
    const name = `${who.labels[code]} (${parts.join(', ')})`
    const known = index.get(name) ?? index.size
    index.set(name, known)
    return known
  })
  return { codes, names: [...index.keys()] }
}

/** The entries of each arm in order; `model` is the name of the arm. */
export function byArm(data: Responses): readonly { readonly model: string; readonly entries: Int32Array }[] {
  const entries = rowsByLevel(allRows(data.arm), data.arm, data.arms.length)
  return data.arms.flatMap((model, a) => {
    const mine = entries[a] as Int32Array
    return mine.length === 0 ? [] : [{ model, entries: mine }]
  })
}

const LABELS = ['positive', 'negative', 'unknown'] as const
const CLASSES = ['positive', 'negative'] as const

/** Counts of targets against answers, `unknown` last. */
export function confusionOf(data: Responses, entries: Iterable<number>): Confusion {
  const counts = LABELS.map(() => LABELS.map(() => 0))
  let n = 0
  for (const k of entries) {
    const row = counts[data.label[k] === 1 ? 0 : 1] as number[]
    const said = data.said[k] as number
    const column = said === 1 ? 0 : said === 0 ? 1 : 2
    row[column] = (row[column] as number) + 1
    n++
  }
  return { labels: LABELS, counts, n }
}

/** As released: every label that occurs as target or answer is a class, `unknown` too. */
export const publishedF1 = (counts: Confusion): number | null => macroF1(counts)

/** Over the two classes that occur: an unparsed response is incorrect, and no class. */
export const correctF1 = (confusion: Confusion): number | null =>
  macroF1(
    confusion,
    CLASSES.filter(
      (_, k) =>
        (confusion.counts[k] as readonly number[]).some((x) => x > 0) ||
        confusion.counts.some((row) => (row[k] as number) > 0),
    ),
  )

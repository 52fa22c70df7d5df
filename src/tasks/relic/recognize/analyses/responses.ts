import { type AnalysisOptions, type Frame, memoize } from '../../../../core/index.ts'
import { allRows, rowsByLevel, rowsWhere, systems } from '../../../../libraries/statistics/index.ts'

/** What the answers of a run say, one entry a response; cells that failed are not there. */
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
  /** 1: Yes, 0: No, -1: could not be read. */
  readonly said: Int8Array
  /** 1 where `said` is the label. */
  readonly correct: Int8Array
}

export const needs = ['item', 'model', 'group', 'state', 'answer', 'feature_length', 'feature_label'] as const

/**
 * `published` takes any answer the parser found in the raw text, as the paper's notebook does; `correct` leaves answers of truncated and
 * refused responses out, as the headline does. Made once a frame: all tables and figures read the same.
 */
export const responses = (frame: Frame, reading: 'published' | 'correct'): Responses => readings(frame)[reading]()

const readings = memoize((frame: Frame) => ({
  published: once(() => read(frame, 'published')),
  correct: once(() => read(frame, 'correct')),
}))

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function read(frame: Frame, reading: 'published' | 'correct'): Responses {
  const state = frame.category('state')
  const failed = state.levels.indexOf('failed')
  const graded = state.levels.indexOf('graded')
  const answer = frame.category('answer')
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
    const unread = code < 0 || (reading === 'correct' && state.codes[i] !== graded)
    const said = unread ? -1 : code === yes ? 1 : code === no ? 0 : -1
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

/** The published reading of a run: its `published` parser, or the report's own where no row has that one. */
export const publishedResponses = (frame: Frame, options: AnalysisOptions): Responses =>
  responses(options.frameOf('published') ?? frame, 'published')

/** Contestants, told apart by style and config too where there are several. */
export function arms(frame: Frame): { readonly codes: Int32Array; readonly names: readonly string[] } {
  const who = systems(frame)
  const axes = ['style', 'config'].filter((name) => frame.has(name) && frame.category(name).levels.length > 1)
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

/** The entries of each arm, in the order of the arms. */
export function byArm(data: Responses): readonly { readonly model: string; readonly entries: Int32Array }[] {
  const entries = rowsByLevel(allRows(data.arm), data.arm, data.arms.length)
  return data.arms.flatMap((model, a) => {
    const mine = entries[a] as Int32Array
    return mine.length === 0 ? [] : [{ model, entries: mine }]
  })
}

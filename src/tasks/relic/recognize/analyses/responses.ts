import type { AnalysisOptions, Frame } from '../../../../core/index.ts'
import { contestants } from '../../../../stats/index.ts'

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
 * refused responses out, as the headline does.
 */
export function responses(frame: Frame, reading: 'published' | 'correct'): Responses {
  const state = frame.category('state')
  const failed = state.levels.indexOf('failed')
  const graded = state.levels.indexOf('graded')
  const row = Int32Array.from({ length: frame.length }, (_, i) => i).filter((i) => {
    const code = state.codes[i] as number
    return code >= 0 && code !== failed
  })
  const answer = frame.category('answer')
  const yes = answer.levels.indexOf('true')
  const no = answer.levels.indexOf('false')
  const readable = (i: number) => reading === 'published' || state.codes[i] === graded
  const said = Int8Array.from(row, (i) => {
    const code = answer.codes[i] as number
    return code < 0 || !readable(i) ? -1 : code === yes ? 1 : code === no ? 0 : -1
  })
  const lengths = frame.number('feature_length')
  const labels = frame.number('feature_label')
  const label = Int8Array.from(row, (i) => labels[i] as number)
  const groups = frame.category('group')
  const { codes, names } = arms(frame)
  return {
    n: row.length,
    arms: names,
    grammars: groups.levels,
    row,
    arm: Int32Array.from(row, (i) => codes[i] as number),
    grammar: Int32Array.from(row, (i) => groups.codes[i] as number),
    length: Int32Array.from(row, (i) => lengths[i] as number),
    label,
    said,
    correct: label.map((truth, k) => (truth === said[k] ? 1 : 0)),
  }
}

/** The published reading of a run: its `published` parser, or the report's own where no row has that one. */
export const publishedResponses = (frame: Frame, options: AnalysisOptions): Responses =>
  responses(options.frameOf('published') ?? frame, 'published')

/** Contestants, told apart by style and config too where there are several. */
export function arms(frame: Frame): { readonly codes: Int32Array; readonly names: readonly string[] } {
  const who = contestants(frame)
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
  const lists = data.arms.map((): number[] => [])
  for (let k = 0; k < data.n; k++) lists[data.arm[k] as number]?.push(k)
  return data.arms.flatMap((model, a) => {
    const entries = Int32Array.from(lists[a] as number[])
    return entries.length === 0 ? [] : [{ model, entries }]
  })
}

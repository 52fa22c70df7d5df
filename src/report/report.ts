import { setImmediate } from 'node:timers/promises'
import {
  type Analysis,
  type AnalysisOptions,
  type AnalysisResult,
  type Features,
  type Figure,
  type Frame,
  hint,
  type Paper,
  type PrintedTable,
  type Table,
  type Task,
  UsageError,
} from '../core/index.ts'
import type { Choice } from '../store/index.ts'
import { type AdaptedRun, adaptTables } from './adapt.ts'
import { readsAnswers, runAnalyses, taskAnalyses } from './analyses/index.ts'
import { type BlindItems, blindFrames } from './blind.ts'
import { withChance } from './chance.ts'
import { withFacts } from './facts.ts'
import { withFailures } from './failures.ts'
import { headline, type Plan } from './headline.ts'
import { withOwnIds } from './own-ids.ts'
import { SELECTED, selectedFrames, selectionTable } from './selected.ts'
import { printedAnalysis } from './side-by-side.ts'
import { type PlannedLooks, untilTable } from './until.ts'

/** The rows of a run as each of its parsers reads them; `store` loads them from the ledger. */
export interface ReportFrames {
  readonly length: number
  readonly parsers: readonly string[]
  /** Columns by name, those of all parsers included. */
  readonly columns: readonly string[]
  /** null where no row was read by that parser. */
  frame(parser: string): Frame | null
  /** The rows of one task, with the columns and types that a run of this task alone has. */
  ofTask(task: string): ReportFrames
}

export interface ReportInput {
  /** Where the run is, as the reader knows it. */
  readonly run: string
  /** What the run was called; left out: it has no name but the place. */
  readonly name?: string
  readonly frames: ReportFrames
  /** The tasks that the run may hold, with their own analyses. */
  readonly tasks: readonly Task[]
  /** Whose verdicts count; where nothing is said `selected` with a selection, else `strict`. */
  readonly parser?: string
  /** What was chosen for the models of this run on other items. */
  readonly selection?: readonly Choice[]
  /** How much of its plan the run has answered; where nothing is said, nothing is said of it. */
  readonly plan?: Plan
  /** The rule by which the run stopped, and its looks. */
  readonly until?: PlannedLooks
  /** What an adaptive run chose. */
  readonly adapt?: AdaptedRun
  /** Chance and rules of thumb by item, to be drawn beside accuracies. */
  readonly blind?: BlindItems
  /** Facts about groups of items that their rows do not have. */
  readonly facts?: ReadonlyMap<string, Features>
  /** Printed results of papers, to be shown beside what was measured, after it and in no statistic. */
  readonly reference?: readonly PrintedResult[]
  /** Of resampled intervals; 1 where nothing is said. */
  readonly seed?: number
  /** Confidence of the intervals of accuracies, means of measures and pairs; 0.95 where nothing is said. */
  readonly level?: number
  /** Only these analyses, by id or by the start of one (`relic`, `core/accuracy`). */
  readonly only?: readonly string[]
}

/** A printed table, and the paper that it stands in. */
export interface PrintedResult {
  readonly paper: Paper
  readonly printed: PrintedTable
  /** Leave it out where nothing of the run stands beside it. */
  readonly besideOnly: boolean
}

export interface ReportedAnalysis {
  readonly id: string
  readonly title: string
  /** Whose rows it reads; null: those of the whole run. */
  readonly task: string | null
  readonly source: { readonly paper: string; readonly item: string } | null
  readonly notes: readonly string[]
  readonly tables: readonly Table[]
  readonly figures: readonly Figure[]
}

/** An analysis that the report lacks: the rows do not allow it, or it broke off, which is a mistake in the analysis. */
export interface LeftOut {
  readonly id: string
  /** Whose rows it reads, as one id may be of several tasks; null: those of the whole run. */
  readonly task: string | null
  readonly cause: 'rows' | 'broken'
  readonly reason: string
}

/** The document of `report --json` (schema touchstone/report/1). */
export interface Report {
  readonly schema: 'touchstone/report/1'
  readonly run: string
  /** What the run was called; absent where it was not. */
  readonly name?: string
  /** Rows read: cells that are done or failed. */
  readonly rows: number
  /** Whose verdicts count; null where there is nothing to read: all that was asked is scored strings. */
  readonly parser: string | null
  /** Rows of tasks that this parser does not read; absent where there are none. */
  readonly unread?: { readonly rows: number; readonly tasks: readonly string[] }
  /** What a person can quote, about ten lines, out of the tables. */
  readonly headline: readonly string[]
  readonly analyses: readonly ReportedAnalysis[]
  /** Analyses that could not be made, with the reason. */
  readonly leftOut: readonly LeftOut[]
}

/**
 * Runs every analysis that the rows allow: those of any run, then for each task in it those by feature and its own.
 *
 * @example
 * import { makeReport } from '@touchstone-eval/touchstone/node'
 *
 * export const reportOf = (input: Parameters<typeof makeReport>[0]) => makeReport(input)
 */
export function makeReport(input: ReportInput): Report {
  const work = analyse(input)
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/**
 * The same, with a turn for others after each analysis: what it read of long columns can be let go of only then.
 */
export async function makeReportInTurns(input: ReportInput): Promise<Report> {
  const work = analyse(input)
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await setImmediate()
  }
}

/** Makes a report analysis by analysis. */
function* analyse(input: ReportInput): Generator<undefined, Report> {
  const { selection = [], seed = 1, level = 0.95 } = input
  const chosen = selection.length > 0
  const { parser = chosen ? SELECTED : 'strict' } = input
  const read = withFailures(chosen ? selectedFrames(input.frames, selection) : input.frames)
  const frames = blindFrames(withFacts(read, input.facts ?? new Map()), input.blind ?? new Map())
  const frame = frames.frame(parser)
  if (frame === null) {
    throw new UsageError(`no row was read by the parser ${parser}; there are ${frames.parsers.join(', ')}`)
  }
  const analyses: ReportedAnalysis[] = []
  const leftOut: LeftOut[] = []
  const known = new Set<string>()
  const leave = (id: string, task: Task | null, cause: LeftOut['cause'], reason: string): void => {
    leftOut.push({ id, task: task?.name ?? null, cause, reason })
  }
  const attempt = (analysis: Analysis, on: Frame, options: AnalysisOptions, task: Task | null = null) => {
    known.add(analysis.id)
    if (!isWanted(analysis.id, input.only)) return
    const missing = analysis.needs.filter((name) => !on.has(name))
    if (missing.length > 0) {
      leave(analysis.id, task, 'rows', `the rows have no ${missing.join(', ')}`)
      return
    }
    const made = madeBy(analysis, on, options)
    if ('error' in made) {
      leave(analysis.id, task, 'broken', made.error)
      return
    }
    const { tables, figures = [] } = task?.analyses.includes(analysis) === true ? withChance(made, on) : made
    if (tables.length === 0) {
      leave(analysis.id, task, 'rows', 'the rows hold nothing to compare')
      return
    }
    const { id, title, source = null, notes = [] } = analysis
    analyses.push(withOwnIds({ id, title, task: task?.name ?? null, source, notes, tables, figures }, analyses))
  }
  const measured = frames.columns.filter((name) => name.startsWith('measured_'))
  if (chosen && isWanted('core/selection', input.only)) analyses.push(selectionTable(selection))
  if (input.until !== undefined && isWanted('core/until', input.only)) analyses.push(untilTable(input.until))
  if (input.adapt !== undefined && isWanted('core/adapt', input.only)) analyses.push(adaptTables(input.adapt))
  const whole = { parser, seed, level, frameOf: (name: string) => frames.frame(name) }
  if (frame.length > 0)
    for (const analysis of runAnalyses(frame, measured, input.tasks)) {
      attempt(analysis, frame, whole)
      yield
    }
  for (const task of tasksOf(frame, input.tasks)) {
    const cut = frames.ofTask(task.name)
    const frameOf = remembering((name: string) => cut.frame(name))
    // What is measured has no parser.
    const mine = frameOf(task.parsers === undefined ? 'strict' : parser)
    for (const analysis of [...taskAnalyses(task), ...task.analyses]) {
      if (mine !== null) attempt(analysis, mine, { parser, seed, level, frameOf }, task)
      else if (isWanted(analysis.id, input.only))
        leave(analysis.id, task, 'rows', `no row of ${task.name} was read by the parser ${parser}`)
      yield
    }
  }
  const measuredTables = analyses.flatMap((analysis) => analysis.tables)
  for (const reference of input.reference ?? []) analyses.push(...printedAnalysis(reference, measuredTables))
  // Of no rows nothing was tried, whatever it is called.
  if (input.only !== undefined && frame.length > 0 && analyses.length + leftOut.length === 0)
    refuse(input.run, input.only, [...known])
  const unread = unreadIn(frame)
  const lines = headline({ analyses, parser, leftOut, plan: endedByRule(input) ? undefined : input.plan })
  return {
    schema: 'touchstone/report/1',
    run: input.run,
    ...(input.name === undefined ? {} : { name: input.name }),
    rows: frame.length,
    parser: readsAnswers(frame) ? parser : null,
    ...(unread.rows === 0 ? {} : { unread }),
    headline: lines,
    analyses,
    leftOut,
  }
}

function refuse(run: string, only: readonly string[], known: readonly string[]): never {
  const names = only.map((name) => `${name}${hint(name, known)}`).join(' or ')
  const begin = known.filter((id) => only.some((name) => id.startsWith(name)))
  const there =
    begin.length > 0
      ? begin.join(', ')
      : `those that begin with ${[...new Set(known.map((id) => id.split('/')[0]))].join(', ')}`
  throw new UsageError(`nothing in a report of ${run} is called ${names}; there are ${there}`)
}

/** Rows of tasks that have no such parser. */
function unreadIn(frame: Frame): NonNullable<Report['unread']> {
  if (!frame.has('state') || !frame.has('task')) return { rows: 0, tasks: [] }
  const [state, task] = [frame.category('state'), frame.category('task')]
  const codes = new Set<number>()
  let rows = 0
  for (const [row, code] of state.codes.entries()) {
    if (code >= 0) continue
    rows++
    codes.add(task.codes[row] as number)
  }
  return { rows, tasks: [...codes].flatMap((code) => task.levels[code] ?? []) }
}

/** What such a run left open is not missing: its rule said when it was enough. */
const endedByRule = ({ until, adapt }: ReportInput): boolean => adapt !== undefined || (until?.verdict ?? null) !== null

/** What an analysis makes; one that breaks off costs the report only itself. */
function madeBy(
  analysis: Analysis,
  frame: Frame,
  options: AnalysisOptions,
): AnalysisResult | { readonly error: string } {
  try {
    return analysis.run(frame, options)
  } catch (error) {
    return { error: `it broke off: ${String(error)}` }
  }
}

/** Is an analysis among those asked for, by its id or the start of one? */
export const isWanted = (id: string, only: readonly string[] | undefined): boolean =>
  only === undefined || only.some((prefix) => id === prefix || id.startsWith(`${prefix}/`))

const tasksOf = (frame: Frame, tasks: readonly Task[]): readonly Task[] =>
  frame.has('task') ? frame.category('task').levels.flatMap((name) => tasks.filter((task) => task.name === name)) : []

function remembering<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as T
  }
}

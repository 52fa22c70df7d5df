import { setImmediate } from 'node:timers/promises'
import {
  type Analysis,
  type AnalysisOptions,
  type Figure,
  type Frame,
  hint,
  type Paper,
  type PrintedTable,
  type ReportQuestion,
  runAnalysis,
  type Table,
  type Task,
  UsageError,
} from '../core/index.ts'
import { allRows, peoplesScores } from '../libraries/statistics/index.ts'
import type { Choice } from '../store/index.ts'
import { type AdaptiveRun, adaptiveTables } from './adaptive.ts'
import { hasResponses, runAnalyses, taskAnalyses } from './analyses/index.ts'
import { METRIC } from './analyses/metrics.ts'
import { type Facts, withErrors, withFacts } from './derived-columns.ts'
import { headline, type PlanProgress } from './headline.ts'
import { paperAnalysis } from './paper-table.ts'
import { type ReferenceItems, withChance, withReferences } from './references.ts'
import { type RunVerdict, runVerdict } from './run-verdict.ts'
import { SELECTED, selectedFrames, selectionTable } from './selection.ts'
import { type SequentialRun, sequentialTable } from './sequential.ts'

/** The rows of a run under each of its parsers. */
export interface ReportFrames {
  readonly length: number
  readonly parsers: readonly string[]
  /** Columns by name, those of all parsers included. */
  readonly columns: readonly string[]
  /** null where no row has the parser. */
  frame(parser: string): Frame | null
  /** The rows of one task, with the columns and types that a run of this task alone has. */
  ofTask(task: string): ReportFrames
}

export interface ReportInput {
  /** The location of the run. */
  readonly run: string
  /** The name of the run. Default: none. */
  readonly name?: string
  readonly frames: ReportFrames
  /** The tasks that the run may hold, with their own analyses. */
  readonly tasks: readonly Task[]
  /** Default: `selected` with a selection, else `strict`. */
  readonly parser?: string
  /** The prompt style and parser selected for each model on other items. */
  readonly selection?: readonly Choice[]
  /** How much of its plan the run has answered. Default: not reported. */
  readonly plan?: PlanProgress
  /** The stopping rule and its interim analyses. */
  readonly until?: SequentialRun
  /** The choices of an adaptive run. */
  readonly adapt?: AdaptiveRun
  /** Chance and heuristics by item, drawn beside accuracies. */
  readonly references?: ReferenceItems
  /** Facts about items and groups that their rows lack. */
  readonly facts?: Facts
  /** Printed results of papers, shown after the analyses; they enter no statistic. */
  readonly reference?: readonly PrintedResult[]
  /** Of resampled intervals. Default: 1. */
  readonly seed?: number
  /** Confidence of the intervals of accuracies, metrics and pairs. Default: 0.95. */
  readonly confidence?: number
  /** Only these analyses, by id or by the start of one (`relic`, `core/accuracy`). */
  readonly only?: readonly string[]
}

/** A printed table and its paper. */
export interface PrintedResult {
  readonly paper: Paper
  readonly printed: PrintedTable
  /** Omit it where the run has nothing to compare with. */
  readonly besideOnly: boolean
}

export interface ReportedAnalysis {
  readonly id: string
  readonly title: string
  readonly question: ReportQuestion
  /** The task of its rows; null: the whole run. */
  readonly task: string | null
  readonly source: { readonly paper: string; readonly item: string } | null
  readonly notes: readonly string[]
  readonly tables: readonly Table[]
  readonly figures: readonly Figure[]
}

/** An analysis that does not apply (no data), or failed, which is a bug in the analysis. */
export interface SkippedAnalysis {
  readonly id: string
  /** The task of its rows, as tasks may share an id; null: the whole run. */
  readonly task: string | null
  readonly cause: 'no-data' | 'error'
  readonly reason: string
}

export interface ReportedTask {
  readonly name: string
  readonly summary: string
  /** What the items of a group share, in the plural. */
  readonly groupNoun: string
}

/** The document of `report --json` (schema touchstone/report/1). */
export interface Report {
  readonly schema: 'touchstone/report/1'
  readonly run: string
  /** Absent where the run has no name. */
  readonly name?: string
  /** Rows: finished calls, errors included. */
  readonly rows: number
  /** null where all items are loglikelihood items, which have no parser. */
  readonly parser: string | null
  /** Rows of tasks that do not have the parser; absent where there are none. */
  readonly noParser?: { readonly rows: number; readonly tasks: readonly string[] }
  /** The tasks of the rows. */
  readonly tasks: readonly ReportedTask[]
  /** Which model is better at what; null where no response has an accuracy. */
  readonly verdict: RunVerdict | null
  /** About ten lines that can be quoted, from the tables. */
  readonly headline: readonly string[]
  readonly analyses: readonly ReportedAnalysis[]
  readonly skipped: readonly SkippedAnalysis[]
  /** How it was asked for, so that it can be made again and compared. Default: not known. */
  readonly made?: ReportMade
}

/** What a report of a run folder was made with; absent keys were not given. */
export interface ReportMade {
  readonly version: string
  readonly parser?: string
  readonly analyses?: readonly string[]
  readonly where?: string
  readonly withPaper?: boolean | readonly string[]
  readonly formats?: readonly string[]
}

/**
 * Runs every analysis that the rows allow: those of any run, then for each task those by feature and its own.
 *
 * @example
 * import { makeReport } from '@touchstone-eval/touchstone/node'
 *
 * export const reportOf = (input: Parameters<typeof makeReport>[0]) => makeReport(input)
 */
export function makeReport(input: ReportInput): Report {
  const work = analyse(input)
  let made = work.next()
  while (made.done !== true) made = work.next()
  return made.value
}

/** The same, with a turn of the event loop after each analysis, so that memory of long columns can be freed. */
export async function makeReportInTurns(input: ReportInput): Promise<Report> {
  const work = analyse(input)
  let made = work.next()
  for (; made.done !== true; made = work.next()) await setImmediate()
  return made.value
}

/** Makes a report analysis by analysis. */
function* analyse(input: ReportInput): Generator<undefined, Report> {
  const { selection = [], seed = 1, confidence = 0.95 } = input
  const isSelected = selection.length > 0
  const { parser = isSelected ? SELECTED : 'strict' } = input
  const parsed = withErrors(isSelected ? selectedFrames(input.frames, selection) : input.frames)
  const frames = withReferences(
    input.facts === undefined ? parsed : withFacts(parsed, input.facts),
    input.references ?? new Map(),
  )
  const frame = frames.frame(parser)
  if (frame === null)
    throw new UsageError(`no row has the parser "${parser}". Parsers of this run: ${frames.parsers.join(', ')}`)
  const made = new ReportParts(input.only)
  const add = (id: string, table: () => ReportedAnalysis) => {
    if (isWanted(id, input.only)) made.analyses.push(table())
  }
  const { until, adapt } = input
  if (isSelected) add('core/selection', () => selectionTable(selection))
  if (until !== undefined) add('core/sequential', () => sequentialTable(until))
  if (adapt !== undefined) add('core/adaptive', () => adaptiveTables(adapt))
  const metrics = frames.columns.filter((name) => name.startsWith(METRIC))
  if (frame.length > 0)
    for (const analysis of runAnalyses(frame, metrics, input.tasks)) {
      made.run(analysis, frame, { parser, seed, confidence, frameOf: (name) => frames.frame(name) })
      yield
    }
  const across = new Set(tasksOf(frame, input.tasks).flatMap((task) => task.analyses.filter((one) => one.acrossTasks)))
  for (const analysis of across) {
    made.run(analysis, frame, { parser, seed, confidence, frameOf: (name) => frames.frame(name) })
    yield
  }
  for (const task of tasksOf(frame, input.tasks)) {
    const ofTask = frames.ofTask(task.name)
    const frameOf = memoized((name: string) => ofTask.frame(name))
    const own = frameOf(task.parsers === undefined ? 'strict' : parser)
    for (const analysis of [...taskAnalyses(task), ...task.analyses.filter((one) => !across.has(one))]) {
      if (own !== null) made.run(analysis, own, { parser, seed, confidence, frameOf }, task)
      else if (isWanted(analysis.id, input.only))
        made.skip(analysis.id, task, 'no-data', `no row of ${task.name} has the parser ${parser}`)
      yield
    }
  }
  const { analyses, skipped, known } = made
  const own = [...analyses]
  for (const reference of input.reference ?? []) analyses.push(...paperAnalysis(reference, own))
  // A run without rows tries no analysis, whatever `only` names.
  if (input.only !== undefined && frame.length > 0 && analyses.length + skipped.length === 0)
    rejectUnknown(input.run, input.only, [...known])
  const noParser = rowsWithoutParser(frame)
  const plan = endedByRule(input) ? undefined : input.plan
  const tasks = tasksOf(frame, input.tasks).map(({ name, summary, groupNoun = 'groups' }) => ({
    name,
    summary,
    groupNoun,
  }))
  const verdict = verdictOfRun(analyses, tasks, plan)
  return {
    schema: 'touchstone/report/1',
    run: input.run,
    ...(input.name === undefined ? {} : { name: input.name }),
    rows: frame.length,
    parser: hasResponses(frame) ? parser : null,
    ...(noParser.rows === 0 ? {} : { noParser }),
    tasks,
    verdict,
    headline: headline({ analyses, verdict, parser, skipped, plan, asGiven: tasksAsGiven(input, frame) }),
    analyses,
    skipped,
  }
}

function verdictOfRun(
  analyses: readonly ReportedAnalysis[],
  tasks: readonly ReportedTask[],
  plan: PlanProgress | undefined,
): RunVerdict | null {
  const rows = (id: string) => analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
  const accuracy = rows('core/accuracy')
  if (accuracy.length === 0) return null
  const finished = plan === undefined || plan.open === 0
  const [paired, acrossTasks, usage] = [rows('core/paired'), rows('core/across-tasks'), rows('core/usage')]
  return runVerdict({ accuracy, paired, acrossTasks, usage, tasks, finished })
}

/** The tasks of a run whose answers nothing proves. */
function tasksAsGiven({ tasks }: ReportInput, frame: Frame): readonly string[] {
  const given = new Set(tasks.filter((task) => task.asGiven !== undefined).map(({ name }) => name))
  return frame.length === 0 ? [] : frame.category('task').levels.filter((name) => given.has(name))
}

/** Analyses that correct a judge's shares by people's labels, or say themselves that they do not, and those without shares. */
const CORRECTED = /^core\/(?:accuracy|by-feature\/.*|paired|styles|across-tasks|usage|measures)$/u

/** The analyses of a report as they are made. */
class ReportParts {
  readonly analyses: ReportedAnalysis[] = []
  readonly skipped: SkippedAnalysis[] = []
  /** Ids of the analyses that the rows could have. */
  readonly known = new Set<string>()
  private readonly only: readonly string[] | undefined

  constructor(only: readonly string[] | undefined) {
    this.only = only
  }

  skip(id: string, task: Task | null, cause: SkippedAnalysis['cause'], reason: string): void {
    this.skipped.push({ id, task: task?.name ?? null, cause, reason })
  }

  /** A failing analysis costs the report only itself. */
  run(analysis: Analysis, frame: Frame, options: AnalysisOptions, task: Task | null = null): void {
    const { id, title, question = 'difficulty', source = null, notes = [], needs } = analysis
    this.known.add(id)
    if (!isWanted(id, this.only)) return
    const missing = needs.filter((name) => !frame.has(name))
    if (missing.length > 0) {
      this.skip(id, task, 'no-data', `the rows have no ${missing.join(', ')}`)
      return
    }
    try {
      const found = runAnalysis(analysis, frame, options)
      if (found.tables.length === 0) {
        this.skip(id, task, 'no-data', 'the rows have no data for it')
        return
      }
      const { tables, figures = [] } = task?.analyses.includes(analysis) === true ? withChance(found, frame) : found
      const isJudged = !CORRECTED.test(id) && peoplesScores(frame, allRows(frame)) !== null
      const told = isJudged ? [...notes, 'By the labels of a judge, not corrected by those of people.'] : notes
      const one = { id, title, question, task: task?.name ?? null, source, notes: told, tables, figures }
      this.analyses.push(withUniqueIds(one, this.analyses))
    } catch (error) {
      this.skip(id, task, 'error', `it failed: ${String(error)}`)
    }
  }
}

const idsOf = ({ id, tables, figures }: ReportedAnalysis): readonly string[] => [
  id,
  ...tables.map((table) => table.id),
  ...figures.map((figure) => figure.id),
]

/** Tasks may share an analysis and its ids: those of the later task get its name, as ids are anchors and file names. */
function withUniqueIds(made: ReportedAnalysis, before: readonly ReportedAnalysis[]): ReportedAnalysis {
  const { task } = made
  const taken = new Set(before.flatMap(idsOf))
  if (task === null || !idsOf(made).some((id) => taken.has(id))) return made
  const unique = (id: string): string => `${id}/${task}`
  return {
    ...made,
    id: unique(made.id),
    tables: made.tables.map((table) => ({ ...table, id: unique(table.id) })),
    figures: made.figures.map((figure) => ({ ...figure, id: unique(figure.id), table: unique(figure.table) })),
  }
}

function rejectUnknown(run: string, only: readonly string[], known: readonly string[]): never {
  const names = only.map((name) => `${name}${hint(name, known)}`).join(' or ')
  const begin = known.filter((id) => only.some((name) => id.startsWith(name)))
  const there =
    begin.length > 0
      ? begin.join(', ')
      : `ids that start with ${[...new Set(known.map((id) => id.split('/')[0]))].join(', ')}`
  throw new UsageError(`unknown analysis ${names} in a report of ${run}. It has ${there}`)
}

/** Rows of tasks that do not have the parser. */
function rowsWithoutParser(frame: Frame): NonNullable<Report['noParser']> {
  if (!frame.has('status') || !frame.has('task')) return { rows: 0, tasks: [] }
  const [state, task] = [frame.category('status'), frame.category('task')]
  const codes = new Set<number>()
  let rows = 0
  for (const [row, code] of state.codes.entries()) {
    if (code >= 0) continue
    rows++
    codes.add(task.codes[row] as number)
  }
  return { rows, tasks: [...codes].flatMap((code) => task.levels[code] ?? []) }
}

/** Calls that such a run left open are not missing: its rule ended it. */
const endedByRule = ({ until, adapt }: ReportInput): boolean => adapt !== undefined || (until?.verdict ?? null) !== null

/** True for an analysis with one of these ids, or with the start of one. */
export const isWanted = (id: string, only: readonly string[] | undefined): boolean =>
  only === undefined || only.some((prefix) => id === prefix || id.startsWith(`${prefix}/`))

const tasksOf = (frame: Frame, tasks: readonly Task[]): readonly Task[] =>
  frame.has('task') ? frame.category('task').levels.flatMap((name) => tasks.filter((task) => task.name === name)) : []

function memoized<T>(make: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>()
  return (key) => {
    if (!cache.has(key)) cache.set(key, make(key))
    return cache.get(key) as T
  }
}

import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { defined } from '../core/defined.ts'
import { hint, isUsageError, UsageError } from '../core/index.ts'
import { isMetric, type LogRecord, type LogTool, logTool, readLog } from '../extras/exchange/logs/index.ts'
import {
  type ComparedBy,
  type Comparison,
  type ComparisonSide,
  compareMetric,
  compareSides,
  hasResponses,
  type MetricComparison,
  metricsIn,
} from '../report/index.ts'
import type { RunFile } from '../runner/index.ts'
import { inTemporaryFolder, loadFrames, type RunFrames } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { importLogs } from './imports.ts'
import type { compareRequest, Valid } from './requests/index.ts'
import { rejectOptions } from './requests/index.ts'
import { modelNamed } from './responses.ts'
import { noRows, onRun, tasksOf } from './runs.ts'
import { describeDifference, type SetupDifference, setupDifferences } from './setup-differences.ts'

/** A comparison of runs, and what else differs between its sides. */
export type RunComparison = Comparison & { readonly setupDifferences: readonly SetupDifference[] }
/** A comparison by a loglikelihood metric. */
export type RunMeasureComparison = MetricComparison & { readonly setupDifferences: readonly SetupDifference[] }

type Request = Valid<typeof compareRequest>

/**
 * Two runs, two models or two styles on their shared items; with `metric` by that of their loglikelihood items.
 *
 * @throws UsageError where it is not clear what is compared, or the sides share too little for an interval.
 */
export async function compareRuns(
  here: Environment,
  runs: Runs,
  request: Request,
  logPaths: LogPaths = [],
): Promise<RunComparison | RunMeasureComparison> {
  const logs = await logsAmong(runs)
  if (logs.some((one) => one !== null)) return compareLogs(here, runs, logs, request)
  if (request.group !== undefined) throw new UsageError('--group: only for logs')
  const { parser = 'strict', margin, metric, unadjusted } = request
  if (metric !== undefined) return compareByMetric(here, runs, metric, request)
  const [frames, files] = await framesOf(here, runs, request)
  for (const [i, one] of frames.entries()) {
    const frame = one.frame('strict')
    if (frame === null || hasResponses(frame)) continue
    const [first, ...more] = metricsIn(one.columns)
    if (first !== undefined && more.length === 0) return compareByMetric(here, runs, first, request)
    const known = [first, ...more].join(', ')
    throw new UsageError(`${runs[i]} holds metrics and no graded responses. Compare one: --metric (${known})`)
  }
  for (const [i, { parsers }] of frames.entries())
    if (!parsers.includes(parser))
      throw new UsageError(`${runs[i]} has no parser "${parser}"; it has ${parsers.join(', ')}`)
  const [a, b, axis] = sidesOf(runs, frames, request, logPaths)
  const found = compareSides(a, b, axis, tasksOf(here, frames), { parser, ...defined({ margin, unadjusted }) })
  const differences = setupDifferences([a, files[0]], [b, files[1]])
  if (found !== null) return { ...found, setupDifferences: differences }
  throw new UsageError(
    `${a.name} and ${b.name} share no items parsed by ${parser}. Use the same task, version, preset, seed and split${setupText(differences)}`,
  )
}

/** The programs that wrote the files among some runs. */
async function logsAmong(runs: Runs): Promise<readonly (LogTool | null)[]> {
  const tools: (LogTool | null)[] = []
  for (const path of runs)
    tools.push(statSync(path, { throwIfNoEntry: false })?.isFile() === true ? await logTool(path) : null)
  return tools
}

/** Logs are imported into folders that are deleted afterwards. */
async function compareLogs(
  here: Environment,
  runs: Runs,
  logs: readonly (LogTool | null)[],
  { group, ...request }: Request,
): Promise<RunComparison | RunMeasureComparison> {
  const folders: string[] = []
  // Logs of several models, and errors, are named by their paths.
  const named = (text: string): string =>
    folders.reduce((renamed, folder, i) => renamed.replaceAll(folder, runs[i] as string), text)
  return inTemporaryFolder(tmpdir(), 'touchstone-logs-', async (place) => {
    const records: (readonly LogRecord[])[] = []
    for (const [i, path] of runs.entries()) {
      const tool = logs[i]
      records.push(tool == null ? [] : await readLog(tool, path, undefined))
    }
    const measured = isMetric(records.flat())
    for (const [i, path] of runs.entries()) {
      const out = join(place, String(i))
      const options = { out, measured, ...defined({ group }) }
      if (logs[i] != null) await importLogs(here, [path], records[i] as readonly LogRecord[], options)
      folders.push(logs[i] == null ? path : out)
    }
    const paths = runs.map((path, i) => (logs[i] == null ? null : path))
    const metric =
      request.metric ?? (measured ? records.flat().find(({ scores }) => scores.length > 0)?.scores[0]?.[0] : undefined)
    const found = await compareRuns(here, folders as unknown as Runs, { ...request, ...defined({ metric }) }, paths)
    return JSON.parse(JSON.stringify(found), (_, value: unknown) => (typeof value === 'string' ? named(value) : value))
  }).catch((error: unknown) => {
    throw isUsageError(error) ? new UsageError(named(error.message), { cause: error }) : error
  })
}

type Runs = readonly [string] | readonly [string, string]
/** For each run, the log that it was read from; null: none. */
type LogPaths = readonly (string | null)[]

async function compareByMetric(
  here: Environment,
  runs: Runs,
  metric: string,
  request: Request,
): Promise<RunMeasureComparison> {
  rejectOptions(
    request,
    ['parser', 'margin', 'unadjusted'],
    'loglikelihood items have no parser, margin or other pairs',
  )
  const [frames, files] = await framesOf(here, runs, request)
  for (const [i, { columns }] of frames.entries()) {
    const known = metricsIn(columns)
    if (known.length === 0) throw new UsageError(`--metric: ${runs[i]} holds no loglikelihood items`)
    if (!known.includes(metric))
      throw new UsageError(`${runs[i]} has no metric "${metric}"${hint(metric, known)}; it has ${known.join(', ')}`)
  }
  const [a, b, axis] = sidesOf(runs, frames, request)
  const found = compareMetric(a, b, axis, tasksOf(here, frames), metric)
  const differences = setupDifferences([a, files[0]], [b, files[1]])
  if (found.effects.length > 0) return { ...found, setupDifferences: differences }
  throw new UsageError(
    `${a.name} and ${b.name} share items with ${metric} of fewer than 2 groups. Use the same task, version, preset, seed and split${setupText(differences)}`,
  )
}

/** Why two runs may share nothing. */
const setupText = (differences: readonly SetupDifference[]): string =>
  differences
    .filter(({ what }) => what === 'version')
    .map((one) => `; ${describeDifference(one)}`)
    .join('')

async function framesOf(
  here: Environment,
  runs: readonly string[],
  { where }: Request,
): Promise<readonly [frames: readonly RunFrames[], files: readonly [RunFile, RunFile]]> {
  const found = []
  for (const run of runs) found.push(await rowsOf(here, run, where))
  const [first, second = first] = found.map(({ file }) => file) as [RunFile, RunFile?]
  return [found.map(({ frames }) => frames), [first, second]]
}

async function rowsOf(
  here: Environment,
  dir: string,
  where: string | undefined,
): Promise<{ readonly frames: RunFrames; readonly file: RunFile }> {
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const frames = await loadFrames(run, defined({ where }))
    if (frames.length === 0) throw new UsageError(await noRows(run, where, frames))
    return { frames, file: run.file }
  })
}

function sidesOf(
  runs: readonly string[],
  frames: readonly RunFrames[],
  { models: wanted = [], styles: wantedStyles = [] }: Request,
  logPaths: LogPaths = [],
): readonly [ComparisonSide, ComparisonSide, ComparedBy] {
  const [first, second = first] = frames as [RunFrames, RunFrames?]
  if (wanted.length > 2 || wantedStyles.length > 2)
    throw new UsageError('at most two models, or two styles, can be compared. Give --model or --style twice')
  if (runs.length === 1 && wanted.length === 2 && wantedStyles.length === 2)
    throw new UsageError('compare two models or two styles of a run, not both at once')
  // Two runs may have been asked in different styles, such as people without an answer format.
  const styles = wantedStyles.length === 0 ? onlyTwo(first, second, 'style') : wantedStyles
  const chosen = wanted.length === 0 && styles.length === 2 ? onlyTwo(first, second, 'model') : wanted
  const models = chosen.map((name, i) => modelNamed(name, names(i === 0 ? first : second, 'model')))
  for (const [what, [a, b]] of [
    ['model', models],
    ['style', styles],
  ] as const)
    if (runs.length === 1 && a !== undefined && a === b)
      throw new UsageError(`a ${what} cannot be compared with itself. Name two, or two runs`)
  for (const [i, style] of styles.entries()) requireStyle(names(i === 0 ? first : second, 'style'), style)
  const shared = names(first, 'model').filter((name) => names(second, 'model').includes(name))
  const some =
    models.length === 0 &&
    runs.length === 2 &&
    [first, second].some((one) => names(one, 'model').length > shared.length)
  const runNames = namesOfRuns(runs, frames, logPaths)
  const side = (i: 0 | 1): ComparisonSide => {
    const [model, style] = [models[i] ?? models[0], styles[i] ?? styles[0]]
    const parts = [
      ...(runs.length === 2 ? [runNames[i] as string] : []),
      ...(models.length === 2 ? [model] : []),
      ...(styles.length === 2 ? [style] : []),
      // Only the shared models of the runs are compared.
      ...(some && shared.length > 0 ? [`(${shared.join(', ')})`] : []),
    ]
    return {
      name: [...new Set(parts)].join(' '),
      frames: i === 0 ? first : second,
      ...defined({ model, style }),
    }
  }
  const ofRuns = models.length > 0 || sameModels(first, second) ? 'run' : oneEach(first, second)
  if (styles.length === 2) return [side(0), side(1), 'style']
  if (models.length === 2) return [side(0), side(1), 'model']
  if (runs.length === 2) return [side(0), side(1), ofRuns]
  const found = names(first, 'model')
  const [a, b, ...more] = found
  if (a !== undefined && b !== undefined && more.length === 0)
    return [{ ...side(0), name: a, model: a }, { ...side(1), name: b, model: b }, 'model']
  throw new UsageError(
    `${runs[0]} has ${found.length === 1 ? 'one model' : `${found.length} models`}. Name two (--model A --model B), two styles (--style A --style B), or a second run. Models: ${found.join(', ')}`,
  )
}

/** A log of one model is named by that model; two logs of the same model are told apart by the part of their paths that differs. */
function namesOfRuns(runs: readonly string[], frames: readonly RunFrames[], logPaths: LogPaths): readonly string[] {
  const found = runs.map((run, i) => {
    const [model, ...others] = logPaths[i] == null ? [] : names(frames[i] as RunFrames, 'model')
    return model === undefined || others.length > 0 ? run : model
  })
  if (found.length < 2 || found[0] !== found[1]) return found
  const [a = [], b = []] = logPaths.map((path) => resolve(path ?? '').split(sep))
  const start = a.findIndex((part, k) => part !== b[k])
  const end = [...a].reverse().findIndex((part, k) => part !== b.at(-1 - k))
  return found.map((model, i) => {
    const parts = [a, b][i] ?? []
    return `${model} (${parts.slice(start, parts.length - end).join('/') || logPaths[i]})`
  })
}

const sameModels = (a: RunFrames, b: RunFrames): boolean =>
  names(a, 'model').some((name) => names(b, 'model').includes(name))

/** Runs of one model each are compared whatever the names of the models. */
function oneEach(a: RunFrames, b: RunFrames): ComparedBy {
  const [mine, theirs] = [names(a, 'model'), names(b, 'model')]
  if (mine.length === 1 && theirs.length === 1) return 'model'
  throw new UsageError(
    `the runs share no model. Choose one of each: --model (${mine.join(', ')}) --model (${theirs.join(', ')})`,
  )
}

/** The names that two runs have, if each has one and they differ; otherwise none. */
function onlyTwo(a: RunFrames, b: RunFrames, column: 'model' | 'style'): readonly string[] {
  const found = [...names(a, column), ...names(b, column)]
  return found.length === 2 && names(a, column).length === 1 && found[0] !== found[1] ? found : []
}

const names = (frames: RunFrames, column: 'model' | 'style'): readonly string[] =>
  frames.frame('strict')?.category(column).levels ?? []

function requireStyle(known: readonly string[], name: string): void {
  if (!known.includes(name))
    throw new UsageError(`unknown style "${name}"${hint(name, known)}; the run has ${known.join(', ')}`)
}

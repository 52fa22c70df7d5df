import { hint, UsageError } from '../core/index.ts'
import type { ComparedBy, Comparison, ComparisonSide, MetricComparison } from '../report/index.ts'
import type { RunFile } from '../runner/index.ts'
import type { RunFrames } from '../store/index.ts'
import type { Installed } from './installed.ts'
import { noRows, onRun } from './runs.ts'
import { type Unlike, unlikeOf, unlikeWords } from './unlike.ts'

/** A comparison of runs, and what else is not the same on both sides. */
export type RunComparison = Comparison & { readonly unlike: readonly Unlike[] }
/** The same of what strings were measured by. */
export type RunMeasureComparison = MetricComparison & { readonly unlike: readonly Unlike[] }

/** Whose answers or scored strings are compared. */
export interface CompareSides {
  /** One model for both runs, or two that are compared. */
  readonly models?: readonly string[]
  /** One style for both, or two that are compared. */
  readonly styles?: readonly string[]
  /** A SQL condition over the columns of the rows. */
  readonly where?: string
}

/** What of two runs is compared. */
export interface CompareRequest extends CompareSides {
  /** Whose verdicts count; left out: `strict`. */
  readonly parser?: string
  /** How much worse B may be, 0..1: the verdict says whether that holds. */
  readonly margin?: number
}

/**
 * Two runs, two models or two styles on the items that both were asked.
 *
 * @throws UsageError where it is not clear what is compared, or the sides share too little for an interval.
 */
export async function compareRuns(
  here: Installed,
  runs: readonly [string] | readonly [string, string],
  request: CompareRequest = {},
): Promise<RunComparison> {
  const { compareSides, metricsIn, hasResponses } = await import('../report/index.ts')
  const { parser = 'strict', margin } = request
  const [frames, files] = await framesOf(here, runs, request)
  for (const [i, one] of frames.entries()) {
    const frame = one.frame('strict')
    if (frame !== null && !hasResponses(frame))
      throw new UsageError(
        `${runs[i]} holds scored strings, which no parser reads: name what to compare with \`measure\`; there are ${metricsIn(one.columns).join(', ')}`,
      )
  }
  for (const [i, { parsers }] of frames.entries())
    if (!parsers.includes(parser))
      throw new UsageError(`no row of ${runs[i]} was read by the parser ${parser}; there are ${parsers.join(', ')}`)
  const [a, b, axis] = sidesOf(runs, frames, request)
  const found = compareSides(a, b, axis, here.tasks, { parser, ...(margin === undefined ? {} : { margin }) })
  const unlike = unlikeOf([a, files[0]], [b, files[1]])
  if (found !== null) return { ...found, unlike }
  throw new UsageError(
    `${a.name} and ${b.name} share no two groups of items that the parser ${parser} has read: compare runs of the same items (task, version, config, seed, split)${inWords(unlike)}`,
  )
}

/** What of two runs of scored strings is compared. */
export interface CompareMeasureRequest extends CompareSides {
  /** By its name in the rows without `measured_`, such as `natsPerTerminal`. */
  readonly measure: string
}

/**
 * Two runs, two models or two styles by a measure of the strings that both have scored.
 *
 * @throws UsageError where it is not clear what is compared, no string has the measure, or the sides share too little for an
 * interval.
 */
export async function compareMeasured(
  here: Installed,
  runs: readonly [string] | readonly [string, string],
  request: CompareMeasureRequest,
): Promise<RunMeasureComparison> {
  const { compareMetric, metricsIn } = await import('../report/index.ts')
  const { measure } = request
  const [frames, files] = await framesOf(here, runs, request)
  for (const [i, { columns }] of frames.entries()) {
    const known = metricsIn(columns)
    if (known.length === 0) throw new UsageError(`${runs[i]} holds no scored strings: leave out \`measure\``)
    if (!known.includes(measure))
      throw new UsageError(
        `no string of ${runs[i]} has the measure "${measure}"${hint(measure, known)}; there are ${known.join(', ')}`,
      )
  }
  const [a, b, axis] = sidesOf(runs, frames, request)
  const found = compareMetric(a, b, axis, here.tasks, measure)
  const unlike = unlikeOf([a, files[0]], [b, files[1]])
  if (found.effects.length > 0) return { ...found, unlike }
  throw new UsageError(
    `${a.name} and ${b.name} share no two groups of strings with ${measure}: compare runs of the same items (task, version, config, seed, split)${inWords(unlike)}`,
  )
}

/** Why there may be nothing that both have. */
const inWords = (unlike: readonly Unlike[]): string =>
  unlike
    .filter(({ what }) => what === 'version')
    .map((one) => `; ${unlikeWords(one)}`)
    .join('')

async function framesOf(
  here: Installed,
  runs: readonly string[],
  { where }: CompareSides,
): Promise<readonly [frames: readonly RunFrames[], files: readonly [RunFile, RunFile]]> {
  const found = []
  for (const run of runs) found.push(await rowsOf(here, run, where))
  const [first, second = first] = found.map(({ file }) => file) as [RunFile, RunFile?]
  return [found.map(({ frames }) => frames), [first, second]]
}

async function rowsOf(
  here: Installed,
  dir: string,
  where: string | undefined,
): Promise<{ readonly frames: RunFrames; readonly file: RunFile }> {
  const { loadFrames } = await import('../store/index.ts')
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const frames = await loadFrames(run, where === undefined ? {} : { where })
    if (frames.length === 0) throw new UsageError(await noRows(run, where, frames))
    return { frames, file: run.file }
  })
}

function sidesOf(
  runs: readonly string[],
  frames: readonly RunFrames[],
  { models = [], styles = [] }: CompareSides,
): readonly [ComparisonSide, ComparisonSide, ComparedBy] {
  const [first, second = first] = frames as [RunFrames, RunFrames?]
  if (models.length > 2 || styles.length > 2) throw new UsageError('two models, or two styles, are compared at a time')
  if (models.length === 2 && styles.length === 2)
    throw new UsageError('compare two models or two styles, not both at once')
  for (const [what, [a, b]] of [
    ['model', models],
    ['style', styles],
  ] as const)
    if (runs.length === 1 && a !== undefined && a === b)
      throw new UsageError(`a ${what} cannot be compared with itself: name two, or two runs`)
  for (const [i, model] of models.entries()) need(i === 0 ? first : second, 'model', model)
  for (const [i, style] of styles.entries()) need(i === 0 ? first : second, 'style', style)
  const shared = names(first, 'model').filter((name) => names(second, 'model').includes(name))
  const some =
    models.length === 0 &&
    runs.length === 2 &&
    [first, second].some((one) => names(one, 'model').length > shared.length)
  const side = (i: 0 | 1): ComparisonSide => {
    const [model, style] = [models[i] ?? models[0], styles[i] ?? styles[0]]
    const parts = [
      ...(runs.length === 2 ? [runs[i] as string] : []),
      ...(models.length === 2 ? [model] : []),
      ...(styles.length === 2 ? [style] : []),
      // A run with other models beside is not compared as a whole.
      ...(some && shared.length > 0 ? [`(${shared.join(', ')})`] : []),
    ]
    return {
      name: parts.join(' '),
      frames: i === 0 ? first : second,
      ...(model === undefined ? {} : { model }),
      ...(style === undefined ? {} : { style }),
    }
  }
  if (models.length === 2) return [side(0), side(1), 'model']
  if (styles.length === 2) return [side(0), side(1), 'style']
  if (runs.length === 2)
    return [side(0), side(1), sameModels(first, second) || models.length === 1 ? 'run' : oneEach(first, second)]
  const found = names(first, 'model')
  const [a, b, ...more] = found
  if (a !== undefined && b !== undefined && more.length === 0)
    return [{ ...side(0), name: a, model: a }, { ...side(1), name: b, model: b }, 'model']
  throw new UsageError(
    `${runs[0]} has ${found.length === 1 ? 'one model' : `${found.length} models`}: name two with \`models\`, or two styles with \`styles\`, or a second run. Models: ${found.join(', ')}`,
  )
}

const sameModels = (a: RunFrames, b: RunFrames): boolean =>
  names(a, 'model').some((name) => names(b, 'model').includes(name))

/** Runs of one model each are compared whatever the models are called. */
function oneEach(a: RunFrames, b: RunFrames): ComparedBy {
  const [mine, theirs] = [names(a, 'model'), names(b, 'model')]
  if (mine.length === 1 && theirs.length === 1) return 'model'
  throw new UsageError(
    `the runs have no model in common: name one of each with \`models\`: one of ${mine.join(', ')}, and one of ${theirs.join(', ')}`,
  )
}

const names = (frames: RunFrames, column: 'model' | 'style'): readonly string[] =>
  frames.frame('strict')?.category(column).levels ?? []

function need(frames: RunFrames, column: 'model' | 'style', name: string): void {
  const known = names(frames, column)
  if (!known.includes(name))
    throw new UsageError(`no row is of the ${column} "${name}"${hint(name, known)}; there are ${known.join(', ')}`)
}

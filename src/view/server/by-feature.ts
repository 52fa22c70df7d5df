import { type Frame, type Json, UsageError } from '../../core/index.ts'
import { MIN_SHOWN_ITEMS } from '../../libraries/statistics/group-counts.ts'
import {
  clusterCodes,
  correctness,
  inOneGroup,
  type Part,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import { accuracyOver } from '../../report/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { type ByFeature, byFeature, type Parameters } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import {
  type ExportedRun,
  modelPageNumber,
  modelPageOf,
  ofModels,
  parserIn,
  queryOf,
  runDocument,
} from './run-document.ts'
import { featureReader } from './subset.ts'

/** Most values of a feature that are shown one by one; more are binned. */
const MAX_VALUES = 8
/** Most bins, and items in each at least. */
const [BINS, LEAST] = [6, 10]

/** Stretches of about equal count over the values of a feature, each standing at the value in its middle. Equal values stay together. */
export function equalCountBins(counts: ReadonlyMap<number, number>): ByFeature['bins'] {
  const values = [...counts].sort(([a], [b]) => a - b)
  const target = Math.max(LEAST, values.reduce((sum, [, n]) => sum + n, 0) / BINS)
  const found: (readonly [number, number])[][] = []
  let inside = target
  for (const [value, n] of values) {
    if (inside >= target) {
      found.push([])
      inside = 0
    }
    found.at(-1)?.push([value, n])
    inside += n
  }
  // What is left at the end belongs to the bin before.
  if (inside < LEAST && found.length > 1) found.at(-2)?.push(...(found.pop() ?? []))
  return found.map((inside) => ({
    at: middle(inside),
    low: inside[0]?.[0] ?? 0,
    high: inside.at(-1)?.[0] ?? 0,
  }))
}

/** The value up to which half of the rows lie. */
function middle(inside: readonly (readonly [number, number])[]): number {
  const half = inside.reduce((sum, [, n]) => sum + n, 0) / 2
  let before = 0
  for (const [value, n] of inside) {
    before += n
    if (before >= half) return value
  }
  return inside.at(-1)?.[0] ?? 0
}

export interface ByFeatureRequest {
  readonly x: string
  /** null: curves over x alone. */
  readonly y: string | null
  readonly parser: string
  /** null: all tasks with the features. */
  readonly task: string | null
  readonly modelPage: number
}

/** Most cells of a grid. */
const CELLS = 4000

/** The rows of one model at one level of each feature. */
export interface ByFeaturePart {
  readonly model: string
  readonly x: Json
  readonly y: Json
  readonly rows: Int32Array
}

/** Rows of a run by one or two features. */
export interface ByFeatureParts {
  readonly frames: RunFrames
  readonly frame: Frame
  /** By row: 1 correct, 0 incorrect, NaN neither. */
  readonly right: Float64Array
  readonly bins: ByFeature['bins']
  readonly parts: readonly ByFeaturePart[]
}

/** Accuracy of each model at each level of one or two features, clustered as in the report. */
export async function byFeatureOf(viewed: ViewedRun, request: ByFeatureRequest): Promise<ByFeature> {
  const { x, y, parser } = request
  return viewed.remembered(`by-feature ${JSON.stringify(request)}`, async () => {
    const { frame, right, bins, parts } = await byFeatureParts(viewed, request)
    const cells = parts.flatMap(({ rows, ...at }) => {
      const found = shareOf(frame, right, rows)
      return found === null ? [] : [{ ...at, ...found }]
    })
    return { schema: 'touchstone/view-by-feature/1' as const, x, y, parser, bins, cells }
  })
}

/** The accuracy over some rows, and how many groups they are of; null: none is graded. */
export function shareOf(frame: Frame, right: Float64Array, rows: Int32Array, level?: number) {
  const share = accuracyOver(frame, right, rows, level)
  const groups = inOneGroup(frame, rows) ? 1 : new Set(clusterCodes(frame, rows, take(right, rows))).size
  return share === null ? null : { share, groups }
}

/** @throws UsageError for features and parsers that it does not have, and for too many cells. */
export async function byFeatureParts(
  viewed: ViewedRun,
  { x, y, parser, task, modelPage }: ByFeatureRequest,
): Promise<ByFeatureParts> {
  const all = await viewed.frames()
  const named = y === null ? [x] : [x, y]
  const models = modelPageOf(viewed, modelPage)
  const frames = await ofModels(viewed, JSON.stringify(task), task === null ? all : all.ofTask(task), models)
  const frame = frames.frame(parser)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  const readers = new Map(named.map((name) => [name, featureReader(frames, name)]))
  const at = ({ key }: Part, name: string): Json => readers.get(name)?.read(key[`feature_${name}`] ?? null) ?? null
  const single = partition(frame, ['model', ...named.map((name) => `feature_${name}`)])
  const bins = y === null ? binsOver(single, (part) => at(part, x)) : []
  const joined = bins.length === 0 ? single : together(single, (part) => placeIn(bins, at(part, x)))
  if (joined.length > CELLS)
    throw new UsageError(
      `${named.join(' x ')} has ${joined.length} combinations, too many to show. Choose features with fewer levels`,
    )
  const right = correctness(scores(frame))
  const parts = joined.flatMap((part) => {
    // Items without the feature have no level.
    if (named.some((name) => (part.key[`feature_${name}`] ?? null) === null)) return []
    const rows = rowsWhere(part.rows, (row) => !Number.isNaN(right[row]))
    if (rows.length === 0) return []
    const place = { x: placeIn(bins, at(part, x)), y: y === null ? null : at(part, y) }
    return [{ model: String(part.key['model']), ...place, rows }]
  })
  return { frames, frame, right, bins, parts }
}

function binsOver(parts: readonly Part[], at: (part: Part) => Json): ByFeature['bins'] {
  const counts = new Map<number, number>()
  const models = new Set(parts.map(({ key }) => key['model'])).size
  for (const part of parts) {
    const value = at(part)
    if (typeof value === 'number') counts.set(value, (counts.get(value) ?? 0) + part.rows.length / models)
    else if (value !== null) return []
  }
  const rare = [...counts.values()].some((n) => n < MIN_SHOWN_ITEMS)
  return counts.size > MAX_VALUES || (rare && counts.size > 2) ? equalCountBins(counts) : []
}

const placeIn = (bins: ByFeature['bins'], value: Json): Json =>
  bins.find(({ low, high }) => typeof value === 'number' && low <= value && value <= high)?.at ?? value

/** Joins the parts of one model in one bin. */
const together = (parts: readonly Part[], at: (part: Part) => Json): Part[] =>
  [...Map.groupBy(parts, (part) => JSON.stringify([part.key['model'], at(part)])).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, rows: rowsOf(same) }]
  })

/** The rows of some parts, in their order. */
export function rowsOf(parts: readonly Pick<Part, 'rows'>[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { rows }) => sum + rows.length, 0))
  let end = 0
  for (const { rows } of parts) {
    all.set(rows, end)
    end += rows.length
  }
  return all.sort()
}

export const byFeatureRequest = (query: URLSearchParams): ByFeatureRequest => ({
  x: query.get('x') ?? '',
  y: query.get('y'),
  parser: parserIn(query),
  task: query.get('task'),
  modelPage: modelPageNumber(query.get('models')),
})

/** What the page asks for first: each feature by itself, in every task that has it, for every page of models. */
export const exportedByFeature = ({ outline, features, modelPages }: ExportedRun): readonly Parameters[] =>
  modelPages.flatMap((models) =>
    features.flatMap(({ name: x, tasks }) =>
      (outline.run.tasks.length > 1 ? tasks : [null]).map((task) => queryOf({ x, task, models })),
    ),
  )

export const byFeatureDocument = runDocument({
  schema: byFeature,
  answer: (viewed, query) => byFeatureOf(viewed, byFeatureRequest(query)),
  exported: exportedByFeature,
})

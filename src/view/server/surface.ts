import { type Json, UsageError } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredShare,
  correctness,
  inOneGroup,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../stats/index.ts'
import type { SurfaceDocument } from '../api/index.ts'
import { batchOf, ofModels } from './batch.ts'
import { featureReader } from './features.ts'
import type { ViewedRun } from './open-runs.ts'

export interface SurfaceRequest {
  readonly x: string
  /** null: a curve instead of a surface. */
  readonly y: string | null
  readonly parser: string
  /** null: all tasks that have the features. */
  readonly task: string | null
  /** Which of the batches of models, from 0. */
  readonly batch: number
}

/** More cells than this are no picture. */
const CELLS = 4000

/** Accuracy of each model in each cell of one or two features, with n and interval: clustered, as in the report. */
export async function surfaceOf(
  viewed: ViewedRun,
  { x, y, parser, task, batch }: SurfaceRequest,
): Promise<SurfaceDocument> {
  const frames = await viewed.frames()
  const named = y === null ? [x] : [x, y]
  const empty = { schema: 'touchstone/view-surface/1' as const, x, y, parser, cells: [] }
  if (frames === null) return empty
  const models = batchOf(viewed, batch)
  const mine = await ofModels(viewed, JSON.stringify(task), task === null ? frames : frames.ofTask(task), models)
  const frame = mine.frame(parser)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  const readers = new Map(
    await Promise.all(named.map(async (name) => [name, await featureReader(viewed, frame, name)] as const)),
  )
  return viewed.remembered(`surface ${JSON.stringify([x, y, parser, task, models])}`, () => {
    const right = correctness(scores(frame))
    const parts = partition(frame, ['model', ...named.map((name) => `feature_${name}`)])
    if (parts.length > CELLS)
      throw new UsageError(
        `${named.join(' x ')} has ${parts.length} cells, more than can be seen: choose features with fewer levels`,
      )
    const cells = parts.flatMap(({ key, rows }) => {
      // Items of a task without the feature lie nowhere.
      if (named.some((name) => (key[`feature_${name}`] ?? null) === null)) return []
      const used = rowsWhere(rows, (row) => !Number.isNaN(right[row]))
      if (used.length === 0) return []
      const clusters = clusterCodes(frame, used)
      const share = clusteredShare(take(right, used), clusters)
      if (share === null) return []
      const at = (name: string): Json => readers.get(name)?.(key[`feature_${name}`] ?? null) ?? null
      const groups = inOneGroup(frame, used) ? 1 : new Set(clusters).size
      return [{ model: String(key['model']), x: at(x), y: y === null ? null : at(y), share, groups }]
    })
    return Promise.resolve({ ...empty, cells })
  })
}

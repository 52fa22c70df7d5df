import { type Json, UsageError } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredShare,
  correctness,
  inOneGroup,
  type Part,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../stats/index.ts'
import type { SurfaceDocument } from '../api/index.ts'
import { batchOf, ofModels } from './batch.ts'
import { featureReader } from './features.ts'
import type { ViewedRun } from './open-runs.ts'
import { MOST_VALUES, stretchesOf } from './stretches.ts'

export interface SurfaceRequest {
  readonly x: string
  /** null: a curve instead of a surface. */
  readonly y: string | null
  /** Is every value of a curve to stand by itself, however many there are? */
  readonly each: boolean
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
  { x, y, each, parser, task, batch }: SurfaceRequest,
): Promise<SurfaceDocument> {
  const frames = await viewed.frames()
  const named = y === null ? [x] : [x, y]
  const empty = { schema: 'touchstone/view-surface/1' as const, x, y, parser, stretches: [], cells: [] }
  if (frames === null) return empty
  const models = batchOf(viewed, batch)
  const mine = await ofModels(viewed, JSON.stringify(task), task === null ? frames : frames.ofTask(task), models)
  const frame = mine.frame(parser)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  const readers = new Map(
    await Promise.all(named.map(async (name) => [name, await featureReader(viewed, frame, name)] as const)),
  )
  return viewed.remembered(`surface ${JSON.stringify([x, y, each, parser, task, models])}`, () => {
    const right = correctness(scores(frame))
    const at = ({ key }: Part, name: string): Json => readers.get(name)?.(key[`feature_${name}`] ?? null) ?? null
    const single = partition(frame, ['model', ...named.map((name) => `feature_${name}`)])
    const stretches = y === null && !each ? stretchesOver(single, (part) => at(part, x)) : []
    const parts = stretches.length === 0 ? single : together(single, (part) => placeIn(stretches, at(part, x)))
    if (parts.length > CELLS)
      throw new UsageError(
        `${named.join(' x ')} has ${parts.length} cells, more than can be seen: choose features with fewer levels`,
      )
    const cells = parts.flatMap((part) => {
      const { key, rows } = part
      // Items of a task without the feature lie nowhere.
      if (named.some((name) => (key[`feature_${name}`] ?? null) === null)) return []
      const used = rowsWhere(rows, (row) => !Number.isNaN(right[row]))
      if (used.length === 0) return []
      const clusters = clusterCodes(frame, used)
      const share = clusteredShare(take(right, used), clusters)
      if (share === null) return []
      const groups = inOneGroup(frame, used) ? 1 : new Set(clusters).size
      return [
        {
          model: String(key['model']),
          x: placeIn(stretches, at(part, x)),
          y: y === null ? null : at(part, y),
          share,
          groups,
        },
      ]
    })
    return Promise.resolve({ ...empty, stretches, cells })
  })
}

/** What values of a number are put together; none where they are few, or no numbers. */
function stretchesOver(parts: readonly Part[], at: (part: Part) => Json): SurfaceDocument['stretches'] {
  const counts = new Map<number, number>()
  for (const part of parts) {
    const value = at(part)
    if (typeof value === 'number') counts.set(value, (counts.get(value) ?? 0) + part.rows.length)
    else if (value !== null) return []
  }
  return counts.size > MOST_VALUES ? stretchesOf(counts) : []
}

const placeIn = (stretches: SurfaceDocument['stretches'], value: Json): Json =>
  stretches.find(({ low, high }) => typeof value === 'number' && low <= value && value <= high)?.at ?? value

/** Parts of one model that stand at one place, as one. */
const together = (parts: readonly Part[], at: (part: Part) => Json): Part[] =>
  [...Map.groupBy(parts, (part) => JSON.stringify([part.key['model'], at(part)])).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const rows = new Int32Array(same.reduce((sum, part) => sum + part.rows.length, 0))
    let end = 0
    for (const part of same) {
      rows.set(part.rows, end)
      end += part.rows.length
    }
    return [{ ...first, rows: rows.sort() }]
  })

import { UsageError } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredGap,
  clusteredShare,
  correctness,
  inOneGroup,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import { type CutDocument, type ItemsFilter, parametersOf } from '../api/index.ts'
import { levelOf, requireCut } from './chosen.ts'
import type { ViewedRun } from './open-runs.ts'
import { APART, INSIDE, OUTSIDE, sidesOf } from './sides.ts'

/** What is shown of one model, by whether its rows are inside. */
type ModelCut = CutDocument['models'][number]

/**
 * Every model on the items that a filter chooses by what they are, and on all others with the same features. Intervals are for the last of
 * `looks` choices: each holds with 1 - 0.05 / looks, so that all of them hold together with 95 %.
 */
export async function cutOf(viewed: ViewedRun, filter: ItemsFilter, looks: number): Promise<CutDocument> {
  requireCut(filter)
  const { parser = 'strict' } = filter
  const none: CutDocument = { schema: 'touchstone/view-cut/1', parser, looks, models: [] }
  const all = await viewed.frames()
  if (all === null) return none
  // Beside items with a feature lie those of the same task, beside a task the others.
  const { task, feature } = filter
  const frames = task === undefined || feature.length === 0 ? all : all.ofTask(task)
  const frame = frames.frame(parser)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  const sides = await sidesOf(viewed, frames, frame, filter)
  return viewed.remembered(`cut ${JSON.stringify([parametersOf(filter), looks])}`, () => {
    const right = correctness(scores(frame))
    const level = levelOf(looks)
    const models = partition(frame, ['model']).map(({ key, rows }): ModelCut => {
      const used = rowsWhere(rows, (row) => sides[row] !== APART && !Number.isNaN(right[row]))
      const part = (side: number): ModelCut['inside'] => {
        const mine = rowsWhere(used, (row) => sides[row] === side)
        const own = take(right, mine)
        const clusters = clusterCodes(frame, mine, own)
        const share = clusteredShare(own, clusters, level)
        return share === null ? null : { share, groups: inOneGroup(frame, mine) ? 1 : new Set(clusters).size }
      }
      const found = clusteredGap(take(right, used), take(sides, used), clusterCodes(frame, used), level)
      const gap = found === null ? null : { difference: found.gap, p: found.p }
      return { model: String(key['model']), inside: part(INSIDE), outside: part(OUTSIDE), gap }
    })
    return Promise.resolve({ ...none, models })
  })
}

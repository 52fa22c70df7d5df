import { UsageError } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredGap,
  correctness,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import { type ItemsFilter, parametersOf, type SubsetAndRest, subsetAndRest } from '../api/index.ts'
import { shareOf } from './by-feature.ts'
import type { ViewedRun } from './open-runs.ts'
import { filterIn, runDocument } from './run-document.ts'
import { APART, confidenceOf, INSIDE, OUTSIDE, requireSubset, sidesOf } from './subset.ts'

type ModelShares = SubsetAndRest['models'][number]

/** Every model in a subset and in the rest of the items with the same features. Each interval holds with 1 - 0.05 / views. */
export async function subsetAndRestOf(viewed: ViewedRun, filter: ItemsFilter, views: number): Promise<SubsetAndRest> {
  requireSubset(filter)
  const { parser = 'strict' } = filter
  const all = await viewed.frames()
  // The rest of a subset by feature is of the same task.
  const { task, feature } = filter
  const frames = task === undefined || feature.length === 0 ? all : all.ofTask(task)
  const frame = frames.frame(parser)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  const sides = sidesOf(frames, frame, filter)
  return viewed.remembered(`subset and rest ${JSON.stringify([parametersOf(filter), views])}`, () => {
    const right = correctness(scores(frame))
    const level = confidenceOf(views)
    const models = partition(frame, ['model']).map(({ key, rows }): ModelShares => {
      const used = rowsWhere(rows, (row) => sides[row] !== APART && !Number.isNaN(right[row]))
      const part = (side: number) =>
        shareOf(
          frame,
          right,
          rowsWhere(used, (row) => sides[row] === side),
          level,
        )
      const found = clusteredGap(take(right, used), take(sides, used), clusterCodes(frame, used), level)
      const gap = found === null ? null : { difference: found.gap, p: found.p }
      return { model: String(key['model']), inside: part(INSIDE), outside: part(OUTSIDE), gap }
    })
    return Promise.resolve({ schema: 'touchstone/view-subset-and-rest/1' as const, parser, views, models })
  })
}

export const subsetAndRestDocument = runDocument({
  schema: subsetAndRest,
  answer(viewed, query) {
    const { filter, views } = filterIn(query)
    return subsetAndRestOf(viewed, filter, views)
  },
})

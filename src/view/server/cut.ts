import { type Frame, UsageError } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredGap,
  clusteredShare,
  correctness,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../stats/index.ts'
import { type CutDocument, conditionsByFeature, type ItemsFilter, isCut, keeps, parametersOf } from '../api/index.ts'
import { featureReader } from './features.ts'
import type { ViewedRun } from './open-runs.ts'

/** What is shown of one model, by whether its rows are inside. */
type ModelCut = CutDocument['models'][number]

/**
 * Every model on the items that a filter chooses by what they are, and on all others with the same features. Intervals are for the last of
 * `looks` choices: each holds with 1 - 0.05 / looks, so that all of them hold together with 95 %.
 */
export async function cutOf(viewed: ViewedRun, filter: ItemsFilter, looks: number): Promise<CutDocument> {
  if (!isCut(filter))
    throw new UsageError(
      'who chooses items by what was answered chooses the shares: choose by task, style, config or feature',
    )
  const { parser } = filter
  const none: CutDocument = { schema: 'touchstone/view-cut/1', parser, looks, models: [] }
  const all = await viewed.frames()
  if (all === null) return none
  // Beside items with a feature lie those of the same task, beside a task the others.
  const { task, feature } = filter
  const frame = (task === undefined || feature.length === 0 ? all : all.ofTask(task)).frame(parser)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  const sides = await sidesOf(viewed, frame, filter)
  return viewed.remembered(`cut ${JSON.stringify([parametersOf(filter), looks])}`, () => {
    const right = correctness(scores(frame))
    const level = 1 - 0.05 / looks
    const models = partition(frame, ['model']).map(({ key, rows }): ModelCut => {
      const used = rowsWhere(rows, (row) => sides[row] !== APART && !Number.isNaN(right[row]))
      const part = (side: number): ModelCut['inside'] => {
        const mine = rowsWhere(used, (row) => sides[row] === side)
        const clusters = clusterCodes(frame, mine)
        const share = clusteredShare(take(right, mine), clusters, level)
        return share === null ? null : { share, groups: new Set(clusters).size }
      }
      const found = clusteredGap(take(right, used), take(sides, used), clusterCodes(frame, used), level)
      const gap = found === null ? null : { difference: found.gap, p: found.p }
      return { model: String(key['model']), inside: part(INSIDE), outside: part(OUTSIDE), gap }
    })
    return Promise.resolve({ ...none, models })
  })
}

/** Rows lie on one side of a cut, or, where they lack a feature that it names, on none. */
const [OUTSIDE, INSIDE, APART] = [0, 1, 2] as const

async function sidesOf(viewed: ViewedRun, frame: Frame, filter: ItemsFilter): Promise<Int32Array> {
  const sides = new Int32Array(frame.length).fill(INSIDE)
  const lay = (column: string, sideOf: (level: string | null) => number): void => {
    const { codes, levels } = frame.category(column)
    const known = levels.map(sideOf)
    const missing = sideOf(null)
    for (let row = 0; row < sides.length; row++) {
      const code = codes[row] as number
      const side = code < 0 ? missing : (known[code] as number)
      if (side === APART || sides[row] === INSIDE) sides[row] = side
    }
  }
  for (const column of ['task', 'style', 'config'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) lay(column, (level) => (level === wanted ? INSIDE : OUTSIDE))
  }
  for (const [name, conditions] of conditionsByFeature(filter.feature)) {
    const read = await featureReader(viewed, frame, name)
    lay(`feature_${name}`, (level) => (level === null ? APART : keeps(read(level), conditions) ? INSIDE : OUTSIDE))
  }
  return sides
}

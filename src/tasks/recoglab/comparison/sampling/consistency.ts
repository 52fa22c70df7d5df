import { below, coin } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { RandomStreams } from '../../../../core/task.ts'
import { walkOrder } from '../../common/walk.ts'
import type { Config } from '../config.ts'
import type { Statement } from '../question.ts'
import { addPath, fillToSize, type Growth, level, mixedSteps, newEntity, renumbered, upwards } from './growth.ts'

/** Maximum restarts where the required structure needs too many people. */
const GROWTHS = 100

/**
 * A tree with one more statement between two people at `distance`, so exactly one cycle of distance + 1 statements:
 * inconsistent sets run round it in one direction, consistent ones do not. The two differ in two statements that
 * exchange their greater sides, so counts of lesser and greater, per person and per statement, are equal under both
 * labels.
 */
export function drawConsistency(
  config: Config,
  distance: number,
  consistent: boolean,
  source: RandomStreams,
): { readonly statements: readonly Statement[]; readonly distance: number; readonly answer: string } | null {
  const stream = source.stream('tree')
  for (let tries = 0; tries < GROWTHS; tries++) {
    const growth: Growth = { people: 0, statements: [] }
    const changed = roundWithBranch(growth, distance + 1, stream)
    if (growth.people > config.entities) continue
    fillToSize(growth, config.entities, new Set(changed.flat()), stream)
    const named = renumbered(growth, stream)
    const turned = coin(stream)
    const [[a, b], [c, d]] = changed
    const all: Statement[] = [
      ...growth.statements,
      ...((consistent
        ? [
            [a, d],
            [c, b],
          ]
        : [
            [a, b],
            [c, d],
          ]) as Statement[]),
    ]
    const statements = all.map(([u, v]): Statement => {
      const pair = [named[u] as number, named[v] as number] as const
      return turned ? [pair[1], pair[0]] : pair
    })
    return {
      statements: walkOrder(config.entities, statements, stream),
      distance,
      answer: consistent ? 'Consistent' : 'Inconsistent',
    }
  }
  return null
}

/**
 * All statements but the two that change: a < b and c < d close a cycle in one direction, a < d and c < b an equally
 * long one that turns. The rest of the first cycle leads from b up to a; a branch of it leads to c, and not every step
 * from b to c goes up.
 */
function roundWithBranch(growth: Growth, length: number, stream: Stream): readonly [Statement, Statement] {
  const round = upwards(growth, length)
  const [b, a] = [round[0] as number, round.at(-1) as number]
  const leaves = below(stream, length - 1)
  const [c, d] = [newEntity(growth), newEntity(growth)]
  addPath(growth, round[leaves] as number, c, mixedSteps(stream, length - 1 - leaves, true))
  level(growth, [a, c])
  level(growth, [b, d])
  return [
    [a, b],
    [c, d],
  ]
}

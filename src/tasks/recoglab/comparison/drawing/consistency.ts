import { below, coin } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { RandomStreams } from '../../../../core/task.ts'
import { walkOrder } from '../../common/walk.ts'
import type { Config } from '../config.ts'
import type { Statement } from '../question.ts'
import { fill, type Growth, lead, level, renumbered, someone, upwards } from './growth.ts'
import { mixedSteps } from './mixed-steps.ts'

/** How often to begin anew where what has to be there is more than the people there are. */
const GROWTHS = 100

/**
 * A tree with one more statement between two who are `distance` apart, so exactly one cycle, of distance + 1 statements,
 * whatever the label: inconsistent sets run round it in one direction, consistent ones do not. One becomes the other where two
 * statements change their greater ones: as much is said of the two lesser ones and of the two greater ones, so that people,
 * and the two of each statement, are as often the lesser and the greater under both labels.
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
    fill(growth, config.entities, new Set(changed.flat()), stream)
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
 * All statements but the two that change: a < b and c < d close a cycle that runs one way, a < d and c < b close another one,
 * as long, that does not. b and then the rest of the first cycle lead up to a; from one of these a branch leads to c, and not all
 * the way from b to c leads up.
 */
function roundWithBranch(growth: Growth, length: number, stream: Stream): readonly [Statement, Statement] {
  const round = upwards(growth, length)
  const [b, a] = [round[0] as number, round.at(-1) as number]
  const leaves = below(stream, length - 1)
  const [c, d] = [someone(growth), someone(growth)]
  lead(growth, round[leaves] as number, c, mixedSteps(stream, length - 1 - leaves, true))
  level(growth, [a, c])
  level(growth, [b, d])
  return [
    [a, b],
    [c, d],
  ]
}

import { shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { ordered, viewStream } from '../common/presentation.ts'
import type { Proposition, Question } from './question.ts'

/**
 * The premises in the order shown. Two chains that are asked about in turn keep one order of their steps between them, and
 * no two neighbours share a term: else who sees where the asked terms stand, and how all statements hang together, could
 * tell which of the chains has a statement turned.
 */
export function shownPremises({ shared, given }: Question): readonly Proposition[] {
  const { premises, terms, ask } = given
  const chains = ask.kind === 'judge' && terms.length === premises.length + 2
  if (!chains || shared.order !== 'random') return ordered(shared, premises)
  return alternated(viewStream(shared, 'order'), premises)
}

/** Two chains of equal length, one after the other, shuffled into each other. */
function alternated(stream: Stream, premises: readonly Proposition[]): readonly Proposition[] {
  const steps = premises.length / 2
  const own = Array.from({ length: steps }, (_, i) => i)
  for (;;) {
    const order = shuffle(stream, own)
    const places = shuffle(
      stream,
      premises.map((_, i) => i % 2),
    )
    const told = [0, 0]
    const shown = places.map((chain) => {
      const step = order[told[chain] as number] as number
      told[chain] = (told[chain] as number) + 1
      return premises[chain * steps + step] as Proposition
    })
    if (shown.every((premise, i) => i === 0 || !touch(premise, shown[i - 1] as Proposition))) return shown
  }
}

const touch = ([, a, b]: Proposition, [, c, d]: Proposition): boolean => a === c || a === d || b === c || b === d

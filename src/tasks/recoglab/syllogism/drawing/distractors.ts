import { below, coin, pick, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { Mood, Proposition } from '../question.ts'

/**
 * Which kinds of statement a chain of n terms with its distractors has, whatever follows from it: n - 1 times A and
 * once each of E, I, O. Every answer can be drawn from a part of these, so counting kinds tells nothing.
 */
export function balancedMoods(n: number): readonly Mood[] {
  return [...Array.from({ length: n - 1 }, (): Mood => 'A'), 'E', 'I', 'O']
}

/**
 * Three further statements about new terms, each between one known term and a new one, with the kinds of statement
 * that the chain leaves over. Returned with the number of the statement each follows. Terms n, n+1, n+2 are new. None
 * puts an individual where the chain would carry it to the subject and into or out of the predicate: that could make a
 * second option true.
 */
export function drawDistractors(
  stream: Stream,
  n: number,
  chain: readonly Proposition[],
): readonly { readonly premise: Proposition; readonly after: number }[] {
  const left = [...balancedMoods(n)]
  for (const [mood] of chain) left.splice(left.indexOf(mood), 1)
  return shuffle(stream, left).map((mood, i) => {
    const term = n + i
    let known: number
    let premise: Proposition
    do {
      known = below(stream, n)
      premise = coin(stream) ? [mood, known, term] : [mood, term, known]
    } while (populates(premise, known) && decides(chain, known))
    const touching = chain.flatMap(([, s, p], j) => (s === known || p === known ? [j] : []))
    return { premise, after: pick(stream, touching) }
  })
}

/** Does the statement say that `term` has members? */
const populates = ([mood, s, p]: Proposition, term: number): boolean =>
  (mood === 'I' && (s === term || p === term)) || (mood === 'O' && s === term)

/** Would a member of `term` be a subject that is known to be in the predicate, or known to be out of it? */
function decides(chain: readonly Proposition[], term: number): boolean {
  if (!chain.slice(0, term).every(([mood, s, p]) => mood === 'A' && s === p + 1)) return false
  let inside = true
  for (const [mood, s, p] of chain.slice(term)) {
    if (inside && mood === 'E') inside = false
    else if (mood !== 'A' || s < p !== inside) return false
  }
  return true
}

import { below, coin, pick, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { Mood, Proposition } from '../question.ts'

/**
 * Premises over a path of terms 0..n-1 that entail exactly one of the four propositions about (0, n-1) and no stronger
 * one. Universal statements carry a class along, one E negates it, an existential statement (or a non-empty class, with
 * existential import) provides an individual.
 *
 * Without import all forms are: A: every step "All i are i+1". E: one E step, the rest carries from both ends towards
 * it. I: one I step, the rest carries from it to both ends. O: an I step followed by an E step, or an O step, and what
 * carries to and from them. At n = 3: 1 + 4 + 4 + 6 = 15 forms, Baroco and Bocardo among them.
 */
export function drawChain(stream: Stream, n: number, mood: Mood, existentialImport: boolean): Proposition[] {
  const steps = n - 1
  switch (mood) {
    case 'A':
      return range(0, steps).map(forwards)
    case 'E':
      return withE(below(stream, steps), 0, n, stream)
    case 'I': {
      if (existentialImport && coin(stream)) return importedI(below(stream, steps) + 1, n)
      const at = below(stream, steps)
      return range(0, steps).map((i) => (i < at ? backwards(i) : i > at ? forwards(i) : either(stream, 'I', i)))
    }
    case 'O':
      return drawO(stream, n, existentialImport)
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
/** All i are i+1. */
const forwards = (i: number): Proposition => ['A', i, i + 1]
/** All i+1 are i. */
const backwards = (i: number): Proposition => ['A', i + 1, i]
/** E and I read the same both ways. */
const either = (stream: Stream, mood: 'E' | 'I', i: number): Proposition =>
  coin(stream) ? [mood, i, i + 1] : [mood, i + 1, i]

/** Steps from..n-2 with an E at step `at`: carried forwards before it, backwards after it. */
const withE = (at: number, from: number, n: number, stream: Stream): Proposition[] =>
  range(from, n - 1).map((i) => (i < at ? forwards(i) : i > at ? backwards(i) : either(stream, 'E', i)))

/** A class in the middle (or the predicate itself) that is not empty and lies in both ends. */
const importedI = (source: number, n: number): Proposition[] =>
  range(0, n - 1).map((i) => (i < source ? backwards(i) : forwards(i)))

function drawO(stream: Stream, n: number, existentialImport: boolean): Proposition[] {
  const steps = n - 1
  const kinds = [...(steps >= 2 ? ['I and E'] : []), 'O', ...(existentialImport && steps >= 2 ? ['import'] : [])]
  const kind = pick(stream, weighted(kinds, steps))
  if (kind === 'O') {
    // Some x are not y: x is carried to the subject, and the predicate is carried to y.
    const at = below(stream, steps)
    return range(0, steps).map((i) => (i === at ? ['O', i, i + 1] : backwards(i)))
  }
  const at = 1 + below(stream, steps - 1)
  const after = withE(at, 0, n, stream).slice(at)
  if (kind === 'import') {
    const source = 1 + below(stream, at)
    return [...range(0, at).map((i) => (i < source ? backwards(i) : forwards(i))), ...after]
  }
  const some = below(stream, at)
  const before = range(0, at).map((i) => (i < some ? backwards(i) : i > some ? forwards(i) : either(stream, 'I', i)))
  return [...before, ...after]
}

/** An I and E pair has more places than a single O; weigh them so that no figure of three terms is rare. */
const weighted = (kinds: readonly string[], steps: number): readonly string[] =>
  steps === 2 ? kinds.flatMap((kind) => (kind === 'I and E' ? [kind, kind] : [kind])) : kinds

/**
 * Kinds of statement in a chain of n terms with its distractors, for every answer: n - 1 times A and once each of E, I,
 * O, so counting kinds reveals nothing.
 */
function balancedMoods(n: number): readonly Mood[] {
  return [...Array.from({ length: n - 1 }, (): Mood => 'A'), 'E', 'I', 'O']
}

/**
 * Three further statements, each between a known term and a new one (n, n+1, n+2), of the kinds that the chain lacks,
 * with the number of the statement each follows. None provides an individual that could make a second option true.
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

/** Does the statement give `term` a member? */
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

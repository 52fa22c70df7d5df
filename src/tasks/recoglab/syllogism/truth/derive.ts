import type { Given, Mood, Proposition } from '../question.ts'
import { countermodel } from './entail.ts'

/** A conclusion in steps, each of which follows from the premises: what is said, and whether a premise says it. */
export interface Derived {
  readonly said: Proposition
  readonly premise: boolean
}

const A = (s: number, p: number): Proposition => ['A', s, p]

/**
 * How a conclusion follows, by carrying it along "All" statements from the statement that is not of that kind; null where it does
 * not follow.
 */
export function derivation(given: Given, conclusion: Proposition): readonly Derived[] | null {
  const { terms, premises, existentialImport } = given
  if (countermodel(terms.length, premises, conclusion, existentialImport) !== null) return null
  const [mood, s, p] = conclusion
  const up = wider(given)
  if (mood === 'A') return along(up, s, p)
  for (const [m, x, y] of premises) {
    if (m === 'E' && mood === 'E')
      for (const [u, v] of bothWays(x, y)) {
        const [left, right] = [along(up, s, u), along(up, p, v)]
        if (left !== null && right !== null)
          return [...left, ...right, told(m, x, y), ...follows('E', [s, v], [s, p], [u, v])]
      }
    if (m === 'I' || m === 'O') {
      const found = fromSome(given, up, conclusion, [m, x, y])
      if (found !== null) return found
    }
  }
  if (existentialImport)
    for (let x = 0; x < terms.length; x++) {
      const found = fromSome(given, up, conclusion, ['I', x, x])
      if (found !== null) return found
    }
  return [{ said: conclusion, premise: false }]
}

/** "Some S are P" or "some S are not P" from one "some" statement; [I, x, x]: that there are x. */
function fromSome(given: Given, up: Wider, [mood, s, p]: Proposition, [m, x, y]: Proposition): Derived[] | null {
  const first = x === y ? [] : [told(m, x, y)]
  if (m === 'O') {
    if (mood !== 'O') return null
    const [left, right] = [along(up, x, s), along(up, p, y)]
    return left === null || right === null
      ? null
      : [...first, ...left, ...right, ...follows('O', [s, y], [s, p], [x, y])]
  }
  for (const [u, v] of bothWays(x, y)) {
    const left = along(up, u, s)
    if (left === null) continue
    if (mood === 'I') {
      const right = along(up, v, p)
      if (right !== null) return [...first, ...left, ...right, ...follows('I', [s, v], [s, p], [u, v])]
    }
    if (mood === 'O')
      for (const [e, a, b] of given.premises)
        if (e === 'E')
          for (const [c, d] of bothWays(a, b)) {
            const [right, far] = [along(up, v, c), along(up, p, d)]
            if (right !== null && far !== null)
              return [...first, ...left, ...right, told(e, a, b), ...far, ...follows('O', [s, d], [s, p], [-1, -1])]
          }
  }
  return null
}

type Wider = readonly (readonly number[])[]

const wider = ({ terms, premises }: Given): Wider =>
  terms.map((_, t) => premises.flatMap(([m, x, y]) => (m === 'A' && x === t ? [y] : [])))

/** "All x are z" by the shortest chain of "All" statements, saying after each what follows; nothing where x is z. */
function along(up: Wider, x: number, z: number): readonly Derived[] | null {
  const from = new Map<number, number>([[x, x]])
  for (const [t] of from) for (const next of up[t] ?? []) if (!from.has(next)) from.set(next, t)
  if (!from.has(z)) return null
  const chain: number[] = []
  for (let t = z; t !== x; t = from.get(t) as number) chain.unshift(t)
  return chain.flatMap((t, i) => {
    const step = told('A', i === 0 ? x : (chain[i - 1] as number), t)
    return i === 0 ? [step] : [step, { said: A(x, t), premise: false }]
  })
}

const told = (mood: Mood, s: number, p: number): Derived => ({ said: [mood, s, p], premise: true })

/** What a statement becomes when first its one side is carried along, then its other; what it was already is not said again. */
function follows(mood: Mood, ...[middle, end, was]: readonly (readonly [number, number])[]): Derived[] {
  const same = (one: readonly [number, number] | undefined, other: readonly [number, number] | undefined): boolean =>
    one?.[0] === other?.[0] && one?.[1] === other?.[1]
  return [middle, end].flatMap((pair, i) =>
    pair === undefined || same(pair, was) || (i === 1 && same(pair, middle)) || pair[0] === pair[1]
      ? []
      : [{ said: [mood, pair[0], pair[1]] as const, premise: false }],
  )
}

const bothWays = (x: number, y: number): readonly (readonly [number, number])[] =>
  x === y
    ? [[x, y]]
    : [
        [x, y],
        [y, x],
      ]

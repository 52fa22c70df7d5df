import { isArray, isObject, type Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { countermodel, holds, isModel } from './oracle.ts'
import { candidates, type Given, nothing, type Proposition, type Shared, sentence, strongest } from './question.ts'

type P = Problem<Shared, Given, string>

/**
 * For every wrong option a model of the premises in which it is false (lists of the terms each kind of individual
 * belongs to), and for what follows the individuals and classes that force it: a derivation by carrying terms along.
 */
export function witness(problem: P): Json {
  const { given } = problem
  const n = given.terms.length
  return candidates(given).map((option) => {
    const model = countermodel(n, given.premises, option, given.existentialImport)
    return model === null ? { derivation: derive(given, option) } : { countermodel: model }
  })
}

/**
 * A derivation: where the individual comes from (a premise's number, "subject" for A and E, or a term that has
 * members), and the numbers of universal premises to apply one after another.
 */
function derive(given: Given, conclusion: Proposition): Json {
  for (const start of starts(given, conclusion)) {
    const steps = close(given, conclusion, start)
    if (steps !== null) return { start, steps }
  }
  return null
}

type Start =
  | { readonly kind: 'assume' }
  | { readonly kind: 'premise'; readonly at: number }
  | { readonly kind: 'member'; readonly term: number }

function starts(given: Given, [mood]: Proposition): Start[] {
  if (mood === 'A' || mood === 'E') return [{ kind: 'assume' }]
  const some = given.premises.flatMap(([m], at): Start[] => (m === 'I' || m === 'O' ? [{ kind: 'premise', at }] : []))
  const members = given.existentialImport ? given.terms.map((_, term): Start => ({ kind: 'member', term })) : []
  return [...some, ...members]
}

interface TermFacts {
  readonly inside: Set<number>
  readonly outside: Set<number>
}

/** What is known of the individual at the start. For A: in S and (to be refuted) not in P; for E: in S and in P. */
function begin(given: Given, [mood, s, p]: Proposition, start: Start): TermFacts | null {
  if (start.kind === 'assume')
    return mood === 'A'
      ? { inside: new Set([s]), outside: new Set([p]) }
      : { inside: new Set([s, p]), outside: new Set() }
  if (start.kind === 'member')
    return given.existentialImport ? { inside: new Set([start.term]), outside: new Set() } : null
  const premise = given.premises[start.at]
  if (premise === undefined) return null
  const [m, x, y] = premise
  if (m === 'I') return { inside: new Set([x, y]), outside: new Set() }
  return m === 'O' ? { inside: new Set([x]), outside: new Set([y]) } : null
}

/** Applies universal premise `at` to what is known; false: nothing new. */
function apply(given: Given, known: TermFacts, at: number): boolean {
  const premise = given.premises[at]
  if (premise === undefined) return false
  const [mood, x, y] = premise
  const { inside, outside } = known
  const size = inside.size + outside.size
  if (mood === 'A') {
    if (inside.has(x)) inside.add(y)
    if (outside.has(y)) outside.add(x)
  } else if (mood === 'E') {
    if (inside.has(x)) outside.add(y)
    if (inside.has(y)) outside.add(x)
  }
  return inside.size + outside.size > size
}

const impossible = ({ inside, outside }: TermFacts): boolean => [...inside].some((term) => outside.has(term))

function isReached(known: TermFacts, [mood, s, p]: Proposition): boolean {
  if (mood === 'A' || mood === 'E') return impossible(known)
  return known.inside.has(s) && (mood === 'I' ? known.inside.has(p) : known.outside.has(p))
}

function close(given: Given, conclusion: Proposition, start: Start): number[] | null {
  const known = begin(given, conclusion, start)
  if (known === null) return null
  const steps: number[] = []
  for (let changed = true; changed && !isReached(known, conclusion); ) {
    changed = false
    for (let at = 0; at < given.premises.length && !isReached(known, conclusion); at++) {
      if (apply(given, known, at)) {
        steps.push(at)
        changed = true
      }
    }
  }
  return isReached(known, conclusion) ? steps : null
}

/** Verifies derivations and models one step at a time, and that exactly the answer is derived. */
export function check(problem: P, proof: Json): boolean {
  const { given, answer } = problem
  const all = candidates(given)
  if (!isArray(proof) || proof.length !== all.length) return false
  const derived: Proposition[] = []
  for (let i = 0; i < all.length; i++) {
    const part = proof[i] as Json
    const option = all[i] as Proposition
    if (!isObject(part)) return false
    if (part['derivation'] !== undefined) {
      if (!verified(given, option, part['derivation'])) return false
      derived.push(option)
    } else if (!refutes(given, option, part['countermodel'])) return false
  }
  if (given.ask.kind === 'judge') return answer === (derived.length === 1 ? 'Yes' : 'No')
  const [first, second] = strongest(derived)
  if (first === undefined) return given.ask.none && answer === nothing
  return second === undefined && sentence(first, given.terms) === answer
}

function verified(given: Given, conclusion: Proposition, derivation: Json): boolean {
  if (!isObject(derivation)) return false
  const { start, steps } = derivation as { start?: Json; steps?: Json }
  if (start === undefined || !isObject(start) || steps === undefined || !isArray(steps)) return false
  const assumes = conclusion[0] === 'A' || conclusion[0] === 'E'
  if (assumes !== (start['kind'] === 'assume')) return false
  const known = begin(given, conclusion, start as unknown as Start)
  return known !== null && steps.every((at) => apply(given, known, Number(at))) && isReached(known, conclusion)
}

function refutes(given: Given, option: Proposition, model: Json | undefined): boolean {
  if (model === undefined || !isArray(model) || !model.every((kind) => isArray(kind))) return false
  const kinds = model as unknown as readonly (readonly number[])[]
  return isModel(given, kinds) && !holds(kinds, option)
}

/** Each option with a world that refutes it, as lists of the terms each kind of individual in it belongs to. */
export function drawings(problem: P): readonly Json[] {
  const { given, answer } = problem
  return candidates(given).map((option) => {
    const model = countermodel(given.terms.length, given.premises, option, given.existentialImport)
    const text = sentence(option, given.terms)
    return {
      kind: 'sets',
      caption: model === null ? `${text}: follows` : `${text}: false in this world`,
      links: [{ text, parts: ['drawing'] }],
      marked: text === answer,
      sets: given.terms,
      members: (model ?? []).map((kind) => kind.map((t) => given.terms[t] as string)),
    }
  })
}

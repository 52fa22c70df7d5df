import { type CheckedStep, type CheckedSteps, memoize } from '../../../core/index.ts'
import { isArray, type Json } from '../../../core/json.ts'
import { fullOnly, optionalStep, type SolutionStep } from '../../../core/solution.ts'
import type { Problem } from '../../../core/task.ts'
import { isAsserted, listedAfter } from '../../../libraries/language/asserted.ts'
import { compose, composeChain, type Derivation } from './compose.ts'
import {
  type Answer,
  type Fact,
  type Facts,
  type Given,
  inverse,
  type Kin,
  kinOf,
  type Question,
  relations,
  type Shared,
  wordOf,
} from './question.ts'

type P = Problem<Shared, Given, Answer>

/** The sentences of a question as links between numbered people. */
function linksOf(given: Given): { readonly facts: readonly Fact[]; readonly asked: readonly [number, number] } {
  if (given.kind === 'facts') return given
  const chain = given.chain ?? []
  return { facts: chain.map((word, i): Fact => [i + 1, word, i]), asked: [chain.length, 0] }
}

/** The numbers of the sentences on the path, combined pairwise until one relation is left. */
export function witness({ given }: P): Json {
  const { facts, asked } = linksOf(given)
  const way = wayOf(facts, asked)
  const kins = way.map((at) => kinOf((facts[at] as Fact)[1])?.kin)
  if (kins.length === 0 || kins.includes(undefined)) return null
  const how = composeChain(kins as readonly Kin[])?.at(0, way.length)?.how
  return how === undefined ? null : numbered(how, way)
}

const numbered = (how: Derivation, way: readonly number[]): Json =>
  typeof how === 'number' ? (way[how] as number) : [numbered(how[0], way), numbered(how[1], way)]

/** The sentences on the path between the two people; empty: none. */
function wayOf(facts: readonly Fact[], [who, of]: readonly [number, number]): readonly number[] {
  const from = new Map<number, readonly number[]>([[who, []]])
  for (const [person, way] of from)
    for (const [at, [a, , b]] of facts.entries()) if (a === person && !from.has(b)) from.set(b, [...way, at])
  return from.get(of) ?? []
}

/** Goes through the parts again: they must meet, and come to the answer. */
export function check({ given, answer }: P, proof: Json): boolean {
  const { facts, asked } = linksOf(given)
  const found = proveStep(proof, facts, 0)
  return (
    found !== null &&
    found.who === asked[0] &&
    found.of === asked[1] &&
    wordOf(found.kin, kinOf(answer)?.gender ?? 'f') === answer &&
    facts.some(([a, word]) => a === asked[0] && kinOf(word)?.gender === kinOf(answer)?.gender)
  )
}

interface ProvedRelation {
  readonly who: number
  readonly kin: Kin
  readonly of: number
}

const MAX = 64

function proveStep(proof: Json | undefined, facts: readonly Fact[], depth: number): ProvedRelation | null {
  if (typeof proof === 'number') {
    const fact = facts[proof]
    const kin = fact === undefined ? undefined : kinOf(fact[1])?.kin
    return fact === undefined || kin === undefined ? null : { who: fact[0], kin, of: fact[2] }
  }
  if (proof === undefined || !isArray(proof) || proof.length !== 2 || depth > MAX) return null
  const [first, second] = [proveStep(proof[0], facts, depth + 1), proveStep(proof[1], facts, depth + 1)]
  if (first === null || second === null || first.of !== second.who) return null
  const kin = compose(first.kin, second.kin)
  return kin === null ? null : { who: first.who, kin, of: second.of }
}

/** The witness as sentences; in short without those of the story. */
export function solution(problem: P): readonly SolutionStep[] {
  const { given, answer } = problem
  const { facts } = linksOf(given)
  const name = (person: number): string =>
    given.kind === 'facts' ? (given.people[person] as string) : `person ${person}`
  const lines: SolutionStep[] = []
  const whole = witness(problem)
  const go = (proof: Json | undefined): ProvedRelation | null => {
    const found = proveStep(proof, facts, 0)
    if (found === null || proof === undefined) return null
    if (isArray(proof)) for (const part of proof) go(part)
    const line = `${name(found.who)} is the ${wordOf(found.kin, genderOf(found.who))} of ${name(found.of)}.`
    lines.push(proof === whole ? line : isArray(proof) ? optionalStep(line) : fullOnly(line))
    return found
  }
  const genderOf = (person: number) => kinOf(facts.find(([a]) => a === person)?.[1] ?? '')?.gender ?? 'f'
  go(whole)
  return [...lines, `Answer: ${answer}`]
}

/** The relation of two people by the sentences between them; null: not determined. */
type Related = (who: number, of: number) => string | null

const relatedOf = memoize(({ facts }: Facts): Related => {
  const genders = new Map(facts.map(([who, word]) => [who, kinOf(word)?.gender]))
  const along = (who: number, of: number): Kin | null => {
    const way = wayOf(facts, [who, of])
    const kins = way.flatMap((at) => kinOf(facts[at]?.[1] ?? '')?.kin ?? [])
    if (kins.length === 0 || kins.length < way.length) return null
    return composeChain(kins)?.at(0, kins.length)?.kin ?? null
  }
  return (who, of) => {
    const back = along(of, who)
    const kin = along(who, of) ?? (back === null ? null : inverse[back])
    const gender = genders.get(who)
    return kin === null || gender === undefined ? null : wordOf(kin, gender)
  }
})

const NAME = String.raw`\p{Lu}[\p{L}'’-]{0,39}`
const SAID = new RegExp(
  String.raw`(?<![\p{L}'’-])(${NAME}) is (?:the|a|an) (${[...relations, 'wife', 'husband'].join('|')}) of (${NAME})`,
  'gu',
)

/** An unknown name. */
const NAMED = new RegExp(String.raw`^${NAME}(?!\S| is )`, 'u')

/** "A is the aunt of B" in a text, each checked against the sentences between the two. Linear in the text. */
export function checkSteps({ given }: Question, text: string): CheckedSteps {
  if (given.kind === 'story') return { steps: [], unknown: [] }
  const numbers = new Map(given.people.map((name, i) => [name, i]))
  const related = relatedOf(given)
  const [first, second] = given.asked
  const unknown: string[] = []
  const steps = [...text.matchAll(SAID)].flatMap((match): CheckedStep[] => {
    const [who, of] = [match[1], match[3]].map((name) => numbers.get(name ?? ''))
    for (const [name, number] of [
      [match[1], who],
      [match[3], of],
    ] as const)
      if (number === undefined) unknown.push(name ?? '')
    if (who === undefined || of === undefined) return []
    const word = match[2] ?? ''
    const span = [match.index, match.index + match[0].length] as const
    // A list of names goes on: the statement is about several.
    if (!isAsserted(text, span) || NAMED.test(listedAfter(text, span[1]) ?? '')) return []
    return [
      {
        span,
        holds: related(who, of) === word,
        decides: who === first && of === second ? word : null,
      },
    ]
  })
  return { steps, unknown }
}

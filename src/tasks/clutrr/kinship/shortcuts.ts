import { canonicalJson } from '../../../core/canonical-json.ts'
import { pick } from '../../../core/random.ts'
import type { AnonymizedQuestion, Baseline, DeclaredShortcut, RandomStreams } from '../../../core/task.ts'
import type { Hops } from './chains.ts'
import type { Config } from './config.ts'
import { solve } from './oracle.ts'
import { shownFacts } from './prompt.ts'
import { choices, type Fact, type Given, kinOf, type Question, rise, type Shared } from './question.ts'

/** A rule that names a word, as one of the options; the first option where it names none of them. */
const byWord =
  (rule: (facts: readonly Fact[], asked: readonly [number, number]) => string | undefined) =>
  (question: Question): string => {
    const { given, shared } = question
    const options = choices(question)
    const word = given.kind === 'story' ? undefined : rule(shownFacts(shared, given), given.asked)
    return word !== undefined && options.includes(word) ? word : (options[0] as string)
  }

/** The word for a relation, with the gender of the first person. */
const most = (words: readonly string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0]
}

/** Cheap rules that must not do better than chance. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  'first-option': byWord(() => undefined),
  'last-option': (question) => choices(question).at(-1) as string,
  'own-word': byWord((facts, [who]) => facts.find(([a]) => a === who)?.[1]),
  'most-common-word': byWord((facts) => most(facts.map(([, word]) => word))),
  // Ups less downs along the chain that is asked about.
  'generations-of-chain': (question) => generationsOfChain(question),
}

/** The first option that lies as many generations away as all links of the chain together. */
function generationsOfChain(question: Question): string {
  const { given } = question
  const options = choices(question)
  if (given.kind === 'story') return options[0] as string
  const [who, of] = given.asked
  const next = new Map([[who, 0]])
  for (const [person, total] of next)
    for (const [a, word, b] of given.facts) {
      const kin = kinOf(word)?.kin
      if (a === person && kin !== undefined && !next.has(b)) next.set(b, total + rise[kin])
    }
  const total = next.get(of)
  return options.find((word) => rise[kinOf(word)?.kin ?? 'spouse'] === total) ?? (options[0] as string)
}

const chat = (
  note: string,
  answer: (question: Question, draws: RandomStreams) => string,
): Baseline<Shared, Given> & { readonly kind: 'chat' } => ({
  kind: 'chat',
  note,
  // Bare, as the paper's prompt wants it: its own match is to the letter.
  answer,
})

export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  oracle: chat(
    'Infers the genealogy from the sentences',
    (question) => solve(question) ?? (choices(question)[0] as string),
  ),
  random: chat('A uniform choice among the relations that the ends of the chain allow', (question, draws) =>
    pick(draws.stream('choice'), choices(question)),
  ),
  'generations-of-chain': chat(
    'Counts generations along the whole chain, in any order of its sentences',
    generationsOfChain,
  ),
  'own-word': chat(
    'The first relation word beside the person asked about, if it can be the answer',
    heuristics['own-word'] as (question: Question) => string,
  ),
}

/** What the first and last link of a chain tell, at most: the accuracies of the table less a third. */
const ENDS = { 2: 0.67, 3: 0.22, 4: 0.19, 5: 0.07, 6: 0.06, 7: 0.05, 8: 0.05, 9: 0.05, 10: 0.05 } as const
/** What a test on a few thousand items may find above or below. */
const NOISE = 0.04

/**
 * Any part of the chain that is asked about tells a little where answers differ in generation, and all of it decides. The story
 * without what is asked tells nothing.
 */
export const declaredShortcuts = ({ hops, part }: Config): readonly DeclaredShortcut[] =>
  part === null ? ofThreeFamilies(hops) : ofOneFamily

const ofOneFamily: readonly DeclaredShortcut[] = [
  {
    probe: '*',
    why: 'as in CLUTRR a story of one family tells much of the answer by its words; presets of three families do not',
    gain: [-0.2, 1],
  },
]

const ofThreeFamilies = (hops: Hops): readonly DeclaredShortcut[] => [
  {
    probe: 'generations-of-chain',
    why: 'the generations of all links together decide among three answers of one set, and between two and one of the others',
    gain: [0.4, 0.48],
  },
  {
    probe: 'own-word',
    why: 'the first relation of a chain is the answer a little less often than another of the set',
    gain: [-NOISE - 0.02, NOISE],
  },
  { probe: 'local-1/*', why: 'the ends of a chain tell a little', gain: [-NOISE, ENDS[hops] + NOISE] },
  ...[2, 3, 4].map((level) => ({
    probe: `local-${level}/*`,
    why: 'parts of a chain tell a little, and whole chains are known from training',
    gain: [-NOISE, 0.67] as const,
  })),
]

/** Sentences by relation word. Of a published story only the two people of the question are known. */
export function anonymize({ shared, given }: Question): AnonymizedQuestion {
  if (given.kind === 'story') return { kind: 'statements', statements: [], question: 'kin', asked: [0, 1] }
  return {
    kind: 'statements',
    statements: shownFacts(shared, given).map(([who, word, of]) => ({ kind: word, places: [who, of] })),
    question: 'kin',
    asked: given.asked,
  }
}

/** Names are content; the order of sentences is not. */
export function canonical({ given }: Question): string {
  if (given.kind === 'story') return canonicalJson([given.story, given.asked])
  const { people, facts, asked } = given
  return canonicalJson({
    facts: facts.map(([who, word, of]) => `${people[who]} ${word} ${people[of]}`).sort(),
    asked: asked.map((person) => people[person]),
  })
}

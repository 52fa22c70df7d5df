import { canonicalJson } from '../../../core/canonical-json.ts'
import type { Json } from '../../../core/json.ts'
import { pick } from '../../../core/random.ts'
import type { AnonymizedQuestion, Baseline, RandomStreams } from '../../../core/task.ts'
import { solve } from './oracle.ts'
import { shownFacts } from './prompt.ts'
import { choices, type Fact, type Given, kinOf, type Question, type Shared } from './question.ts'

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
  // Ups less downs over the whole story, as if it were one chain.
  generations: byWord((facts, [who]) => {
    const gender = kinOf(facts.find(([a]) => a === who)?.[1] ?? '')?.gender
    const ups = facts.filter(([, word]) => kinOf(word)?.kin === 'parent').length
    const downs = facts.filter(([, word]) => kinOf(word)?.kin === 'child').length
    return gender === undefined
      ? undefined
      : ups > downs
        ? gender === 'f'
          ? 'aunt'
          : 'uncle'
        : gender === 'f'
          ? 'niece'
          : 'nephew'
  }),
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
  'own-word': chat(
    'The first relation word beside the person asked about, if it can be the answer',
    heuristics['own-word'] as (question: Question) => string,
  ),
}

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

/** Minimal pairs have the same story and options. */
export function pairSignature({ given }: Question): Json {
  if (given.kind === 'story') return [given.story]
  return [given.people, given.facts, given.options]
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

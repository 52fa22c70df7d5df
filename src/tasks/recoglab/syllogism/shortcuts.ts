import { pick } from '../../../core/random.ts'
import type { AnonymizedQuestion, DeclaredShortcut } from '../../../core/task.ts'
import { taxonomy } from '../../../libraries/language/taxonomy.ts'
import { type Chat, chatBy, goldLine } from '../common/answers.ts'
import type { Config } from './config.ts'
import { solve } from './oracle.ts'
import { shownPremises } from './prompt.ts'
import { choices, type Given, type Mood, moods, type Proposition, type Question, type Shared } from './question.ts'
import { isTrueOf } from './sampling/nouns.ts'

/** A rule that picks a mood, as one of the choices; for a judged conclusion: Yes where it is the picked one. */
const byMood =
  (rule: (premises: readonly Proposition[], question: Question) => Mood) =>
  (question: Question): string => {
    const mood = rule(shownPremises(question), question)
    const { ask } = question.given
    if (ask.kind === 'judge') return ask.conclusion[0] === mood ? 'Yes' : 'No'
    return choices(question)[moods.indexOf(mood)] as string
  }

const has = (premises: readonly Proposition[], wanted: string): boolean =>
  premises.some(([mood]) => wanted.includes(mood))

/** Particular if any premise is, negative if any premise is (Woodworth and Sells 1935). */
function atmosphere(premises: readonly Proposition[]): Mood {
  if (has(premises, 'EO')) return has(premises, 'IO') ? 'O' : 'E'
  return has(premises, 'I') ? 'I' : 'A'
}

const subjectOf = ({ given: { ask } }: Question): number => (ask.kind === 'judge' ? ask.conclusion[1] : ask.subject)
const predicateOf = ({ given: { ask } }: Question): number => (ask.kind === 'judge' ? ask.conclusion[2] : ask.predicate)

/** Cheap rules that must not do better than chance. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  atmosphere: byMood(atmosphere),
  // The most conservative mood among the premises (Wetherick and Gilhooly 1995): E, then O, then I, then A.
  matching: byMood((premises) => (['E', 'O', 'I', 'A'] as const).find((mood) => has(premises, mood)) as Mood),
  'first-mood': byMood((premises) => (premises[0] as Proposition)[0]),
  'last-mood': byMood((premises) => (premises.at(-1) as Proposition)[0]),
  'most-common-mood': byMood((premises) => {
    const count = (mood: Mood) => premises.filter(([m]) => m === mood).length
    return [...moods].sort((a, b) => count(b) - count(a) || moods.indexOf(a) - moods.indexOf(b))[0] as Mood
  }),
  'alphabetical-order': byMood((_, question) => (subjectOf(question) < predicateOf(question) ? 'A' : 'E')),
}

const chat = chatBy<Shared, Given, string>(goldLine)

export const baselines: { readonly [name: string]: Chat<Shared, Given> } = {
  oracle: chat('2-SAT with one individual for each "some"', (question) => solve(question) ?? 'none'),
  random: chat('An option, uniformly', (question, draws) => pick(draws.stream('choice'), choices(question))),
  yes: chat('Always the first option (All, Yes)', (question) => choices(question)[0] as string),
  'last-mentioned': chat('The kind of the last statement', (question) =>
    (heuristics['last-mood'] as (q: Question) => string)(question),
  ),
  'one-hop': chat('Correct if one premise is about subject and predicate, else random', (question, draws) => {
    const { ask } = question.given
    const guess = pick(draws.stream('choice'), choices(question))
    if (ask.kind === 'judge') {
      const [mood, s, p] = ask.conclusion
      return shownPremises(question).some((premise) => premise[0] === mood && premise[1] === s && premise[2] === p)
        ? 'Yes'
        : guess
    }
    const direct = shownPremises(question).find(([, s, p]) => s === ask.subject && p === ask.predicate)
    return direct === undefined ? guess : (choices(question)[moods.indexOf(direct[0])] as string)
  }),
  belief: chat('Yes where the conclusion is true in the world; for invented things No', (question, draws) => {
    const { ask, terms } = question.given
    if (ask.kind === 'choose') return pick(draws.stream('choice'), choices(question))
    const [mood, s, p] = ask.conclusion
    const [subject, predicate] = [s, p].map((term) => taxonomy.names.indexOf(terms[term] as string)) as [number, number]
    return subject !== -1 && predicate !== -1 && isTrueOf(mood, subject, predicate) ? 'Yes' : 'No'
  }),
  atmosphere: chat('Particular if any premise is, negative if any is', (question) =>
    (heuristics['atmosphere'] as (q: Question) => string)(question),
  ),
}

/** Shortcuts that a config has on purpose: what an audit of 4,000 or 5,000 items measures, and .03 beside it. */
export const declaredShortcuts = (config: Config): readonly DeclaredShortcut[] =>
  config.construction === 'all-forms' ? ofAllForms() : [...ofContent(config), ...ofOrder(config), ...ofForm(config)]

const declare = (why: string, gain: DeclaredShortcut['gain'], ...probes: readonly string[]): DeclaredShortcut[] =>
  probes.map((probe) => ({ probe, why, gain }))

/** From 49 of the 64 pairs of premises nothing follows, and two premises are the whole proof. */
function ofAllForms(): readonly DeclaredShortcut[] {
  const why = 'nothing follows from 49 of the 64 pairs of premises, and the answer that says so is worded like no other'
  return [
    ...declare(why, [-0.03, 0.6], 'candidate/*', 'letters/*'),
    ...declare(why, [-0.22, -0.07], 'most-common-mood', 'alphabetical-order', 'first-mood', 'last-mood'),
    ...declare(why, [0.53, 0.6], 'learned/*'),
    ...declare('the two premises are the proof', [0.15, 0.28], 'local-*'),
  ]
}

function ofOrder(config: Config): readonly DeclaredShortcut[] {
  if (config.order === 'random' || config.construction === 'twins') return []
  const why = 'in order, the first (or last) statement is about the subject'
  const [subject, predicate] = config.order === 'forward' ? ['first-mood', 'last-mood'] : ['last-mood', 'first-mood']
  // Largest with three terms.
  return [
    { probe: subject, why, gain: [0, 0.31] },
    { probe: predicate, why, gain: [-0.18, 0] },
  ]
}

function ofContent(config: Config): readonly DeclaredShortcut[] {
  if (config.nouns === 'congruent' || config.nouns === 'incongruent') {
    const why = 'statements about real nouns are true (or false) of the world by design'
    return [
      // Which nouns come early in the alphabet is an accident of a split's few classes; "not" has its place among them.
      ...declare(why, [-0.03, 0.08], 'alphabetical-order'),
      ...declare(why, [0, 0.04], 'candidate/alphabet'),
      // As is which nouns are long.
      ...declare(why, [0, 0.15], 'letters/*', 'learned/*'),
      ...repeats(config),
    ]
  }
  const { construction, ask, terms } = config
  if (construction === 'twins') return []
  if (ask === 'judge') {
    const why = 'only the order of terms in a statement tells valid from invalid, and neighbouring words show it'
    if (construction === 'forms')
      return [
        ...declare(why, [-0.06, 0.1], 'learned/*'),
        ...declare(why, [0.01, 0.08], 'text/distinct-bigrams'),
        ...declare(why, [-0.03, 0.05], 'query/*'),
      ]
    return [
      ...declare(why, [-0.06, 0.27], 'text/distinct-bigrams', 'learned/*'),
      ...declare(why, [-0.03, 0.12], 'query/*', 'asked/*', 'places/*', 'raw/*'),
    ]
  }
  if (construction === 'padded') return []
  const why = 'without further statements every valid conclusion follows the atmosphere of its premises'
  const three = 'of two statements the first or the last that is mentioned is the subject'
  return [
    ...declare(why, [0.74, 0.76], 'atmosphere'),
    ...(terms === 3 ? declare(three, [0.05, 0.12], 'candidate/first-mention', 'candidate/last-mention') : []),
  ]
}

/** With further statements, so seldom that a set of the size a split allows (see the layout) holds one by chance if any. */
function repeats({ nouns, construction }: Config): readonly DeclaredShortcut[] {
  if (nouns !== 'congruent' || construction !== 'padded') return []
  const why = 'true statements about real nouns are few, so a set may occur twice'
  return [{ probe: 'duplicates', why, gain: [0, 0.001] }]
}

/** Without minimal pairs the positions of the statements on the path reveal the form. */
function ofForm({ construction, ask, terms }: Config): readonly DeclaredShortcut[] {
  if (construction === 'twins') return []
  if (ask === 'judge') {
    const why = 'a valid path has other term positions than one with a reversed step'
    return declare(
      why,
      construction === 'forms' ? [0.28, 0.37] : construction === 'path' ? [0.31, 0.5] : [0.15, 0.42],
      'local-*',
    )
  }
  if (construction === 'padded')
    return declare(
      'two statements show the path, and the form of a path is its answer',
      terms === 3 ? [0.33, 0.62] : [0.33, 0.75],
      'local-*',
    )
  const why = 'only the path is given, and the form of a path is its answer'
  return [
    ...declare(why, [0.68, 0.75], 'local-*'),
    ...declare(why, [0.55, 0.66], 'matching'),
    ...declare(why, [0, 0.33], 'first-mood', 'last-mood'),
    ...declare(why, terms === 3 ? [0.1, 0.17] : [-0.03, 0.04], 'learned/logistic'),
  ]
}

/** Premises by mood; the question has the terms of the conclusion, subject first. */
export function anonymize(question: Question): AnonymizedQuestion {
  const { ask } = question.given
  const judged = ask.kind === 'judge'
  return {
    kind: 'statements',
    statements: shownPremises(question).map(([kind, subject, predicate]) => ({
      kind,
      places: [subject, predicate],
    })),
    question: judged ? `judge ${ask.conclusion[0]}` : 'choose',
    asked: judged ? [ask.conclusion[1], ask.conclusion[2]] : [ask.subject, ask.predicate],
  }
}

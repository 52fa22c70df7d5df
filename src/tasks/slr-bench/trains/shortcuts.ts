import { pick } from '../../../core/random.ts'
import type { Baseline, DeclaredShortcut, RandomStreams, ShownRecords } from '../../../core/task.ts'
import type { Config } from './config.ts'
import { answerBlock } from './prompt.ts'
import {
  askedPredicate,
  EAST,
  type Given,
  type Question,
  type Shared,
  type Trains,
  usedValues,
  valueName,
} from './question.ts'
import { goalsOf, holds, type Rule, rulesOfAnyForm, rulesUpTo, ruleText } from './rule.ts'

/** Largest rules of any tier. */
const MAX = 3

const everything = (given: Given): string => answerBlock(`${askedPredicate(given)}(_).`)

const rightOf = (rule: Rule, { trains, east }: Trains): number =>
  trains.filter((train, i) => holds(rule, train) === east[i]).length

/** The first of the best. */
function best(rules: readonly Rule[], given: Trains): Rule {
  let found = rules[0] as Rule
  let most = -1
  for (const rule of rules) {
    const right = rightOf(rule, given)
    if (right > most) [found, most] = [rule, right]
  }
  return found
}

const ofTrains =
  (answer: (given: Trains, draws: RandomStreams) => Rule) =>
  ({ given }: Question, draws: RandomStreams): string =>
    given.kind === 'trains' ? answerBlock(ruleText(answer(given, draws))) : everything(given)

const oneProperty = ({ given }: Question): string =>
  given.kind === 'trains' ? answerBlock(ruleText(best(rulesUpTo(1), given))) : everything(given)

const rulesFor = (given: Trains): readonly Rule[] => (given.anyForm === true ? rulesOfAnyForm() : rulesUpTo(MAX))

export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  search: {
    kind: 'chat',
    note: 'The shortest rule that fits best, of all there are',
    answer: ofTrains((given) => best(rulesFor(given), given)),
  },
  'one-property': { kind: 'chat', note: 'The single property that fits best', answer: oneProperty },
  random: {
    kind: 'chat',
    note: 'A rule at random',
    answer: ofTrains((given, draws) =>
      pick(
        draws.stream('rule'),
        rulesFor(given).filter((rule) => given.anyForm === true || goalsOf(rule) <= given.goals),
      ),
    ),
  },
  everything: { kind: 'chat', note: `Every train is ${EAST}`, answer: ({ given }) => everything(given) },
}

/** Answers that a cue would make right. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  'answerer/one-property': oneProperty,
  'answerer/everything': ({ given }) => everything(given),
}

const ofBasic: readonly DeclaredShortcut[] = [
  {
    probe: '*',
    why: 'the rule of this tier is one property, which counts of properties reveal',
    gain: [-0.2, 1],
  },
]

const ofEasy: readonly DeclaredShortcut[] = ['answerer/most-frequent', 'answerer/best-constant'].map((probe) => ({
  probe,
  why: 'there are 90 rules, so a constant answer is sometimes correct',
  gain: [-0.02, 0.05],
}))

/** Gains of answers that ignore which train has which property. */
export const declaredShortcuts = ({ tier }: Config): readonly DeclaredShortcut[] =>
  tier === 'basic' ? ofBasic : tier === 'easy' ? ofEasy : []

/** The trains of a question, for the audit; a published prompt shows none as data. */
export const records = ({ given }: Question): ShownRecords =>
  given.kind === 'published'
    ? { records: [], parts: [] }
    : {
        records: given.trains,
        parts: usedValues(given).flatMap((values, field) =>
          values.map((value) => ({ field, value, part: valueName(field, value) })),
        ),
      }

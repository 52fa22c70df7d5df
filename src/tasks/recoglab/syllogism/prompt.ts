import { shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { branchOf } from '../../../libraries/language/taxonomy.ts'
import { goldLine } from '../common/answers.ts'
import { least } from '../common/names.ts'
import { inPromptOrder, viewStream } from '../common/presentation.ts'
import { type AnswerForm, about, shotsBy, type Wording } from '../common/prompt.ts'
import { type Config, config, judgedMoods } from './config.ts'
import { draw } from './draw.ts'
import { choices, type Given, moods, type Proposition, type Question, type Shared, sentence } from './question.ts'
import { beliefs } from './sampling/belief.ts'
import { NONE } from './sampling/twins.ts'

function questionLine(question: Question): string {
  const { ask, terms, existentialImport } = question.given
  const convention = existentialImport
    ? 'Assume that there is at least one of everything that is mentioned.'
    : 'A statement with "All" or "No" can be true where there are no such things; "Some" means at least one.'
  const rule = `Take the statements as true, whatever else you know. ${convention}`
  if (ask.kind === 'judge') return `${rule}\nDoes it follow that ${lower(sentence(ask.conclusion, terms))}?`
  const which = existentialImport
    ? `Which is the strongest of these that follows${ask.none ? ', if any' : ''}?`
    : `${ask.none ? 'At most' : 'Exactly'} one of these follows. Which one${ask.none ? ', if any' : ''}?`
  return `${rule}\n${which}\n${choices(question)
    .map((option) => `- ${option}`)
    .join('\n')}`
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function formOf({ given }: Question): AnswerForm {
  const [instruction, final] =
    given.ask.kind === 'judge'
      ? ['Decide between Yes and No.', 'either Yes or No']
      : given.ask.none
        ? ['Give one of the five answers listed, word for word.', 'that answer']
        : ['Give one of the four statements, word for word.', 'that statement']
  return { instruction, final, role: 'You are a careful logician. Only what is stated counts, never what is usual.' }
}

/** Answers take turns. */
const examples = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like })
  const turn = i + (shared.view[0] as number)
  const kinds = judgedMoods(full)
  const judged = {
    mood: kinds[turn % kinds.length] as string,
    answer: i % 2 === 0 ? 'Yes' : 'No',
    ...(full.nouns === 'crossed' ? { belief: beliefs[turn % beliefs.length] as string, pair: i % 2 } : {}),
  }
  if (full.construction === 'all-forms')
    return {
      config: full,
      levels: { figure: 1 + (turn % 4), major: moods[i % 4] as string, minor: moods[(turn + i) % 4] as string },
    }
  const answers = full.construction === 'twins' ? [...moods, NONE] : moods
  const levels = full.ask === 'judge' ? judged : { answer: answers[turn % answers.length] as string }
  return { config: full, levels }
})

export const wording: Wording<Shared, Given, string> = {
  lines: (question) => shownPremises(question).map((premise) => `${sentence(premise, question.given.terms)}.`),
  about: ({ terms }) => ({ ...about('kind', terms), home: branchOf(least(terms)) }),
  ask: questionLine,
  form: formOf,
  examples,
  gold: goldLine,
}

/**
 * The premises in prompt order. The two chains of a minimal pair keep one order of steps, and neighbours share no term;
 * otherwise local order would reveal which chain has a reversed statement.
 */
export function shownPremises({ shared, given }: Question): readonly Proposition[] {
  const { premises, terms, ask } = given
  const chains = ask.kind === 'judge' && terms.length === premises.length + 2
  if (!chains || shared.order !== 'random') return inPromptOrder(shared, premises)
  return interleaveChains(viewStream(shared, 'order'), premises)
}

/** Two chains of equal length, shuffled into each other. */
function interleaveChains(stream: Stream, premises: readonly Proposition[]): readonly Proposition[] {
  const steps = premises.length / 2
  const own = Array.from({ length: steps }, (_, i) => i)
  for (;;) {
    const order = shuffle(stream, own)
    const places = shuffle(
      stream,
      premises.map((_, i) => i % 2),
    )
    const taken = [0, 0]
    const shown = places.map((chain) => {
      const step = order[taken[chain] as number] as number
      taken[chain] = (taken[chain] as number) + 1
      return premises[chain * steps + step] as Proposition
    })
    if (shown.every((premise, i) => i === 0 || !touch(premise, shown[i - 1] as Proposition))) return shown
  }
}

const touch = ([, a, b]: Proposition, [, c, d]: Proposition): boolean => a === c || a === d || b === c || b === d

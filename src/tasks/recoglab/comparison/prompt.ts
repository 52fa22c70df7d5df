import type { Json } from '../../../core/json.ts'
import { coin } from '../../../core/random.ts'
import type { Problem } from '../../../core/task.ts'
import { neighbours, shortestPath } from '../../../libraries/graphs/graph.ts'
import { goldLine } from '../common/answers.ts'
import { inPromptOrder, viewStream } from '../common/presentation.ts'
import { type AnswerForm, about, shotsBy, type Wording } from '../common/prompt.ts'
import { type Config, config, distances } from './config.ts'
import { draw } from './draw.ts'
import { comparedIn, type Given, phrase, type Question, type Shared, type Statement, words } from './question.ts'

/** The statements in prompt order. */
export const shownStatements = ({ shared, given }: Question): readonly Statement[] =>
  inPromptOrder(shared, given.statements)

/** The statements as sentences, some reversed. */
function lines(question: Question): readonly string[] {
  const { shared, given } = question
  const side = viewStream(shared, 'sides')
  return shownStatements(question).map(([u, v]) => {
    const turn = coin(side)
    const fromGreater = shared.statementWords === 'random' ? turn : shared.statementWords === 'greater'
    return fromGreater ? comparedIn(given, 'greater', v, u) : comparedIn(given, 'lesser', u, v)
  })
}

function questionLine({ given }: Question): string {
  const { ask } = given
  if (ask.kind === 'consistency')
    return 'Do these statements agree with one another (Consistent), or do they contradict one another (Inconsistent)?'
  const line = `Is ${phrase(given, ask.first)} ${words[given.relation][ask.word]} than ${phrase(given, ask.second)}?`
  return ask.open ? `${line} If the statements leave it open, the answer is Unknown.` : line
}

function formOf({ given }: Question): AnswerForm {
  const [instruction, final] =
    given.ask.kind === 'consistency'
      ? ['Decide between Consistent and Inconsistent.', 'either Consistent or Inconsistent']
      : given.ask.open
        ? ['Decide between Yes, No and Unknown.', 'Yes, No or Unknown']
        : ['Decide between Yes and No.', 'either Yes or No']
  return {
    instruction,
    final,
    role: 'You take part in a study of reasoning. Read what you are told with care and rely on nothing else.',
  }
}

/** Labels take turns, distances are spread. */
const examples = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like, pairing: 'single' })
  const [low, high] = distances(full)
  const labels =
    full.ask === 'consistency'
      ? ['Consistent', 'Inconsistent']
      : full.ask === 'feasibility'
        ? ['Yes', 'Unknown', 'No']
        : ['Yes', 'No']
  const levels = {
    distance: low + (i % (high - low + 1)),
    word: i % 2 === 0 ? 'greater' : 'lesser',
    answer: labels[i % labels.length] as string,
  }
  return { config: full, levels }
})

export const wording: Wording<Shared, Given, string> = {
  lines,
  about: (given) => ({
    ...about(given.entityKind === 'names' ? 'person' : 'thing', given.entities),
    names: given.entities.map((_, i) => phrase(given, i)),
  }),
  ask: questionLine,
  form: formOf,
  examples,
  gold: goldLine,
}

/** The statements as arrows from lesser to greater; marked: the two entities and the path between them, or a circle. */
export function drawings({ shared, given, answer }: Problem<Shared, Given, string>): readonly Json[] {
  const { ask } = given
  const positions = shownStatements({ shared, given }).map((statement) => given.statements.indexOf(statement))
  const path = deciding(given)
  const on = new Set(path.slice(1).map((to, i) => `${path[i]} ${to}`))
  const ends = ask.kind === 'order' ? [ask.first, ask.second] : path
  return [
    {
      kind: 'graph',
      directed: true,
      nodes: given.entities.map((label, id) => ({ id, label, marked: ends.includes(id) })),
      edges: given.statements.map(([from, to]) => ({ from, to, marked: on.has(`${from} ${to}`) })),
      links: [
        ...wording.lines({ shared, given }).map((text, i) => ({ text, parts: [`edge/${positions[i]}`] })),
        ...given.entities.map((text, id) => ({ text, parts: [`node/${id}`] })),
      ],
      caption: `arrows point to what is ${words[given.relation].greater}; answer: ${answer}`,
    },
  ]
}

/** The deciding statements as a path along the arrows, or as a circle; empty: none. */
function deciding({ entities, statements, ask }: Given): readonly number[] {
  const lists = neighbours({ n: entities.length, edges: statements }, true)
  if (ask.kind === 'order')
    return shortestPath(lists, ask.first, ask.second) ?? shortestPath(lists, ask.second, ask.first) ?? []
  for (const [from, to] of statements) {
    const back = shortestPath(lists, to, from)
    if (back !== null) return [from, ...back]
  }
  return []
}

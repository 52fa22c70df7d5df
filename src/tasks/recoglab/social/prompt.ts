import type { Json } from '../../../core/json.ts'
import { coin } from '../../../core/random.ts'
import type { Problem } from '../../../core/task.ts'
import type { Edge } from '../../../libraries/graphs/graph.ts'
import { shuffledCycle } from '../common/filler.ts'
import { inPromptOrder, viewStream } from '../common/presentation.ts'
import { type AnswerForm, about, shotsBy, type Wording } from '../common/prompt.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { solve } from './oracle.ts'
import { goldText } from './parsers.ts'
import { type Answer, asksFamily, type Given, type Question, type Shared } from './question.ts'
import { explanation, isDirected, patternsOf } from './relations.ts'
import { distances } from './sampling/pairs.ts'

/** The edges in prompt order. */
export const shownEdges = ({ shared, given }: Question): readonly Edge[] => inPromptOrder(shared, given.edges)

function lines(question: Question): readonly string[] {
  const { shared, given } = question
  const directed = isDirected(given.relation)
  const sides = viewStream(shared, 'sides')
  const pattern = shuffledCycle(viewStream(shared, 'flavour'), patternsOf(given.relation, shared.wording))
  return shownEdges(question).map(([u, v]) => {
    const turn = coin(sides)
    const [a, b] = !directed && (shared.nameOrder === 'random' ? turn : u < v) ? [v, u] : [u, v]
    return pattern()
      .replaceAll('{a}', given.people[a] as string)
      .replaceAll('{b}', given.people[b] as string)
  })
}

function questionLine({ shared, given }: Question): string {
  const { ask, people } = given
  if (asksFamily(ask)) {
    const member = people[ask.member] as string
    const generation = `Everybody above belongs to the family of ${member}. A child is one generation below each parent.`
    if (ask.among !== null) {
      const named = ask.among.map((v) => people[v] as string)
      return `${generation} Exactly one of these people belongs to the ${ask.kind} generation of this family: ${named.slice(0, -1).join(', ')} and ${named.at(-1)}. Who?`
    }
    return `${generation} Name a member of the ${ask.kind} generation of this family; if there are several, any of them will do.`
  }
  const rule = explanation(given.relation, given.oneWay, shared.wording === 'flavoured')
  const [from, to] = [people[ask.from] as string, people[ask.to] as string]
  const wish = `${rule} ${from} has a message for ${to} that should arrive with as few hand-overs as possible.`
  if (ask.kind === 'hops')
    return `${wish} How many hand-overs does it take, counting the one in which ${to} receives it?`
  if (ask.kind === 'next-hop') return `${wish} To whom should ${from} hand it first?`
  return `${wish} Through whose hands does it pass, from ${from} to ${to}, both included? If there are several shortest ways, any of them will do.`
}

const role =
  'You are good at keeping track of people and how they are connected. Here is what is known about a group of them; read all of it before you answer.'

/** Lists are requested in a fenced block: Python by default, JSON or arrows by style. */
function formOf({ given }: Question, style: string): AnswerForm {
  switch (given.ask.kind) {
    case 'hops':
      return { instruction: 'Answer with a whole number in digits.', final: 'the number', role }
    case 'path':
      return { instruction: listInstruction(style), final: 'the list', role, fenced: true }
    default:
      return { instruction: 'Answer with one name.', final: 'the name', role }
  }
}

function listInstruction(style: string): string {
  if (style === 'json')
    return 'End with the names in order as a JSON array of strings in a fenced code block (```json).'
  if (style === 'arrows')
    return 'End with a fenced code block (```) that holds one line: the names in order with " -> " between them.'
  return 'End with the names in order as a Python list of strings in a fenced code block (```python).'
}

/** Distances are spread. */
const examples = shotsBy<Config, Shared, Given, Answer>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like, wording: shared.wording })
  if (full.ask === 'oldest' || full.ask === 'youngest') return { config: full, levels: {} }
  const [low, high] = distances(full)
  return { config: full, levels: { distance: low + ((i * 2) % (high - low + 1)) } }
})

export const wording: Wording<Shared, Given, Answer> = {
  lines,
  about: ({ people }) => about('person', people),
  ask: questionLine,
  form: formOf,
  examples,
  gold: goldText,
}

/** The network; marked: the path, or the accepted people. */
export function drawings({ shared, given, answer }: Problem<Shared, Given, Answer>): readonly Json[] {
  const { ask, people, edges, relation } = given
  const path = asksFamily(ask)
    ? []
    : solve({ shared, given: { ...given, ask: { kind: 'path', from: ask.from, to: ask.to } } })
  const good = new Set(asksFamily(ask) ? solve({ shared, given }) : path)
  const on = new Set(path.slice(1).map((v, i) => `${path[i]} ${v}`))
  const positions = shownEdges({ shared, given }).map((edge) => edges.indexOf(edge))
  return [
    {
      kind: 'graph',
      directed: isDirected(relation),
      nodes: people.map((label, id) => ({ id, label, marked: good.has(id) })),
      edges: edges.map(([from, to]) => ({ from, to, marked: on.has(`${from} ${to}`) || on.has(`${to} ${from}`) })),
      links: [
        ...wording.lines({ shared, given }).map((text, i) => ({ text, parts: [`edge/${positions[i]}`] })),
        ...people.map((text, id) => ({ text, parts: [`node/${id}`] })),
      ],
      caption: `answer: ${answer.join(ask.kind === 'path' ? ' -> ' : ' or ')}`,
    },
  ]
}

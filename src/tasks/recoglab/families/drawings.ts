import type { Json } from '../../../core/json.ts'
import { formats } from './prompt.ts'
import { type FamilyRecord, fullName, type Given, memberAt, type Person, type Question } from './question.ts'

/** What stands for a node in the prompt and in answers, and whether the question names it. */
interface Node {
  readonly id: number
  readonly texts: readonly string[]
  readonly marked: boolean
}

/** The records that the question needs, as arrows from families to members and from members to facts. */
export function drawings({ shared, given, answer }: Question & { readonly answer: string }): readonly Json[] {
  const { ask, families } = given
  const write = formats[shared.format]
  // What is named twice is one node.
  const nodes = new Map<string, Node>()
  const edges: { from: number; to: number }[] = []
  const node = (label: string, texts: readonly string[], marked = false): number => {
    if (!nodes.has(label)) nodes.set(label, { id: nodes.size, texts, marked })
    return (nodes.get(label) as Node).id
  }
  const edge = (from: number, to: number): void => void edges.push({ from, to })
  const family = (at: number): number => {
    const record = families[at] as FamilyRecord
    return node(record.surname, [write(record), record.surname], true)
  }
  const members = (at: number): void => {
    const from = family(at)
    for (const { name } of (families[at] as FamilyRecord).members)
      edge(from, node(`${name} ${families[at]?.surname}`, []))
  }
  const person = (who: Person): number => {
    const from = family(who[0])
    const name = fullName(given, who)
    const to = node(name, [name], true)
    edge(from, to)
    return to
  }
  const hobbies = (who: Person): void => {
    const from = person(who)
    for (const hobby of memberAt(given, who).hobbies) edge(from, node(hobby, [hobby], isAsked(given, hobby)))
  }
  switch (ask.kind) {
    case 'size':
      members(ask.family)
      break
    case 'larger':
      for (const at of ask.families) members(at)
      break
    case 'hobby':
      hobbies(ask.person)
      break
    case 'older':
      for (const who of ask.people) edge(person(who), node(`${memberAt(given, who).age} years`, []))
      break
    case 'shared-hobbies':
      for (const who of ask.people) hobbies(who)
  }
  const left = families.length - families.filter(({ surname }) => nodes.has(surname)).length
  return [
    {
      kind: 'graph',
      directed: true,
      title: 'What is looked up',
      nodes: [...nodes].map(([label, { id, marked }]) => ({ id, label, marked })),
      edges,
      links: [...nodes.values()].flatMap(({ id, texts }) => texts.map((text) => ({ text, parts: [`node/${id}`] }))),
      caption: `answer: ${answer}; ${left === 1 ? 'one other record decides' : `${left} other records decide`} nothing`,
    },
  ]
}

/** Is the hobby in the question, or shared by both people? */
function isAsked(given: Given, hobby: string): boolean {
  const { ask } = given
  if (ask.kind === 'hobby') return hobby === ask.hobby
  return ask.kind === 'shared-hobbies' && ask.people.every((who) => memberAt(given, who).hobbies.includes(hobby))
}

import type { Json } from '../../../core/json.ts'
import { formats } from './prompt.ts'
import { type FamilyRecord, fullName, type Given, memberAt, type Person, type Question } from './question.ts'

interface Node {
  readonly label: string
  readonly marked: boolean
  /** What stands for it in the prompt and in answers. */
  readonly texts: readonly string[]
}

/** A graph that grows node by node: what is named twice is one node. */
class GraphBuilder {
  readonly nodes: Node[] = []
  readonly edges: { from: number; to: number }[] = []

  node(label: string, texts: readonly string[], marked = false): number {
    const known = this.nodes.findIndex((node) => node.label === label)
    return known >= 0 ? known : this.nodes.push({ label, texts, marked }) - 1
  }
  edge(from: number, to: number): void {
    this.edges.push({ from, to })
  }
}

/** The records that the question needs, as arrows from families to members and from members to facts. */
export function drawings({ shared, given, answer }: Question & { readonly answer: string }): readonly Json[] {
  const { ask, families } = given
  const write = formats[shared.format]
  const drawn = new GraphBuilder()
  const family = (at: number): number => {
    const record = families[at] as FamilyRecord
    return drawn.node(record.surname, [write(record), record.surname], true)
  }
  const members = (at: number): void => {
    const from = family(at)
    for (const { name } of (families[at] as FamilyRecord).members)
      drawn.edge(from, drawn.node(`${name} ${families[at]?.surname}`, []))
  }
  const person = (who: Person): number => {
    const from = family(who[0])
    const name = fullName(given, who)
    const to = drawn.node(name, [name], true)
    drawn.edge(from, to)
    return to
  }
  const hobbies = (who: Person): void => {
    const from = person(who)
    for (const hobby of memberAt(given, who).hobbies)
      drawn.edge(from, drawn.node(hobby, [hobby], isAsked(given, hobby)))
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
      for (const who of ask.people) drawn.edge(person(who), drawn.node(`${memberAt(given, who).age} years`, []))
      break
    case 'shared-hobbies':
      for (const who of ask.people) hobbies(who)
  }
  const left =
    families.length -
    new Set(drawn.nodes.flatMap(({ label }) => families.filter(({ surname }) => surname === label))).size
  return [
    {
      kind: 'graph',
      directed: true,
      title: 'What is looked up',
      nodes: drawn.nodes.map(({ label, marked }, id) => ({ id, label, marked })),
      edges: drawn.edges,
      links: drawn.nodes.flatMap(({ texts }, id) => texts.map((text) => ({ text, parts: [`node/${id}`] }))),
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

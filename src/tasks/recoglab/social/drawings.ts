import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { solve } from './oracle.ts'
import { shownEdges, wording } from './prompt.ts'
import { type Answer, asksFamily, type Given, type Shared } from './question.ts'
import { isDirected } from './relations.ts'

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

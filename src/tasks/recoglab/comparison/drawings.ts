import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { neighbours, shortestPath } from '../../../libraries/graphs/graph.ts'
import { shownStatements, wording } from './prompt.ts'
import { type Given, type Shared, words } from './question.ts'

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

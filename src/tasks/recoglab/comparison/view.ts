import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { shownStatements, wording } from './prompt.ts'
import type { Given, Shared } from './question.ts'

/** The statements as arrows from lesser to greater, with the two asked about marked. */
export function view({ shared, given, answer }: Problem<Shared, Given, string>): readonly Json[] {
  const { ask } = given
  const told = shownStatements({ shared, given }).map((statement) => given.statements.indexOf(statement))
  return [
    {
      kind: 'graph',
      directed: true,
      nodes: given.entities.map((label, id) => ({
        id,
        label,
        marked: ask.kind === 'order' && (id === ask.first || id === ask.second),
      })),
      edges: given.statements.map(([from, to]) => ({ from, to })),
      links: [
        ...wording.lines({ shared, given }).map((text, i) => ({ text, parts: [`edge/${told[i]}`] })),
        ...given.entities.map((text, id) => ({ text, parts: [`node/${id}`] })),
      ],
      caption: `${ask.kind === 'order' ? 'arrows point to the greater' : 'statements'}; answer: ${answer}`,
    },
  ]
}

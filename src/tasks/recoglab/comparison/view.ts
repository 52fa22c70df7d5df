import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import type { Given, Shared } from './question.ts'

/** The statements as arrows from lesser to greater, with the two asked about marked. */
export function view({ given, answer }: Problem<Shared, Given, string>): readonly Json[] {
  const { ask } = given
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
      caption: `${ask.kind === 'order' ? 'arrows point to the greater' : 'statements'}; answer: ${answer}`,
    },
  ]
}

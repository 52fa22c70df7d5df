import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { shownFacts, storyOf } from './prompt.ts'
import type { Answer, Given, Shared } from './question.ts'

/** The relations of the story, with the family of the question marked; for a published story the chain in its file. */
export function drawings({ shared, given, answer }: Problem<Shared, Given, Answer>): readonly Json[] {
  if (given.kind === 'story')
    return [
      {
        kind: 'text',
        text: `${given.asked[0]} is the ${answer} of ${given.asked[1]}`,
        caption: given.chain === null ? 'the file tells no chain' : `the chain of the file: ${given.chain.join(', ')}`,
      },
    ]
  const { people, facts, asked } = given
  const on = new Set([asked[0]])
  for (let grown = 0; grown !== on.size; ) {
    grown = on.size
    for (const [a, , b] of facts) if (on.has(a) || on.has(b)) on.add(a).add(b)
  }
  const positions = shownFacts(shared, given).map((fact) => facts.indexOf(fact))
  return [
    {
      kind: 'graph',
      directed: true,
      nodes: people.map((label, id) => ({ id, label, marked: asked.includes(id) })),
      edges: facts.map(([from, , to]) => ({ from, to, marked: on.has(from) })),
      links: [
        ...storyOf(shared, given).map((text, i) => ({ text, parts: [`edge/${positions[i]}`] })),
        ...people.map((text, id) => ({ text, parts: [`node/${id}`] })),
      ],
      caption: `answer: ${people[asked[0]]} is the ${answer} of ${people[asked[1]]}`,
    },
  ]
}

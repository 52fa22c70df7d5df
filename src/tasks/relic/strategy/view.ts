import type { Json } from '../../../core/index.ts'
import { stated } from '../recognize/reading/stated.ts'
import type { StrategyQuestion } from './prompt.ts'

/** Steps that are listed. */
const MAX = 200

/** The trace as data: every stated step where it stands in the response, and whether it is true. */
export function view({ shared, given }: StrategyQuestion): readonly Json[] {
  const { steps, unknown } = stated({ shared, given }, given.response)
  const told = steps
    .slice(0, MAX)
    .map(({ span, holds }) => `${holds ? 'true ' : 'FALSE'}  ${given.response.slice(...span).trim()}`)
  const more = steps.length > MAX ? [`and ${steps.length - MAX} more`] : []
  const strangers = [...new Set(unknown)]
  return [
    {
      kind: 'text',
      title: `${steps.length} stated steps, ${steps.filter(({ holds }) => holds).length} of them true`,
      text: [
        ...told,
        ...more,
        ...(strangers.length === 0 ? [] : [`symbols that the grammar does not have: ${strangers.join(', ')}`]),
      ].join('\n'),
    },
  ]
}

import type { Json } from '../../../core/index.ts'
import { checkSteps } from '../recognize/proof.ts'
import type { StrategyQuestion } from './prompt.ts'

/** Steps that are listed. */
const MAX = 200

/** The trace as data: every stated step where it stands in the response, and whether it is true. */
export function drawings({ shared, given }: StrategyQuestion): readonly Json[] {
  const { steps, unknown } = checkSteps({ shared, given }, given.response)
  const rows = steps
    .slice(0, MAX)
    .map(({ span, holds }) => `${holds ? 'true ' : 'FALSE'}  ${given.response.slice(...span).trim()}`)
  const more = steps.length > MAX ? [`and ${steps.length - MAX} more`] : []
  const strangers = [...new Set(unknown)]
  return [
    {
      kind: 'text',
      title: `${steps.length} stated steps, ${steps.filter(({ holds }) => holds).length} of them true`,
      text: [
        ...rows,
        ...more,
        ...(strangers.length === 0 ? [] : [`symbols that the grammar does not have: ${strangers.join(', ')}`]),
      ].join('\n'),
    },
  ]
}

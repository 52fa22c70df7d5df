import { type Analysis, optional, table } from '../../core/index.ts'
import { meanOrNull, median, sum, takeKnown } from '../../libraries/statistics/index.ts'
import { conditionsOf, count, model } from './conditions.ts'

/** Tokens, seconds and money that the responses took. */
export const usage: Analysis = {
  id: 'core/usage',
  title: 'Tokens, time and cost',
  question: 'cost',
  notes: ['Means, medians and totals over the calls for which the number is known.'],
  needs: ['task', 'config', 'style', 'model'],
  run(frame) {
    const { systems, columns } = conditionsOf(frame)
    const known = (name: string, rows: Int32Array) =>
      frame.has(name) ? takeKnown(frame.number(name), rows) : new Float64Array()
    const total = (values: Float64Array) => (values.length === 0 ? null : sum(values))
    const rows = systems.map(({ key, rows: own }) => ({
      ...key,
      calls: own.length,
      inputTokens: meanOrNull(known('input_tokens', own)),
      outputTokens: meanOrNull(known('output_tokens', own)),
      reasoningTokens: meanOrNull(known('reasoning_tokens', own)),
      outputTotal: total(known('output_tokens', own)),
      seconds: median(known('seconds', own)),
      usd: total(known('usd', own)),
    }))
    const made = table(
      'core/usage',
      'Tokens, time and cost by model',
      [
        ...columns,
        model,
        count('calls', 'Calls'),
        optional(count('inputTokens', 'Input tokens (mean)')),
        optional(count('outputTokens', 'Output tokens (mean)')),
        optional(count('reasoningTokens', 'Reasoning tokens (mean)')),
        optional(count('outputTotal', 'Output tokens (total)')),
        optional(count('seconds', 'Time (median)', 's')),
        optional(count('usd', 'Cost (total)', 'USD')),
      ],
      rows,
    )
    const isKnown = rows.some((row) =>
      [row.inputTokens, row.outputTokens, row.reasoningTokens, row.seconds, row.usd].some((x) => x !== null),
    )
    return { tables: isKnown ? [made] : [] }
  },
}

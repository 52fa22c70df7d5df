import { balancedBlocks, type Layout, type RandomStreams } from '../../../core/index.ts'
import type { Config } from './config.ts'

/**
 * Lengths in every grammar, each with as many positives as negatives; where lengths are not matched, the classes are
 * cells of their own and one may stay empty while the other fills.
 */
export function layout(config: Config, draws: RandomStreams): Layout {
  const lengths = Array.from({ length: config.maxLength - config.minLength + 1 }, (_, i) => config.minLength + i)
  const groups = { layout: 'group-major', count: config.grammars } as const
  const labels = [true, false]
  if (config.lengths === 'matched')
    return balancedBlocks(
      {
        factors: ['length'],
        units: lengths.map((length) => ({ levels: { length }, capacity: config.perCell })),
        label: { name: 'label', levels: labels },
        groups,
        ...(config.twins === 'together' ? { twins: true } : {}),
      },
      draws,
    )
  const units = lengths.flatMap((length) =>
    labels.map((label) => ({ levels: { label, length }, capacity: config.perCell })),
  )
  // The label is no factor: were it one, labels would alternate inside a round and an index tell them by its parity.
  return balancedBlocks({ factors: ['length'], units, groups }, draws)
}

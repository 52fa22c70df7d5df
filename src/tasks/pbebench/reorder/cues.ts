import type { Cue } from '../../../core/index.ts'
import type { Config } from './config.ts'

/**
 * Shortcuts that reordering has by its nature: few orders of a few rules, several of which may work, and an order shown
 * that is known to be wrong. The gains are what was measured for the presets.
 */
export const cues = (config: Config): readonly Cue[] =>
  config.scramble === 'fb-swap' ? ofOneExchange : ofShownOrder(config)

const ofOneExchange: readonly Cue[] = [
  {
    probe: '*',
    why: 'one exchange of two rules: few orders are ever right, and the number of rules shown says which may be; with two rules it is always the same one',
    gain: [-0.6, 0.6],
    condition: 'length',
  },
  ...['feature/validOrders=*', 'feature/unique=*', 'learned/logistic'].map(
    (probe): Cue => ({
      probe,
      why: 'the published scramble keeps the first exchange that matters: early rules are exchanged more often, the more so the fewer orders work',
      gain: [-0.6, 0.6],
    }),
  ),
]

function ofShownOrder({ lengths }: Config): readonly Cue[] {
  const shortest = Math.min(...lengths)
  // One constant order: 24 % of three to five rules, 5 % of six to twelve.
  const constant = shortest <= 2 ? 1 : shortest <= 5 ? 0.35 : 0.1
  const few = `a cascade of ${shortest} rules has few orders, and more than one may work: one constant order passes so often`
  return [
    { probe: 'answerer/best-constant', why: few, gain: [0, constant] },
    { probe: 'answerer/most-frequent', why: few, gain: [0, constant] },
    {
      probe: 'answerer/reversed',
      why: 'the order shown is wrong by construction; where one pair of rules matters, its reverse is then right',
      gain: [0.5, 1],
    },
  ]
}

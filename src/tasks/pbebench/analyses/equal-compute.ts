import { type Analysis, type Frame, figure, marksBy, tableOf } from '../../../core/index.ts'
import { analysisStream, clusterBootstrap, passAtK, type RowKey } from '../../../libraries/statistics/index.ts'
import {
  at,
  byItem,
  conditionsOf,
  estimate,
  mean,
  model,
  modelOf,
  number,
  numbers,
  overItems,
  PAPER,
  passes,
  settingsOf,
  text,
} from './common.ts'

const UNITS = [
  ['usd', 'USD'],
  ['output_tokens', 'output tokens'],
] as const

/** What one item got of one setting. */
interface Solved {
  /** Mean over its samples, in the unit of compute. */
  readonly spent: number
  /** pass@k for k = 0, 1, .. samples. */
  readonly pass: readonly number[]
}

interface Way {
  readonly setting: string
  readonly items: ReadonlyMap<number, Solved>
  /** Samples that every item has. */
  readonly samples: number
  readonly spent: number
}

/** One setting of a model: items with their compute and pass@k. null where the compute of no item is known. */
function wayOf(frame: Frame, rows: Int32Array, spent: Float64Array): Way | null {
  const [pass, codes] = [passes(frame), frame.category('item').codes]
  const items = byItem(frame, rows).flatMap((own): [number, Solved][] => {
    const scored = own.filter((row) => !Number.isNaN(pass[row]))
    const cost = mean(at(spent, scored))
    const right = scored.filter((row) => pass[row] === 1).length
    if (cost === null) return []
    const passed = Array.from({ length: scored.length + 1 }, (_, k) => (k === 0 ? 0 : passAtK(scored.length, right, k)))
    return [[codes[own[0] as number] as number, { spent: cost, pass: passed }]]
  })
  const average = mean(items.map(([, item]) => item.spent))
  if (average === null || average === 0) return null
  const { maxTokens, effort } = settingsOf(frame, rows)
  const setting = [effort, maxTokens === null ? null : `${maxTokens} tokens`].filter((part) => part !== null).join(', ')
  const samples = Math.min(...items.map(([, item]) => item.pass.length - 1))
  return { setting: setting === '' ? 'default' : setting, items: new Map(items), samples, spent: average }
}

/** pass@k of an item, linear between whole numbers of samples. */
const passAt = ({ pass }: Solved, k: number): number => {
  const [low, high] = [pass[Math.floor(k)] ?? Number.NaN, pass[Math.ceil(k)] ?? Number.NaN]
  return low + (k - Math.floor(k)) * (high - low)
}

/**
 * Samples of the cheaper setting that cost as much as one of the dearer, and pass@1 of the dearer less pass@k of the cheaper. Items are
 * drawn with replacement, and both the exchange rate and the rates of success follow them.
 */
function compare(cheap: Way, dear: Way, seed: number) {
  const both = [...dear.items].flatMap(([item, a]) => {
    const b = cheap.items.get(item)
    return b === undefined ? [] : [[a, b] as const]
  })
  const over = (counts: ArrayLike<number>, of: (pair: readonly [Solved, Solved]) => number): number =>
    both.reduce((sum, pair, i) => sum + (counts[i] as number) * of(pair), 0)
  const rate = (counts: ArrayLike<number>): number => over(counts, ([a]) => a.spent) / over(counts, ([, b]) => b.spent)
  const ones = new Int32Array(both.length).fill(1)
  const k = rate(ones)
  const sampled = over(ones, ([, b]) => passAt(b, Math.min(k, cheap.samples))) / both.length
  const difference = clusterBootstrap(
    both.length,
    both.length,
    (counts) => {
      const samples = rate(counts)
      return samples > cheap.samples ? null : over(counts, ([a, b]) => passAt(a, 1) - passAt(b, samples)) / both.length
    },
    { stream: analysisStream(seed, `pbebench/equal-compute\n${cheap.setting}\n${dear.setting}`) },
  )
  return {
    k,
    thought: over(ones, ([a]) => passAt(a, 1)) / both.length,
    sampled,
    difference,
    enough: k <= cheap.samples,
  }
}

/** Hypothesis H4: does thought or do further samples buy more at equal compute? */
export const equalCompute: Analysis = {
  id: 'pbebench/equal-compute',
  title: 'Thinking or sampling, at equal compute',
  source: { paper: PAPER, item: 'Hypothesis H4, section 6' },
  notes: [
    'Compute: output tokens, hidden reasoning included, and cost where every response has one. pass@k: solved by one of k samples.',
    'One sample of the dearer setting against as many of the cheaper as cost the same; pass@k is linear between whole k. CI: bootstrap over items.',
    'The difference is empty where the run has too few samples of the cheaper setting.',
  ],
  needs: ['score', 'settings', 'sample'],
  run(frame, { seed }) {
    const { conditions, columns, panel } = conditionsOf(frame)
    const found = conditions.flatMap(({ systems }) =>
      [...Map.groupBy(systems, ({ rows }) => modelOf(frame, rows))].flatMap(([name, ways]) => {
        const key: RowKey = { ...ways[0]?.key, model: name }
        return UNITS.flatMap(([column, unit]) => {
          const spent = numbers(frame, column)
          if (!ways.every(({ rows }) => rows.every((row) => (spent[row] as number) >= 0))) return []
          const all = ways.flatMap(({ rows }) => wayOf(frame, rows, spent) ?? [])
          return all.length === 0 ? [] : [{ key, unit, ways: all.sort((a, b) => a.spent - b.spent) }]
        })
      }),
    )
    const points = found.flatMap(({ key, unit, ways }) =>
      ways.flatMap((way) => Array.from({ length: way.samples }, (_, i) => ({ key, unit, way, k: i + 1 }))),
    )
    const spending = tableOf('pbebench/equal-compute', 'Pass rate by compute', [...columns, model], points, [
      [text('setting', 'Setting'), ({ way }) => way.setting],
      [number('k', 'Samples'), ({ k }) => k],
      [text('unit', 'Unit'), ({ unit }) => unit],
      [number('spent', 'Compute per item'), ({ way, k }) => k * way.spent],
      [
        estimate('pass', 'pass@k'),
        ({ way, k }) => overItems(Array.from(way.items.values(), (item) => item.pass[k] as number)),
      ],
      [
        text('panel', 'Panel'),
        ({ key, unit }) => [key['model'], panel === undefined ? null : key[panel], unit].filter(Boolean).join(', '),
      ],
    ])
    const pairs = found.flatMap(({ key, unit, ways }) =>
      ways.flatMap((cheap, i) =>
        ways.slice(i + 1).map((dear) => ({ key, unit, cheap, dear, ...compare(cheap, dear, seed) })),
      ),
    )
    const title = 'One sample of more thought against samples of less, at equal compute'
    const isocost = tableOf('pbebench/equal-compute-pairs', title, [...columns, model], pairs, [
      [text('dear', 'More thought'), ({ dear }) => dear.setting],
      [text('cheap', 'Less thought'), ({ cheap }) => cheap.setting],
      [text('unit', 'Unit'), ({ unit }) => unit],
      [number('k', 'Samples of less thought'), ({ k }) => k],
      [number('thought', 'pass@1 of more', 'share'), ({ thought }) => thought],
      [number('sampled', 'pass@k of less', 'share'), ({ sampled, enough }) => (enough ? sampled : null)],
      [estimate('difference', 'More − less'), ({ difference, enough }) => (enough ? difference : null)],
    ])
    const curve = figure(spending, {
      title: 'Pass rate by compute',
      x: { key: 'spent', scale: 'log' },
      y: 'pass',
      facet: 'panel',
      marks: marksBy('setting', 'line', 'point', 'interval'),
    })
    return { tables: [spending, isocost], figures: [curve] }
  },
}

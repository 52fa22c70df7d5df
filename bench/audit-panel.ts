import { KeySpace, rootKey, streamFromKey } from '../src/core/index.ts'
import { decide } from '../src/datasets/audit/decide.ts'
import { localProbes } from '../src/datasets/audit/locality/probes.ts'
import { probeSet } from '../src/datasets/audit/probe-set.ts'
import type { Test } from '../src/datasets/audit/report.ts'
import { wilson } from '../src/libraries/statistics/index.ts'
import { leaks, planted } from './audit/panel.ts'
import { noiseTask } from './audit/simulate.ts'
import type { BenchTable } from './table.ts'

/** Items of a set, and what share of the leaks is to be found. */
const sizes = [
  { items: 2000, goal: 0.7 },
  { items: 12_000, goal: 0.8 },
] as const
const cleanItems = 1000
const cleanSets: { readonly [size: string]: number } = { quick: 4, large: 300 }

function failed(items: number, seed: number, leak?: (typeof leaks)[string]): Test[] {
  const { family, local } = planted(items, seed, leak)
  const space = new KeySpace(rootKey('bench/panel', 1, 'audit', String(seed)))
  let probe = 0
  return decide([...probeSet(noiseTask, family, []).measured, ...localProbes(local, []).measured], {
    alpha: 0.01,
    stream: () => streamFromKey(space.key('perm', [probe++])),
  }).filter(({ status }) => status === 'fail')
}

/** The held-out panel: leaks that no probe was made for, and as many sets without one. */
export async function run(): Promise<readonly BenchTable[]> {
  const size = process.env['TOUCHSTONE_BENCH'] ?? ''
  const rows = Object.entries(leaks).map(([name, leak], i) => [
    name,
    ...(size === 'quick' ? sizes.slice(0, 1) : sizes).flatMap(({ items }) => {
      const found = failed(items, i + 1, leak).toSorted((a, b) => a.p - b.p || Math.abs(b.z) - Math.abs(a.z))
      return [found.length > 0 ? 'found' : '-', found[0]?.probe ?? '', found[0]?.gain.toFixed(3) ?? '']
    }),
  ])
  const shares = sizes.map(({ items, goal }, s) => {
    const found = rows.filter((row) => row[1 + 3 * s] === 'found').length
    return `${items} items: ${found} of ${rows.length} found, goal ${goal * rows.length}`
  })
  const clean = cleanSets[size] ?? 60
  const alarms = Array.from({ length: clean }, (_, i) => failed(cleanItems, 1000 + i)).filter(
    ({ length }) => length > 0,
  )
  const interval = wilson(alarms.length, clean)
  return [
    {
      title: 'Audit on the held-out panel: rules right in .75 of the items',
      columns: ['leak', ...sizes.flatMap(({ items }) => [`${items}`, 'strongest probe', 'gain'])],
      rows,
      notes: [...shares, 'a rule that is always followed in three of four items has a gain of .25'],
    },
    {
      title: 'Audit on sets of the panel without a leak: false alarms at 0.01 per set',
      columns: ['items', 'sets', 'flagged', '95 % interval'],
      rows: [
        [
          cleanItems,
          clean,
          alarms.length,
          interval === null ? '' : `${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`,
        ],
      ],
      notes: alarms.flatMap((tests) => tests.map(({ probe }) => `flagged by ${probe}`)),
    },
  ]
}

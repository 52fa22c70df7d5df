import { KeySpace, rootKey, streamFromKey } from '../src/core/index.ts'
import { decide } from '../src/datasets/audit/decide.ts'
import { localProbes } from '../src/datasets/audit/locality/probes.ts'
import { probeSet } from '../src/datasets/audit/probe-set.ts'
import { wilson } from '../src/libraries/statistics/index.ts'
import { noiseTask } from './audit/simulate.ts'
import { type Kind, kinds, structured } from './audit/structured.ts'
import type { BenchTable } from './table.ts'

/** Sets at scale 1, over the kinds in turn. */
const sets = 300
const items = 1000
const scales: { readonly [size: string]: number } = { quick: 0.02, large: 1 }

/** Which probes call a clean set bad, and how many decide. */
function tried(seed: number, kind: Kind): { readonly failed: readonly string[]; readonly probes: number } {
  const { family, seen } = structured(items, seed, kind)
  const space = new KeySpace(rootKey('bench/attacker', 1, 'audit', String(seed)))
  let probe = 0
  const tests = decide([...probeSet(noiseTask, family, []).measured, ...localProbes(seen, []).measured], {
    alpha: 0.01,
    stream: () => streamFromKey(space.key('perm', [probe++])),
  })
  return { failed: tests.filter(({ status }) => status === 'fail').map((test) => test.probe), probes: tests.length }
}

/**
 * False alarms of the whole audit, text and structure together: every probe of the battery and of the attacker, across and
 * inside groups, by Holm at 0.01 a set.
 */
export async function run(): Promise<BenchTable> {
  const scale = scales[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 0.2
  const count = Math.max(kinds.length, Math.round(sets * scale))
  const rows: (string | number)[][] = []
  const names: string[] = []
  const totals = { sets: 0, flagged: 0 }
  const row = (kind: string, of: number, flagged: number, probes: number | '', seconds: number | '') => {
    const interval = wilson(flagged, of)
    const shown = interval === null ? '' : `${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`
    rows.push([kind, of, probes, flagged, Number((flagged / of).toFixed(4)), shown, seconds])
  }
  for (const [k, kind] of kinds.entries()) {
    let [flagged, probes, own] = [0, 0, 0]
    const started = process.cpuUsage()
    for (let seed = k; seed < count; seed += kinds.length) {
      const result = tried(seed, kind)
      own++
      probes = Math.max(probes, result.probes)
      if (result.failed.length > 0) flagged++
      names.push(...result.failed)
    }
    row(kind, own, flagged, probes, Number((process.cpuUsage(started).user / 1e6 / own).toFixed(2)))
    totals.sets += own
    totals.flagged += flagged
  }
  row('all', totals.sets, totals.flagged, '', '')
  return {
    title: 'Audit on clean simulated sets: false alarms at 0.01 per set',
    columns: ['sets of', 'sets', 'probes at most', 'flagged', 'share', '95 % interval', 'CPU s per set'],
    rows,
    notes: [
      `${items} items a set; neither words, lengths, order nor structure have a part in the answer`,
      'all probes decide: texts, features, learners of structure across and inside groups, worst groups',
      ...(names.length > 0 ? [`probes that called a set bad: ${names.join(', ')}`] : []),
      `scale ${scale}: ${scale === 1 ? 'as many sets as specified' : 'TOUCHSTONE_BENCH=large makes as many sets as specified'}`,
    ],
  }
}

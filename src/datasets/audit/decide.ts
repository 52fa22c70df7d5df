import type { Cue, Stream } from '../../core/index.ts'
import { holm, normalQuantile } from '../../stats/index.ts'
import type { Measured } from './measure.ts'
import { permutationP } from './permute.ts'
import type { Audit, Test } from './report.ts'

export const alpha = 0.01

/** Does a cue speak of this probe? A cue may end in `*`. */
export const matches = (cue: Cue, probe: string): boolean =>
  cue.probe.endsWith('*') ? probe.startsWith(cue.probe.slice(0, -1)) : cue.probe === probe

/**
 * Holm over all tests of the deciding mode. Small p-values come from permutations where that can be had
 * (integrity 3.2, 3.6).
 */
export function decide(
  measured: readonly Measured[],
  options: {
    readonly alpha: number
    readonly deciding: 'across' | 'within'
    readonly stream: (probe: string) => Stream
  },
): Test[] {
  const decides = (test: { readonly mode: Test['mode'] }) => test.mode === 'all' || test.mode === options.deciding
  const family = measured.filter(({ test }) => decides(test))
  const refined = measured.map((entry) => {
    const { test, permutable } = entry
    const tail = 10 * (options.alpha / Math.max(1, family.length))
    const hopeless = Math.abs(test.z) > 8 && test.n > 200
    if (!decides(test) || permutable === undefined || hopeless) return test
    if (!(test.p < tail || (test.n > 0 && test.n < 200))) return test
    const { scored, blocks, oneSided } = permutable
    const p = permutationP(scored, blocks, () => true, options.stream(test.probe), oneSided)
    return p === null ? test : { ...test, p, method: 'permutation' as const }
  })
  const inFamily = refined.filter(decides)
  const adjusted = holm(inFamily.map((test) => test.p))
  const place = new Map(inFamily.map((test, i) => [test, adjusted[i] as number]))
  return refined.map((test): Test => {
    const pAdjusted = place.get(test)
    if (pAdjusted === undefined) return { ...test, pAdjusted: 1, status: 'reported' }
    return { ...test, pAdjusted, status: pAdjusted < options.alpha ? 'fail' : 'pass' }
  })
}

/** What a declared cue makes of a test that was measured without the cue's condition. */
export function judgeCue(cue: Cue, test: Test, significance: number): Test {
  const [low, high] = cue.gain
  const significant = test.p < significance
  const inside = test.ci[1] >= low && test.ci[0] <= high
  const status = inside ? (significant || low <= 0 ? 'declared' : 'stale') : significant ? 'fail' : 'stale'
  return { ...test, status, cue: cue.why }
}

/** The gain that the family would find with power 80 %. */
export const detectableGain = (level: number, tests: number, live: number): number =>
  live > 0 ? (normalQuantile(1 - level / (2 * Math.max(1, tests))) + 0.8416) / (2 * Math.sqrt(live)) : 1

const z99OneSided = 2.3263478740408

/** The upper 99 % limit of the largest gain among tests that decide and are not declared. */
export function boundOf(tests: readonly Test[]): Audit['bound'] {
  let best: Audit['bound'] = null
  for (const test of tests) {
    if (test.status === 'declared' || test.status === 'stale' || test.status === 'reported' || test.n === 0) continue
    const gain = Math.abs(test.gain)
    const se = (test.ci[1] - test.ci[0]) / (2 * 2.5758293035489)
    const upper = gain + z99OneSided * se
    if (best === null || gain > best.gain) best = { probe: test.probe, gain, upper }
  }
  return best
}

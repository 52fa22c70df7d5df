import type { DeclaredShortcut, Stream } from '../../core/index.ts'
import { holm, normalQuantile } from '../../libraries/statistics/index.ts'
import type { Measured } from './measure.ts'
import { permutable, permutationP } from './permute.ts'
import type { Audit, Power, Test } from './report.ts'

/** The chance that a clean set is called bad, where nothing else is asked for. */
export const DEFAULT_ALPHA = 0.01

/** The gain that a pass must have been able to see, where nothing else is asked for. */
export const DEFAULT_MIN_EFFECT = 0.02

/** Which learned probes decide: those fitted on other groups, inside groups, or both. */
export type CrossFitting = 'across' | 'within' | 'both'

export interface Decision {
  readonly alpha: number
  readonly deciding: CrossFitting
  /** The keyed stream of a probe's permutations. */
  readonly stream: (probe: string) => Stream
}

/** Holm over all tests of the deciding mode; the others are reported. */
export function decide(measured: readonly Measured[], decision: Decision): Test[] {
  const decides = ({ test }: Measured) =>
    test.mode === 'all' || decision.deciding === 'both' || test.mode === decision.deciding
  const family = measured.filter(decides)
  const p = new Map(family.map((entry) => [entry, exactTail(entry, family.length, decision)]))
  const adjusted = holm([...p.values()].map((tail) => tail.p))
  const place = new Map(family.map((entry, i) => [entry, adjusted[i] as number]))
  return measured.map((entry): Test => {
    const pAdjusted = place.get(entry)
    const detectable = detectableIn(entry.test, decision.alpha / Math.max(1, family.length))
    if (pAdjusted === undefined)
      return { ...entry.test, minimumDetectable: detectable, pAdjusted: 1, status: 'informational' }
    const tail = p.get(entry) as Tail
    return {
      ...entry.test,
      ...tail,
      minimumDetectable: detectable,
      pAdjusted,
      status: pAdjusted < decision.alpha ? 'fail' : 'pass',
    }
  })
}

type Tail = Pick<Test, 'p' | 'method'>

const permutations = 100_000
/** Draws that {@link permutations} may cost. A test that would cost more has over 1,000 rows with uncommon scores, and as
 * many with uncommon answers: its normal tail holds. */
const maxDraws = 100_000_000
/** Permutations a test may take where none is as far out: enough to fail by Holm among this many tests. */
const maxPermutations = (alpha: number, tests: number): number => Math.min(10_000_000, Math.ceil((2 * tests) / alpha))
const smallCell = 5
/** Out here no permutation would bring the tail back to where it matters, with five rows expected in every cell. */
const farOut = 6

/**
 * The p value of a test: normal, but by permutation where it is small or where fewer than five rows are expected in a
 * cell (docs/audit.md#method).
 */
function exactTail({ test, keys }: Measured, tests: number, { alpha, stream }: Decision): Tail {
  const normal: Tail = { p: test.p, method: test.method }
  if (keys === undefined || test.n === 0) return normal
  const shape = permutable(keys.scored, keys.blocks)
  const sparse = shape.smallestCell < smallCell
  const small = test.p < (10 * alpha) / tests && Math.abs(test.z) < farOut
  if (shape.draws === 0 || !(sparse || small) || shape.draws * permutations > maxDraws) return normal
  const most = maxPermutations(alpha, tests)
  return { p: permutationP(shape, stream(test.probe), keys.oneSided, permutations, most), method: 'permutation' }
}

/** Does a cue speak of this probe? A cue may end in `*`; the family that `@` names is not part of the name. */
export const matches = (cue: DeclaredShortcut, probe: string): boolean => {
  const [name] = probe.split('@') as [string]
  return cue.probe.endsWith('*') ? name.startsWith(cue.probe.slice(0, -1)) : cue.probe === name
}

/** With fewer groups than this, what they lack may be there in others: intervals over few clusters are too narrow. */
const fewGroups = 20

/**
 * What a declared cue makes of a test that was measured without the cue's condition on so many groups: `declared` where
 * the 99 % interval of the gain meets the declared one, else `fail`; `stale` where there is nothing to be found. Few
 * groups can only fail by too much.
 */
export function judgeDeclared(cue: DeclaredShortcut, test: Test, significance: number, groups: number): Test {
  const [low, high] = cue.gain
  const found = test.p < significance
  const inside = (groups < fewGroups || test.ci[1] >= low) && test.ci[0] <= high
  const allowsNone = low <= 0 && high >= 0
  const status = inside && (found || allowsNone) ? 'declared' : found ? 'fail' : 'not-found'
  return { ...test, status, declared: cue.why }
}

/** The gain that the family would find with power 80 %. */
export const detectableGain = (level: number, tests: number, live: number): number =>
  live > 0 ? (normalQuantile(1 - level / (2 * Math.max(1, tests))) + 0.8416) / (2 * Math.sqrt(live)) : 1

/** The gain that one test would find with power 80 % at a level of its own; its interval has the width of its null. */
export function detectableIn({ kind, ci, n }: Pick<Test, 'kind' | 'ci' | 'n'>, level: number): number {
  if (n === 0) return 1
  const tail = kind === 'learned' || kind === 'groups' ? level : level / 2
  return ((normalQuantile(1 - tail) + 0.8416) * (ci[1] - ci[0])) / (2 * z99TwoSided)
}

/**
 * Which of the deciding tests would have missed this gain. Counts of groups are left out: their gain is a share of groups,
 * not of answers.
 */
export function probePower(tests: readonly Test[], gain: number, items: number): Power {
  const deciding = tests.filter(({ kind, n, status }) => kind !== 'groups' && n > 0 && status !== 'informational')
  const blind = deciding.filter(({ minimumDetectable: detectable }) => detectable > gain)
  const most = blind.reduce((worst, { minimumDetectable: detectable }) => Math.max(worst, detectable), 0)
  const needs = blind.length === 0 ? null : Math.ceil(items * (most / gain) ** 2)
  return { gain, probes: deciding.length, underpowered: blind.length, itemsNeeded: needs }
}

const z99TwoSided = 2.5758293035489
const z99OneSided = 2.3263478740408

/** The largest upper 99 % limit of the gain of a test that decides and is not declared. */
export function upperBound(tests: readonly Test[]): Audit['bound'] {
  let best: Audit['bound'] = null
  for (const { probe, status, n, gain: signed, ci } of tests) {
    if ((status !== 'pass' && status !== 'fail') || n === 0) continue
    const gain = Math.abs(signed)
    const upper = gain + ((ci[1] - ci[0]) / 2) * (z99OneSided / z99TwoSided)
    if (best === null || upper > best.upper) best = { probe, gain, upper }
  }
  return best
}

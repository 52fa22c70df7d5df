import type { DeclaredShortcut, Stream } from '../../core/index.ts'
import { MIN_DECLARED_GROUPS } from '../../libraries/statistics/group-counts.ts'
import { chiSquaredQuantile, holm, normalQuantile } from '../../libraries/statistics/index.ts'
import type { Measured } from './measure.ts'
import { noncentralityAt } from './nominal.ts'
import { permutationP } from './permute.ts'
import type { Power, Test } from './report.ts'

/** Default probability that a set without shortcuts fails. */
export const DEFAULT_ALPHA = 0.01

/** Default gain that every deciding probe must be able to detect for a pass. */
export const DEFAULT_MIN_EFFECT = 0.02

export interface Decision {
  readonly alpha: number
  /** The keyed stream of a probe's permutations. */
  readonly stream: (probe: string) => Stream
}

/** Holm's adjustment over all tests. */
export function decide(measured: readonly Measured[], decision: Decision): Test[] {
  const tails = measured.map((entry) => exactTail(entry, measured.length, decision))
  const adjusted = holm(tails.map(({ p }) => p))
  return measured.map(({ test }, i): Test => {
    const pAdjusted = adjusted[i] as number
    return {
      ...test,
      ...(tails[i] as Tail),
      minimumDetectable: detectableIn(test, decision.alpha / measured.length),
      pAdjusted,
      status: pAdjusted < decision.alpha ? 'fail' : 'pass',
    }
  })
}

type Tail = Pick<Test, 'p' | 'method'>

const PERMUTATIONS = 100_000
/** Most permutations of a test without a hit: enough to fail by Holm's adjustment among this many tests. */
const maxPermutations = (alpha: number, tests: number): number => Math.min(10_000_000, Math.ceil((2 * tests) / alpha))
const MIN_EXPECTED = 5
/** Beyond this |z| the normal tail decides, if every cell expects at least five rows. */
const FAR_OUT = 6

/** The p value of a test: by permutation where it is small or a cell expects under five rows, else normal. */
function exactTail({ test, permutable, oneSided = false }: Measured, tests: number, { alpha, stream }: Decision): Tail {
  const normal: Tail = { p: test.p, method: test.method }
  if (permutable === undefined) return normal
  const sparse = permutable.smallestCell < MIN_EXPECTED
  const small = test.p < (10 * alpha) / tests && Math.abs(test.z) < FAR_OUT
  if (!(sparse || small)) return normal
  const max = maxPermutations(alpha, tests)
  return { p: permutationP(permutable, stream(test.probe), oneSided, PERMUTATIONS, max), method: 'permutation' }
}

/** True if a declared shortcut matches a probe: by name, or by prefix with `*`; the suffix `@kind` is ignored. */
export const matches = (shortcut: DeclaredShortcut, probe: string): boolean => {
  const [name] = probe.split('@') as [string]
  return shortcut.probe.endsWith('*') ? name.startsWith(shortcut.probe.slice(0, -1)) : shortcut.probe === name
}

/**
 * A test against a declared shortcut, measured on `groups` groups without the shortcut's condition: `declared` if the 99 %
 * interval of the gain meets the declared range, else `fail`; `not-found` if the test is not significant. With few groups
 * the interval is too narrow, so a gain can only fail by exceeding the range.
 */
export function judgeDeclared(shortcut: DeclaredShortcut, test: Test, alpha: number, groups: number): Test {
  const [low, high] = shortcut.gain
  const found = test.p < alpha
  const inside = (groups < MIN_DECLARED_GROUPS || test.ci[1] >= low) && test.ci[0] <= high
  const allowsNone = low <= 0 && high >= 0
  const status = inside && (found || allowsNone) ? 'declared' : found ? 'fail' : 'not-found'
  return { ...test, status, declared: shortcut.why }
}

/** Gain that one of `tests` tests detects with power 80 %, on `rows` informative rows. */
export const detectableGain = (alpha: number, tests: number, rows: number): number =>
  rows > 0 ? (normalQuantile(1 - alpha / (2 * Math.max(1, tests))) + 0.8416) / (2 * Math.sqrt(rows)) : 1

/** Gain that one test detects with power 80 % at level `alpha`; its interval is as wide as its null distribution. */
export function detectableIn(
  { kind, ci, n, df, perRoot }: Pick<Test, 'kind' | 'ci' | 'n' | 'df' | 'perRoot'>,
  alpha: number,
): number {
  if (n === 0) return 1
  if (df !== undefined && perRoot !== undefined)
    return Math.min(1, Math.sqrt(noncentralityAt(chiSquaredQuantile(1 - alpha, df), df, 0.8)) * perRoot)
  // All scores are equal: with this gain one of the items would have scored otherwise.
  if (ci[0] === ci[1]) return Math.min(1, -Math.log(0.2) / n)
  const tail = kind === 'learned' || kind === 'groups' ? alpha : alpha / 2
  return ((normalQuantile(1 - tail) + 0.8416) * (ci[1] - ci[0])) / (2 * z99TwoSided)
}

/**
 * Deciding tests that cannot detect this gain. Excluded are tests that count groups, whose gain is a fraction of groups, and those
 * of so few items that a reader who is always right in them has not gained as much in the set.
 */
export function probePower(tests: readonly Test[], gain: number, items: number): Power {
  const deciding = tests.filter(({ kind, n }) => kind !== 'groups' && n > 0 && n >= gain * items)
  const underpowered = deciding.filter(({ minimumDetectable }) => minimumDetectable > gain)
  const worst = Math.max(...underpowered.map(({ minimumDetectable }) => minimumDetectable))
  const itemsNeeded = underpowered.length === 0 ? null : Math.ceil(items * (worst / gain) ** 2)
  return { gain, probes: deciding.length, underpowered: underpowered.length, itemsNeeded }
}

const z99TwoSided = 2.5758293035489

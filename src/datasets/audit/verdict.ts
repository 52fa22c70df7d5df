import { holm } from '../../libraries/statistics/index.ts'
import type { Audit, AuditStatus, DeclaredGain, ProbeFamily, Test } from './report.ts'

/**
 * The held-out panel (`npm run bench -- audit-panel`, docs/audit.md#panel): leaks made up after the probes were fixed, each planted
 * so that its rule is right in three of four items. No probe may be made for one of them.
 */
const PANEL: {
  readonly leaks: number
  readonly found: readonly { readonly items: number; readonly found: number }[]
} = {
  leaks: 10,
  found: [
    { items: 2000, found: 7 },
    { items: 12_000, found: 8 },
  ],
}

/** Families by the beginning of a probe's name, in the order in which they are printed. */
const FAMILIES: readonly (readonly [prefix: RegExp, family: string])[] = [
  [/^(text|token|learned)\//, 'words and lengths'],
  [/^prompt\//, 'remainders of lengths'],
  [/^(sequence|names|query|places|candidate)\//, 'places'],
  [/^letters\//, 'letters'],
  [/^(asked|raw)\//, 'asked terms'],
  [/^shown\//, 'labels shown'],
  [/^feature\//, 'features of the task'],
  [/^local-/, 'local views'],
  [/^records\//, 'records'],
  [/^answerer\//, 'constant answers'],
]
const RULES = 'rules of the task'

const familyOf = ({ probe, kind }: Pick<Test, 'probe' | 'kind'>): string =>
  kind === 'groups'
    ? 'single groups'
    : kind === 'heuristic'
      ? RULES
      : (FAMILIES.find(([prefix]) => prefix.test(probe))?.[1] ?? RULES)

/** The deciding tests by family; local views name their levels. A family is described by its tests with at least `fewest` items. */
export function familiesOf(tests: readonly Test[], fewest: number): ProbeFamily[] {
  const deciding = tests.filter(({ status, n }) => (status === 'pass' || status === 'fail') && n > 0)
  const order = [...new Set(FAMILIES.map(([, family]) => family)), RULES, 'single groups']
  return [...Map.groupBy(deciding, familyOf)]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([family, own]) => ({
      family: family === 'local views' ? `local views of ${levelsText(own)}` : family,
      probes: own.length,
      failed: own.filter(({ status }) => status === 'fail').length,
      minimumDetectable:
        Math.max(0, ...own.map((t) => (t.kind === 'groups' || t.n >= fewest ? t.minimumDetectable : 0))) || 1,
    }))
}

function levelsText(tests: readonly Test[]): string {
  const levels = tests.map(({ probe }) => Number(/^local-(\d+)/.exec(probe)?.[1] ?? 0))
  const [low, high] = [Math.min(...levels), Math.max(...levels)]
  return low === high ? `level ${low}` : `levels ${low} to ${high}`
}

/** Declared shortcuts that were found, by Holm over the tests of all of them: of each the test that gains most. */
export function declaredGains(tests: readonly Test[], alpha: number): DeclaredGain[] {
  const matched = tests.filter(({ status }) => status === 'declared' || status === 'not-found')
  const adjusted = holm(matched.map(({ p }) => p))
  const found = matched.filter((test, i) => test.status === 'declared' && (adjusted[i] as number) < alpha)
  const strongest = [...Map.groupBy(found, ({ declared = '' }) => declared)].map(([why, own]) => {
    const [best] = own.toSorted((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
    return { why, ...(best as Test) }
  })
  return strongest
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
    .map(({ probe, why, gain, accuracy, chance }) => ({ probe, why, gain, accuracy, chance }))
}

const signed = (gain: number): string => `${gain < 0 ? '-' : '+'}${Math.abs(gain).toFixed(3)}`

/** What a declared shortcut earns, as a sentence. */
export const earned = ({ probe, gain, accuracy, chance }: DeclaredGain): string =>
  accuracy === null || chance === null
    ? `${probe} gains ${signed(gain)} over chance`
    : `${probe} is right in ${accuracy.toFixed(3)} (chance ${chance.toFixed(3)})`

type Facts = Pick<Audit, 'status' | 'families' | 'declaredGains' | 'power' | 'dataset' | 'notLookedAt' | 'checks'>

/** The verdict in sentences: what was found or earned, by which probes, and what was not looked at. */
export function verdictOf(audit: Facts): string[] {
  const { families, notLookedAt } = audit
  const looked = families.map(
    ({ family, probes, minimumDetectable }) =>
      `${family} (${probes}, ${minimumDetectable < 1 ? minimumDetectable.toFixed(3) : 'none'})`,
  )
  return [
    headline(audit),
    ...(looked.length === 0
      ? []
      : [
          `Probes (number, gain of their own kind that each detects with power 80 %): ${looked.join(', ')}.`,
          'This is no limit on shortcuts of other kinds: of ' +
            `${PANEL.leaks} leaks planted at .75 after the probes were fixed, those of the text alone find ${PANEL.found.map(({ items, found }) => `${found} at ${items.toLocaleString('en')} items`).join(', ')} (docs/audit.md).`,
        ]),
    ...(notLookedAt.length === 0 ? [] : [`Not looked at: ${notLookedAt.join('; ')}.`]),
  ]
}

function headline({ status, families, declaredGains: gains, power, dataset, checks }: Facts): string {
  const probes = families.reduce((sum, family) => sum + family.probes, 0)
  const needed = power.itemsNeeded === null ? '' : ` (about ${power.itemsNeeded.toLocaleString('en')} needed)`
  const weak = power.underpowered === 0 ? '' : `; ${dataset.count} items cannot show a gain of ${power.gain}${needed}`
  const others = `none of ${probes} other probes found anything${weak}`
  const verdicts: { readonly [name in AuditStatus]: () => string } = {
    'nothing-found': () => `NOTHING FOUND by ${probes} probes; each detects a gain of ${power.gain} of its own kind`,
    inconclusive: () => `INCONCLUSIVE: nothing found by ${probes} probes${weak}`,
    declared: () =>
      `DECLARED SHORTCUT: ${gains.slice(0, 3).map(earned).join('; ')}${gains.length > 3 ? `; ${gains.length - 3} more` : ''}. Besides, ${others}`,
    fail: () => {
      const failed = families.filter((family) => family.failed > 0)
      const counts = checks.filter((check) => check.status === 'fail').map(({ name }) => name)
      const parts = [...failed.map(({ family, failed: count }) => `${family} (${count})`), ...counts]
      return `FAIL: ${parts.length === 0 ? 'a declared shortcut outside its range' : parts.join(', ')}`
    },
    'not-testable': () => 'NOT TESTABLE: most items lie in answer blocks without information',
  }
  return verdicts[status]()
}

import { bindStreams, type Cue, KeySpace, type Layout, rootKey, sha256, type Task, utf8 } from '../../core/index.ts'
import { battery } from './battery.ts'
import { constantGroups, duplicateCheck, goldInPrompt, labelBalance } from './checks.ts'
import { boundOf, decide, detectableGain, judgeCue, matches, alpha as usualAlpha } from './decide.ts'
import { answerFamilies } from './families.ts'
import type { Measured } from './measure.ts'
import { type AuditItem, prepare } from './prepare.ts'
import type { Audit, Balance, Check, Test } from './report.ts'

export interface AuditOptions {
  readonly root: string
  readonly groups: number
  readonly style: string
  readonly cues: readonly Cue[]
  readonly layout: Pick<Layout, 'strata' | 'label'> | null
  /** Chance that a clean set is called bad; default 0.01. */
  readonly alpha?: number
  /** Demand that the bound on any probe's gain lies below this. */
  readonly certify?: number
  /** Which learned probes decide: fitted on other groups (default) or inside groups. */
  readonly deciding?: 'across' | 'within'
}

/**
 * Tries the whole battery of cheap probes on a set, at a controlled rate of false alarms (integrity 3). Items are read
 * once, in a stream; what the probes need of them is kept.
 */
export async function auditItems(
  task: Task,
  items: AsyncIterable<readonly AuditItem[]>,
  options: AuditOptions,
): Promise<Audit> {
  const level = options.alpha ?? usualAlpha
  const prepared = await prepare(task, options.layout, items)
  const families = answerFamilies(prepared.subjects, prepared.choices)
  const conditions = [...new Set(options.cues.flatMap((cue) => (cue.condition === undefined ? [] : [cue.condition])))]
  const inside = families.map((family) => battery(task, family, conditions))
  const several = families.length > 1
  const named = (all: typeof inside): Measured[] =>
    all.flatMap((one, i) => one.measured.map((entry) => (several ? renamed(entry, families[i]?.kind ?? '', i) : entry)))
  const space = new KeySpace(rootKey('touchstone/audit', 1, 'audit', options.root))
  const deciding = options.deciding ?? 'across'
  const decided = decide(named(inside), {
    alpha: level,
    deciding,
    stream: (probe) => bindStreams(space, 'perm/', [Number(`0x${hash6(probe)}`)]).stream('audit'),
  })
  // A declared cue is measured where its condition does not hold it.
  const outside =
    conditions.length === 0 ? decided : measuredOutside(named(families.map((family) => battery(task, family, []))))
  const tests = [...withoutDeclared(decided, options.cues), ...declared(options.cues, outside, level)]
  const rows = inside.reduce((sum, one) => sum + one.rows, 0)
  const liveRows = inside.reduce((sum, one) => sum + one.liveRows, 0)
  const live = rows === 0 ? 0 : liveRows / rows
  const family = tests.filter((test) => test.status === 'pass' || test.status === 'fail').length
  const bound = boundOf(tests)
  const { checks, balance } = deterministic(prepared, families)
  const certify = certification(options.certify, bound, liveRows)
  const failed =
    tests.some((test) => test.status === 'fail') ||
    checks.some((check) => check.status === 'fail') ||
    certify?.met === false
  return {
    schema: 'touchstone/audit/1',
    dataset: { root: options.root, count: prepared.subjects.length, groups: options.groups },
    style: options.style,
    alpha: level,
    family,
    live,
    detectable: detectableGain(level, family, liveRows),
    bound,
    certify,
    status: failed ? 'fail' : live < 0.5 ? 'untestable' : 'pass',
    tests: [...tests].sort((a, b) => a.pAdjusted - b.pAdjusted || Math.abs(b.z) - Math.abs(a.z)),
    checks,
    balance,
    notes: [
      'gain: accuracy over chance inside blocks; for direct features, of the balanced yes/no rule with the same z',
      ...(conditions.length > 0 ? [`blocks are held equal in ${conditions.join(', ')}, which declared cues name`] : []),
      ...(tests.some((test) => test.status === 'stale')
        ? ['stale: a declared cue that was not found; undeclare it']
        : []),
    ],
  }
}

function renamed(entry: Measured, kind: string, i: number): Measured {
  return { ...entry, test: { ...entry.test, probe: `${entry.test.probe}@${kind}${i}` } }
}

const hash6 = (text: string): string =>
  Array.from(sha256(utf8(text)).subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')

const measuredOutside = (measured: readonly Measured[]): Test[] =>
  measured.map(({ test }) => ({ ...test, pAdjusted: 1, status: 'reported' }))

/** A cue without a condition takes its probe out of the family; one with a condition leaves it in, inside the levels. */
const withoutDeclared = (tests: readonly Test[], cues: readonly Cue[]): Test[] =>
  tests.filter((test) => !cues.some((cue) => cue.condition === undefined && matches(cue, test.probe)))

function declared(cues: readonly Cue[], outside: readonly Test[], level: number): Test[] {
  return cues.flatMap((cue) =>
    outside
      .filter((test) => test.mode !== 'within' && matches(cue, test.probe))
      .map((test) => {
        const judged = judgeCue(cue, test, level)
        // One star speaks of many probes: those it does not need are not stale.
        return judged.status === 'stale' && cue.probe.endsWith('*')
          ? { ...judged, status: 'declared' as const }
          : judged
      }),
  )
}

function deterministic(
  prepared: Awaited<ReturnType<typeof prepare>>,
  families: ReturnType<typeof answerFamilies>,
): { readonly checks: Check[]; readonly balance: Balance[] } {
  const checks: Check[] = [duplicateCheck(prepared), goldInPrompt(prepared.subjects)]
  const balance: Balance[] = []
  for (const family of families) {
    if (family.kind !== 'classes') continue
    const labels = labelBalance(family.subjects, family.labels)
    checks.push(labels.check)
    balance.push(...labels.balance)
    if (family.subjects.some((subject) => subject.unit !== null)) checks.push(constantGroups(family.subjects))
  }
  return { checks, balance }
}

function certification(demand: number | undefined, bound: Audit['bound'], live: number): Audit['certify'] {
  if (demand === undefined) return null
  const met = bound !== null && bound.upper < demand
  const room = bound === null ? 0 : demand - bound.gain
  const needs = met || bound === null || room <= 0 ? null : Math.ceil(((bound.upper - bound.gain) / room) ** 2 * live)
  return { bound: demand, met, needs }
}

import {
  type AnalysisResult,
  bindStreams,
  type DeclaredShortcut,
  type Frame,
  KeySpace,
  rootKey,
  sha256,
  type Task,
  utf8,
} from '../../core/index.ts'
import { memoryFrame } from '../../libraries/statistics/index.ts'
import { type AnswerKind, answerFamilies } from './answer-kinds.ts'
import { balanceByFactor, constantGroups, duplicateCheck, goldInPrompt, labelBalance } from './checks.ts'
import {
  type CrossFitting,
  DEFAULT_ALPHA,
  DEFAULT_MIN_EFFECT,
  decide,
  detectableGain,
  detectableIn,
  judgeDeclared,
  matches,
  probePower,
  upperBound,
} from './decide.ts'
import { localBattery } from './locality/probes.ts'
import { localityProfile } from './locality/profile.ts'
import { seenOf } from './locality/rows.ts'
import { type Measured, overGroups } from './measure.ts'
import { type AuditItem, type Prepared, prepare, type Strata } from './prepare.ts'
import { type ProbeSet, probeSet } from './probe-set.ts'
import type { Audit, AuditAnalysis, Balance, Check, Test } from './report.ts'

/** What an audit of items has to be told of their set, and how sure it must be. */
export interface AuditOptions {
  readonly root: string
  readonly groups: number
  readonly style: string
  readonly cues: readonly DeclaredShortcut[]
  readonly layout: Strata | null
  /** Chance that a clean set is called bad; default 0.01. */
  readonly alpha?: number
  /** Gain that every deciding probe must have been able to see with power .8, or a pass is inconclusive; default 0.02. */
  readonly see?: number
  /** Demand that the bound on any probe's gain lies below this. */
  readonly certify?: number
  /** Which learned probes decide; default both. */
  readonly deciding?: CrossFitting
  /** Is handed the locality profile, which is made only then. */
  readonly onProfile?: (profile: AnalysisResult) => void
}

/**
 * Tries the whole battery of cheap probes on a set, at a controlled rate of false alarms (docs/audit.md#method). Items are read
 * once, in a stream; what the probes need of them is kept.
 *
 * @example
 * import { type AuditItem, type AuditOptions, auditItems } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * // Items of any origin, in batches; an audit of a few says only what these can show.
 * export async function auditOf(task: Task, items: readonly AuditItem[], options: AuditOptions) {
 *   const batches = (async function* () {
 *     yield items
 *   })()
 *   return auditItems(task, batches, options)
 * }
 */
export async function auditItems(
  task: Task,
  items: AsyncIterable<readonly AuditItem[]>,
  options: AuditOptions,
): Promise<Audit> {
  const { cues, root } = options
  const alpha = options.alpha ?? DEFAULT_ALPHA
  const prepared = await prepare(task, options.layout, items)
  const families = answerFamilies(prepared.subjects)
  const conditions = [...new Set(cues.flatMap(({ condition }) => (condition === undefined ? [] : [condition])))]
  const inside = families.map((family) => probeSet(task, family, conditions))
  // A declared cue is measured where its condition does not hold it.
  const outside = conditions.length === 0 ? inside : families.map((family) => probeSet(task, family, []))
  const excused = (probe: string) => cues.some((cue) => cue.condition === undefined && matches(cue, probe))
  const space = new KeySpace(rootKey('touchstone/audit', 1, 'audit', root))
  const seen = seenOf(prepared.subjects, prepared.choices)
  options.onProfile?.(localityProfile(seen))
  const local = localBattery(seen, conditions)
  const localOutside = conditions.length === 0 ? local : localBattery(seen, [])
  const deciding = options.deciding ?? 'both'
  const decided = decide(
    [...named(inside, families), ...local.measured].filter(({ test }) => !excused(test.probe)),
    {
      alpha,
      deciding,
      stream: (probe) => bindStreams(space, 'audit/', [numberOf(probe)]).stream('perm'),
    },
  )
  const cued = [...named(outside, families), ...localOutside.measured].filter(
    ({ test }) => deciding !== 'across' || test.mode !== 'within',
  )
  const declared = judged(cues, cued, alpha)
  const tests = [...decided, ...declared]
  const rows = inside.reduce((sum, one) => sum + one.rows, 0)
  const liveRows = inside.reduce((sum, one) => sum + one.liveRows, 0)
  const live = rows === 0 ? 0 : liveRows / rows
  const family = decided.filter(({ status }) => status !== 'informational').length
  const bound = upperBound(tests)
  const power = probePower(decided, options.see ?? DEFAULT_MIN_EFFECT, prepared.subjects.length)
  const { checks, balance } = counted(prepared, families, options)
  const certify = certification(options.certify, bound, liveRows)
  const failed =
    tests.some((test) => test.status === 'fail') ||
    checks.some((check) => check.status === 'fail') ||
    certify?.met === false
  return {
    schema: 'touchstone/audit/1',
    dataset: { root, count: prepared.subjects.length, groups: options.groups },
    style: options.style,
    alpha,
    testCount: family,
    informativeShare: live,
    minimumDetectable: detectableGain(alpha, family, liveRows),
    power,
    bound,
    maxGain: certify,
    status: failed ? 'fail' : live < 0.5 ? 'not-testable' : power.underpowered > 0 ? 'inconclusive' : 'pass',
    tests: tests.sort((a, b) => a.pAdjusted - b.pAdjusted || Math.abs(b.z) - Math.abs(a.z)),
    checks,
    balance,
    analyses: ownAnalyses(task, prepared),
    worstGroups: local.worst,
    notes: [...pooledNotes(inside), ...notes(task, options, conditions, tests)],
  }
}

/** All tests of all families; with several families a name says which. */
const named = (batteries: readonly ProbeSet[], families: readonly AnswerKind[]): Measured[] =>
  batteries.flatMap(({ measured }, i) =>
    batteries.length === 1
      ? measured
      : measured.map((entry) => ({
          ...entry,
          test: { ...entry.test, probe: `${entry.test.probe}@${families[i]?.kind}${i}` },
        })),
  )

/** 48 bits of a name's hash. */
const numberOf = (name: string): number =>
  sha256(utf8(name))
    .subarray(0, 6)
    .reduce((value, byte) => value * 256 + byte, 0)

/** What the declared cues make of the probes they speak of. */
function judged(cues: readonly DeclaredShortcut[], measured: readonly Measured[], alpha: number): Test[] {
  return cues.flatMap((cue) =>
    measured
      .filter(({ test }) => matches(cue, test.probe))
      .map((entry) => {
        const { ci, groups } = overGroups(entry)
        const detectable = detectableIn(entry.test, alpha)
        const test: Test = {
          ...entry.test,
          ci: [...ci],
          minimumDetectable: detectable,
          pAdjusted: 1,
          status: 'informational',
        }
        const verdict = judgeDeclared(cue, test, alpha, groups)
        // One star speaks of many probes: those it does not need are not stale.
        return verdict.status === 'not-found' && cue.probe.endsWith('*')
          ? { ...verdict, status: 'declared' as const }
          : verdict
      }),
  )
}

function counted(
  prepared: Prepared,
  families: readonly AnswerKind[],
  { cues, layout }: AuditOptions,
): { readonly checks: Check[]; readonly balance: Balance[] } {
  const checks: Check[] = [duplicateCheck(prepared, cues), goldInPrompt(prepared.subjects, cues)]
  const balance: Balance[] = []
  for (const family of families) {
    if (family.kind !== 'classes') continue
    checks.push(labelBalance(family.subjects, family.labels))
    balance.push(...balanceByFactor(family.subjects, family.labels, layout))
    if (family.subjects.some((subject) => subject.unit !== null)) checks.push(constantGroups(family.subjects))
  }
  return { checks, balance }
}

function certification(demand: number | undefined, bound: Audit['bound'], live: number): Audit['maxGain'] {
  if (demand === undefined) return null
  const met = bound !== null && bound.upper < demand
  const room = bound === null ? 0 : demand - bound.gain
  const needs = met || bound === null || room <= 0 ? null : Math.ceil(((bound.upper - bound.gain) / room) ** 2 * live)
  return { bound: demand, met, itemsNeeded: needs }
}

const pooledNotes = (batteries: readonly ProbeSet[]): string[] =>
  batteries
    .filter(({ pooled }) => pooled.length > 0)
    .map(
      ({ pooled }) =>
        `rare answers, tested as one: ${pooled.slice(0, 20).join(', ')}${pooled.length > 20 ? ', ...' : ''}`,
    )

function notes(task: Task, options: AuditOptions, conditions: readonly string[], tests: readonly Test[]): string[] {
  const others = task.styles.filter((style) => style !== options.style)
  const ofChecks = ['duplicates', 'gold-in-prompt']
  const unmatched = options.cues.filter(
    (cue) => !ofChecks.includes(cue.probe) && !tests.some((test) => matches(cue, test.probe)),
  )
  return [
    'gain: accuracy over chance inside blocks; for direct features, of the yes/no rule with the same z',
    ...(others.length > 0 ? [`prompts were read in the style "${options.style}", not in ${others.join(', ')}`] : []),
    ...(conditions.length > 0 ? [`blocks are held equal in ${conditions.join(', ')}, which declared cues name`] : []),
    ...(tests.some((test) => test.status === 'not-found')
      ? ['stale: a declared cue that was not found; undeclare it']
      : []),
    ...unmatched.map((cue) => `the declared cue ${cue.probe} is the name of no probe here`),
  ]
}

/** The task's own figures about its items; those that lack a column or find nothing are left out. */
export function ownAnalyses(task: Task, prepared: Prepared): AuditAnalysis[] {
  const { audits = [] } = task
  if (audits.length === 0) return []
  const frame = frameOf(task, prepared)
  return audits
    .filter(({ needs }) => needs.every((name) => frame.has(name)))
    .map((analysis) => ({
      id: analysis.id,
      title: analysis.title,
      notes: analysis.notes ?? [],
      tables: analysis.run(frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables,
    }))
    .filter(({ tables }) => tables.length > 0)
}

function frameOf(task: Task, { subjects, truths }: Prepared): Frame {
  const features = Object.keys(task.features.shape).map((name) => [
    `feature_${name}`,
    subjects.map((subject) => subject.features[name] ?? null),
  ])
  return memoryFrame({
    item: subjects.map(({ index }) => index),
    group: subjects.map(({ group }) => group),
    ...Object.fromEntries(features),
    ...(truths === null
      ? {}
      : {
          given: truths.map(({ given }) => JSON.stringify(given)),
          answer: truths.map(({ answer }) => JSON.stringify(answer)),
        }),
  })
}

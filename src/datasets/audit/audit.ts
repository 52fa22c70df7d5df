import {
  type AnalysisResult,
  bindStreams,
  type DeclaredShortcut,
  type Frame,
  KeySpace,
  rootKey,
  runAnalysis,
  sha256,
  utf8,
} from '../../core/index.ts'
import { memoryFrame } from '../../libraries/statistics/index.ts'
import { type AnswerKind, byAnswerKind } from './answer-kinds.ts'
import { constantGroups, duplicateCheck, goldInPrompt, labelBalance } from './checks.ts'
import {
  DEFAULT_ALPHA,
  DEFAULT_MIN_EFFECT,
  decide,
  detectableGain,
  detectableIn,
  judgeDeclared,
  matches,
  probePower,
} from './decide.ts'
import { localProbes } from './locality/probes.ts'
import { localityProfile } from './locality/profile.ts'
import { localItemsOf } from './locality/rows.ts'
import type { Measured, RoleOf } from './measure.ts'
import { type AuditedTask, type AuditItem, type Prepared, prepare, type Strata } from './prepare.ts'
import { type ProbeSet, probeSet } from './probe-set.ts'
import { recordProbes } from './records.ts'
import type { Audit, AuditAnalysis, Check, Test } from './report.ts'
import { declaredGains, familiesOf, verdictOf } from './verdict.ts'

/** Facts about the audited set, and what the audit must be able to detect. */
export interface AuditOptions {
  readonly root: string
  readonly groups: number
  readonly style: string
  readonly declaredShortcuts: readonly DeclaredShortcut[]
  readonly layout: Strata | null
  /** Probability that a set without shortcuts fails. Default: 0.01. */
  readonly alpha?: number
  /** Gain that every deciding probe must detect with power 80 %, or a pass is inconclusive. Default: 0.02. */
  readonly minEffect?: number
  /** Receives the locality profile, which is computed only on request. */
  readonly onProfile?: (profile: AnalysisResult) => void
}

/**
 * Searches a set for shortcuts with cheap probes, at a controlled rate of false alarms (docs/audit.md#method). Items are
 * read once, as a stream; only what the probes need is kept.
 *
 * @example
 * import { type AuditItem, type AuditOptions, auditItems } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * // Items of any origin, in batches.
 * export async function auditOf(task: Task, items: readonly AuditItem[], options: AuditOptions) {
 *   const batches = (async function* () {
 *     yield items
 *   })()
 *   return auditItems(task, batches, options)
 * }
 */
export async function auditItems(
  task: AuditedTask,
  items: AsyncIterable<readonly AuditItem[]>,
  options: AuditOptions,
): Promise<Audit> {
  const { declaredShortcuts, root } = options
  const alpha = options.alpha ?? DEFAULT_ALPHA
  const prepared = await prepare(task, options.layout, items)
  const kinds = byAnswerKind(prepared.subjects)
  const conditions = [
    ...new Set(declaredShortcuts.flatMap(({ condition }) => (condition === undefined ? [] : [condition]))),
  ]
  const isDeclared = (probe: string) => declaredShortcuts.some((shortcut) => matches(shortcut, probe))
  const isAllowed = (probe: string) =>
    declaredShortcuts.some((shortcut) => shortcut.condition === undefined && matches(shortcut, probe))
  const localItems = localItemsOf(prepared.subjects, prepared.choices)
  options.onProfile?.(localityProfile(localItems))
  const probe = (held: readonly string[], roleOf: RoleOf) => {
    const sets = kinds.map((kind) => probeSet(task, kind, held, roleOf))
    const local = localProbes(localItems, held, roleOf)
    return {
      sets,
      local,
      measured: [...named(sets, kinds), ...local.measured, ...recordProbes(prepared.subjects, roleOf)],
    }
  }
  const { sets, local, measured } = probe(conditions, (name) =>
    !isAllowed(name) ? 'decides' : conditions.length === 0 ? 'declared' : 'unused',
  )
  // A declared shortcut is measured in blocks that do not hold its condition equal.
  const outside =
    conditions.length === 0 ? measured : probe([], (name) => (isDeclared(name) ? 'declared' : 'unused')).measured
  const space = new KeySpace(rootKey('touchstone/audit', 1, 'audit', root))
  const decided = decide(
    measured.filter(({ role }) => role === 'decides'),
    {
      alpha,
      stream: (name) => bindStreams(space, 'audit/', [numberOf(name)]).stream('perm'),
    },
  )
  const declared = judgeAll(
    declaredShortcuts,
    outside.filter(({ role }) => role === 'declared'),
    alpha,
  )
  const tests = [...decided, ...declared]
  const rows = sets.reduce((sum, one) => sum + one.rows, 0)
  const informativeRows = sets.reduce((sum, one) => sum + one.informativeRows, 0)
  const informativeShare = rows === 0 ? 0 : informativeRows / rows
  const testCount = decided.length
  const power = probePower(decided, options.minEffect ?? DEFAULT_MIN_EFFECT, prepared.subjects.length)
  const checks = countChecks(prepared, kinds, declaredShortcuts)
  const gains = declaredGains(declared, alpha)
  const failed = [...tests, ...checks].some(({ status }) => status === 'fail')
  return withVerdict({
    schema: 'touchstone/audit/1',
    dataset: { root, count: prepared.subjects.length, groups: options.groups },
    style: options.style,
    alpha,
    testCount,
    informativeShare,
    minimumDetectable: detectableGain(alpha, testCount, informativeRows),
    power,
    status: failed
      ? 'fail'
      : informativeShare < 0.5
        ? 'not-testable'
        : gains.length > 0
          ? 'declared'
          : power.underpowered > 0
            ? 'inconclusive'
            : 'nothing-found',
    families: familiesOf(tests, power.gain * prepared.subjects.length),
    declaredGains: gains,
    notLookedAt: notLookedAt(task, options.style, tests),
    tests: tests.sort((a, b) => a.pAdjusted - b.pAdjusted || Math.abs(b.z) - Math.abs(a.z)),
    checks,
    analyses: ownAnalyses(task, prepared),
    worstGroups: local.worst,
    notes: [
      ...pooledNotes(sets),
      ...(prepared.forms.items > 0 ? formNotes(prepared) : []),
      ...notes(options, conditions, tests),
    ],
  })
}

/** An audit with the sentences that its other fields imply. */
export const withVerdict = (audit: Omit<Audit, 'verdict'>): Audit => ({ ...audit, verdict: verdictOf(audit) })

/** All tests of all answer kinds; with several kinds, names end in `@kind`. */
const named = (batteries: readonly ProbeSet[], kinds: readonly AnswerKind[]): Measured[] =>
  batteries.flatMap(({ measured }, i) =>
    batteries.length === 1
      ? measured
      : measured.map((entry) => ({
          ...entry,
          test: { ...entry.test, probe: `${entry.test.probe}@${kinds[i]?.kind}${i}` },
        })),
  )

/** 48 bits of a name's hash. */
const numberOf = (name: string): number =>
  sha256(utf8(name))
    .subarray(0, 6)
    .reduce((value, byte) => value * 256 + byte, 0)

/** Tests of the probes that declared shortcuts match. */
function judgeAll(
  declaredShortcuts: readonly DeclaredShortcut[],
  measured: readonly Measured[],
  alpha: number,
): Test[] {
  return declaredShortcuts.flatMap((shortcut) =>
    measured
      .filter(({ test }) => matches(shortcut, test.probe))
      .map((entry) => {
        const { ci, groups } = entry.overGroups ?? { ci: entry.test.ci, groups: 0 }
        const detectable = detectableIn(entry.test, alpha)
        const test: Test = {
          ...entry.test,
          ci: [...ci],
          minimumDetectable: detectable,
          pAdjusted: 1,
          status: 'declared',
        }
        const judged = judgeDeclared(shortcut, test, alpha, groups)
        // A name with a star matches many probes; not all of them need to be found.
        return judged.status === 'not-found' && shortcut.probe.endsWith('*')
          ? { ...judged, status: 'declared' as const }
          : judged
      }),
  )
}

function countChecks(
  prepared: Prepared,
  kinds: readonly AnswerKind[],
  shortcuts: readonly DeclaredShortcut[],
): Check[] {
  const classes = kinds.filter((kind) => kind.kind === 'classes')
  return [
    duplicateCheck(prepared, shortcuts),
    goldInPrompt(prepared.subjects, shortcuts),
    ...classes.flatMap(({ subjects, labels }) => [
      labelBalance(subjects, labels),
      ...(subjects.some((subject) => subject.answerBlock !== null) ? [constantGroups(subjects)] : []),
    ]),
  ]
}

const pooledNotes = (batteries: readonly ProbeSet[]): string[] =>
  batteries
    .filter(({ pooled }) => pooled.length > 0)
    .map(
      ({ pooled }) =>
        `rare answers, tested as one class: ${pooled.slice(0, 20).join(', ')}${pooled.length > 20 ? ', ...' : ''}`,
    )

/** Where names are most of what differs, other splits hold the same prompts but for names. */
const formNotes = ({ forms: { items, distinct } }: Prepared): string[] =>
  distinct > items / 2
    ? []
    : [
        `without names, ${items} items have ${distinct} different prompts: other splits may hold the same ` +
          '(touchstone verify A --disjoint-from B counts them)',
      ]

/** Parts of a set that no probe saw. */
function notLookedAt(task: AuditedTask, style: string, tests: readonly Test[]): string[] {
  const others = task.styles.filter((other) => other !== style)
  const has = (prefix: string) => tests.some(({ probe }) => probe.startsWith(prefix))
  return [
    ...(others.length > 0 ? [`prompt styles ${others.join(', ')}`] : []),
    ...(has('local-') ? [] : ['local views (the task gives no structure, or too few items have choices)']),
    ...(has('asked/') ? [] : ['terms that the question names']),
    ...(has('records/') ? [] : ['records of a prompt']),
  ]
}

function notes(options: AuditOptions, conditions: readonly string[], tests: readonly Test[]): string[] {
  const ofChecks = ['duplicates', 'gold-in-prompt']
  const unmatched = options.declaredShortcuts.filter(
    (shortcut) => !ofChecks.includes(shortcut.probe) && !tests.some((test) => matches(shortcut, test.probe)),
  )
  return [
    'gain: accuracy above chance inside blocks; for features, of the yes/no rule with the same z',
    ...(conditions.length > 0 ? [`blocks hold ${conditions.join(', ')} equal, as declared shortcuts say`] : []),
    ...(tests.some((test) => test.status === 'not-found')
      ? [
          'not-found: a declared shortcut that these items do not show; if more items do not either, remove the declaration',
        ]
      : []),
    ...unmatched.map(({ probe }) => `the declared shortcut ${probe} matches no probe`),
  ]
}

/** The task's own audit analyses that have their columns and find something. */
export function ownAnalyses(task: AuditedTask, prepared: Prepared): AuditAnalysis[] {
  const { audits = [] } = task
  if (audits.length === 0) return []
  const frame = frameOf(task, prepared)
  return audits
    .filter(({ needs }) => needs.every((name) => frame.has(name)))
    .map((analysis) => ({
      id: analysis.id,
      title: analysis.title,
      notes: analysis.notes ?? [],
      tables: runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables,
    }))
    .filter(({ tables }) => tables.length > 0)
}

function frameOf(task: AuditedTask, { subjects, truths }: Prepared): Frame {
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

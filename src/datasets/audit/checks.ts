import type { DeclaredShortcut, Json, JsonObject, Task } from '../../core/index.ts'
import type { AuditItem, Prepared, Strata } from './prepare.ts'
import type { Balance, Check } from './report.ts'
import { areAlone, type Subject } from './subject.ts'

/** Checks that count and need no statistics. */

const check = (name: string, checked: number, failed: number, message: string): Check => ({
  name,
  status: failed === 0 ? 'pass' : 'fail',
  checked,
  failed,
  message,
})

/** No item repeats another up to renaming, unless a cue named `duplicates` says why: then at most its share of all. */
export function duplicateCheck({ canonicalKeys, duplicates }: Prepared, cues: readonly DeclaredShortcut[]): Check {
  if (canonicalKeys === 0) return check('duplicates', 0, 0, 'the task has no canonical form')
  const message = `${duplicates} items repeat another up to renaming`
  const declared = cues.find((cue) => cue.probe === 'duplicates')
  if (declared === undefined) return check('duplicates', canonicalKeys, duplicates, message)
  const most = declared.gain[1]
  return duplicates <= most * canonicalKeys
    ? check('duplicates', canonicalKeys, 0, `${message}: declared up to a share of ${most}, ${declared.why}`)
    : check('duplicates', canonicalKeys, duplicates, `${message}, more than the declared share of ${most}`)
}

const countsBy = (labels: number): ((counts: Map<string, number[]>, at: string, key: number) => void) => {
  return (counts, at, key) => {
    const own = counts.get(at) ?? new Array<number>(labels).fill(0)
    own[key] = (own[key] as number) + 1
    counts.set(at, own)
  }
}

/** Labels are equal inside every matched unit of every group. */
export function labelBalance(subjects: readonly Subject[], labels: readonly string[]): Check {
  const counts = new Map<string, number[]>()
  const add = countsBy(labels.length)
  const alone = areAlone(subjects)
  for (const { answer, unit, group } of subjects)
    if (unit !== null && answer.kind === 'class') add(counts, `${alone ? '' : group} ${unit}`, answer.key)
  const gaps = [...counts.values()].map((own) => Math.max(...own) - Math.min(...own))
  // A set that ends inside a visit may leave one unit uneven by one.
  const cut = gaps.filter((gap) => gap === 1).length
  const failed = gaps.filter((gap) => gap > 1).length + Math.max(0, cut - 1)
  return check(
    'labels',
    counts.size,
    failed,
    counts.size === 0
      ? 'labels are not matched in this config'
      : `${failed} of ${counts.size} units hold unequal numbers of labels`,
  )
}

/** How often each label occurs, in all and at each level of each factor. */
export function balanceByFactor(
  subjects: readonly Subject[],
  labels: readonly string[],
  layout: Strata | null,
): Balance[] {
  const counts = new Map<string, number[]>()
  const add = countsBy(labels.length)
  for (const { answer, unit } of subjects) {
    if (answer.kind !== 'class') continue
    add(counts, JSON.stringify(['all', 'all']), answer.key)
    if (layout?.label === undefined || unit === null) continue
    for (const pair of Object.entries(JSON.parse(unit) as JsonObject)) add(counts, JSON.stringify(pair), answer.key)
  }
  return [...counts].flatMap(([at, own]) => {
    const [factor, level] = JSON.parse(at) as [string, unknown]
    const expected = own.reduce((sum, count) => sum + count, 0) / labels.length
    return labels.map((label, k) => ({ factor, level: String(level), label, count: own[k] as number, expected }))
  })
}

/** No group may have one answer for all its items, where groups hold several and answers are matched. */
export function constantGroups(subjects: readonly Subject[]): Check {
  const seen = new Map<number, Set<string>>()
  const sizes = new Map<number, number>()
  for (const { group, answer } of subjects) {
    if (answer.kind !== 'class') continue
    const keys = seen.get(group) ?? new Set<string>()
    keys.add(String(answer.key))
    seen.set(group, keys)
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  const large = [...seen].filter(([group]) => (sizes.get(group) as number) >= 8)
  const constant = large.filter(([, keys]) => keys.size === 1).length
  return check(
    'constant-groups',
    large.length,
    constant,
    large.length === 0
      ? 'no group has 8 items or more of closed answers'
      : `${constant} of ${large.length} groups of 8 or more have one answer throughout`,
  )
}

/** A free-form gold must not stand in its own prompt, unless a cue named `gold-in-prompt` says why. */
export function goldInPrompt(subjects: readonly Subject[], cues: readonly DeclaredShortcut[]): Check {
  let checked = 0
  let found = 0
  for (const { answer, text } of subjects) {
    if (answer.kind !== 'free' || answer.gold === null || answer.gold.length < 8) continue
    checked++
    if (text.includes(answer.gold)) found++
  }
  const declared = cues.find((cue) => cue.probe === 'gold-in-prompt')
  const message =
    checked === 0
      ? 'no answer is free and long enough to be looked for in its prompt'
      : `${found} prompts contain their gold answer`
  return declared === undefined
    ? check('gold-in-prompt', checked, found, message)
    : check('gold-in-prompt', checked, 0, `${message}: declared, ${declared.why}`)
}

/** Most items the oracle and the witness checker are asked about; more are sampled evenly over the set. */
export const oracleLimit = 20_000

export class Proofs {
  private asked = 0
  private oracleFailed = 0
  private witnessFailed = 0
  private first: string | null = null
  private readonly task: Task
  private readonly every: number

  constructor(task: Task, count: number) {
    this.task = task
    this.every = Math.max(1, Math.ceil(count / oracleLimit))
  }

  ask(item: AuditItem, ordinal: number, stored: Json | undefined): void {
    if (ordinal % this.every !== 0) return
    const { shared, given, answer } = item
    this.asked++
    const right = this.task.oracle({ shared, given }, answer)
    const problem = { shared, given, answer }
    const proved = this.task.check(problem, stored ?? this.task.witness(problem))
    if (!right) this.oracleFailed++
    if (!proved) this.witnessFailed++
    if (!right || !proved) this.first ??= `index ${item.index}`
  }

  checks(): Check[] {
    const where = this.first === null ? '' : `, first at ${this.first}`
    return [
      check(
        'oracle',
        this.asked,
        this.oracleFailed,
        `the oracle rejects ${this.oracleFailed} of ${this.asked} stored answers${where}`,
      ),
      check(
        'witness',
        this.asked,
        this.witnessFailed,
        `${this.witnessFailed} of ${this.asked} witnesses do not check${where}`,
      ),
    ]
  }
}

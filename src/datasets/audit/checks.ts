import type { Json, Task } from '../../core/index.ts'
import { areAlone } from './battery.ts'
import type { AuditItem, Prepared } from './prepare.ts'
import type { Balance, Check } from './report.ts'
import type { Subject } from './subject.ts'

/** Checks that count and need no statistics (integrity 3.6). */

const check = (name: string, checked: number, failed: number, message: string): Check => ({
  name,
  status: failed === 0 ? 'pass' : 'fail',
  checked,
  failed,
  message,
})

export function duplicateCheck(prepared: Prepared): Check {
  return check(
    'duplicates',
    prepared.canonicalKeys,
    prepared.duplicates,
    prepared.canonicalKeys === 0
      ? 'the task has no canonical form'
      : `${prepared.duplicates} items repeat another up to renaming`,
  )
}

/** Labels equal inside every matched unit of every group; counts by label are listed either way. */
export function labelBalance(
  subjects: readonly Subject[],
  labels: readonly string[],
): { check: Check; balance: Balance[] } {
  const matched = subjects.filter((subject) => subject.unit !== null)
  const alone = areAlone(subjects)
  const counts = new Map<string, number[]>()
  const totals = new Array<number>(labels.length).fill(0)
  for (const { answer } of subjects)
    if (answer.kind === 'class') totals[answer.key] = (totals[answer.key] as number) + 1
  for (const subject of matched) {
    if (subject.answer.kind !== 'class') continue
    const unit = `${alone ? '' : subject.group} ${subject.unit}`
    const own = counts.get(unit) ?? new Array<number>(labels.length).fill(0)
    own[subject.answer.key] = (own[subject.answer.key] as number) + 1
    counts.set(unit, own)
  }
  // A set that ends inside a visit may leave one unit uneven by one.
  const uneven = [...counts.values()].filter((own) => Math.max(...own) - Math.min(...own) > 0)
  const cut = uneven.filter((own) => Math.max(...own) - Math.min(...own) === 1).length
  const failed = uneven.length - cut + Math.max(0, cut - 1)
  const expected = subjects.length / labels.length
  return {
    check: check(
      'labels',
      counts.size,
      failed,
      counts.size === 0
        ? 'labels are not matched in this config'
        : `${failed} of ${counts.size} units hold unequal numbers of labels`,
    ),
    balance: labels.map((label, k) => ({ factor: 'all', level: 'all', label, count: totals[k] as number, expected })),
  }
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
    `${constant} of ${large.length} groups of 8 or more have one answer throughout`,
  )
}

/** A free-form gold must not stand in its own prompt. */
export function goldInPrompt(subjects: readonly Subject[]): Check {
  let checked = 0
  let found = 0
  for (const { answer, text } of subjects) {
    if (answer.kind !== 'free' || answer.gold === null || answer.gold.length < 8) continue
    checked++
    if (text.includes(answer.gold)) found++
  }
  return check('gold-in-prompt', checked, found, `${found} prompts contain their gold answer`)
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

import type { DeclaredShortcut, Json, Task } from '../../core/index.ts'
import type { AuditItem, Prepared } from './prepare.ts'
import type { Check } from './report.ts'
import { areUngrouped, type Subject } from './subject.ts'

/** Checks that only count. */

const check = (name: string, checked: number, failed: number, message: string): Check => ({
  name,
  status: failed === 0 ? 'pass' : 'fail',
  checked,
  failed,
  message,
})

/** No item repeats another up to renaming, beyond the fraction declared by a shortcut named `duplicates`. */
export function duplicateCheck(
  { canonicalKeys, duplicates }: Prepared,
  declaredShortcuts: readonly DeclaredShortcut[],
): Check {
  if (canonicalKeys === 0) return check('duplicates', 0, 0, 'the task has no canonical form')
  const message = `${duplicates} items repeat another up to renaming`
  const declared = declaredShortcuts.find(({ probe }) => probe === 'duplicates')
  if (declared === undefined) return check('duplicates', canonicalKeys, duplicates, message)
  const max = declared.gain[1]
  return duplicates <= max * canonicalKeys
    ? check('duplicates', canonicalKeys, 0, `${message}: declared up to a fraction of ${max}, ${declared.why}`)
    : check('duplicates', canonicalKeys, duplicates, `${message}, more than the declared fraction of ${max}`)
}

function addCount(counts: Map<string, number[]>, labels: number, at: string, key: number): void {
  const own = counts.get(at) ?? new Array<number>(labels).fill(0)
  own[key] = (own[key] as number) + 1
  counts.set(at, own)
}

/** Labels are balanced inside every answer block of every group. */
export function labelBalance(subjects: readonly Subject[], labels: readonly string[]): Check {
  const counts = new Map<string, number[]>()
  const ungrouped = areUngrouped(subjects)
  for (const { answer, answerBlock, group } of subjects)
    if (answerBlock !== null && answer.kind === 'class')
      addCount(counts, labels.length, `${ungrouped ? '' : group} ${answerBlock}`, answer.key)
  const gaps = [...counts.values()].map((own) => Math.max(...own) - Math.min(...own))
  // The last answer block of a set may be incomplete: uneven by one.
  const incomplete = gaps.filter((gap) => gap === 1).length
  const failed = gaps.filter((gap) => gap > 1).length + Math.max(0, incomplete - 1)
  return check(
    'labels',
    counts.size,
    failed,
    counts.size === 0
      ? 'labels are not balanced in this config'
      : `${failed} of ${counts.size} answer blocks hold unequal numbers of labels`,
  )
}

/** No large group may have one answer for all its items, where answers are balanced. */
export function constantGroups(subjects: readonly Subject[]): Check {
  const keys = subjects.flatMap(({ group, answer }) => (answer.kind === 'class' ? [{ group, key: answer.key }] : []))
  const large = [...Map.groupBy(keys, ({ group }) => group).values()].filter(({ length }) => length >= 8)
  const constant = large.filter((own) => own.every(({ key }) => key === own[0]?.key)).length
  return check(
    'constant-groups',
    large.length,
    constant,
    large.length === 0
      ? 'no group has 8 or more items with closed answers'
      : `${constant} of ${large.length} groups of 8 or more items have a constant answer`,
  )
}

/** A free-form gold response must not occur in its prompt, unless a shortcut `gold-in-prompt` is declared. */
export function goldInPrompt(subjects: readonly Subject[], declaredShortcuts: readonly DeclaredShortcut[]): Check {
  let checked = 0
  let found = 0
  for (const { answer, text } of subjects) {
    if (answer.kind !== 'free' || answer.gold === null || answer.gold.length < 8) continue
    checked++
    if (text.includes(answer.gold)) found++
  }
  const declared = declaredShortcuts.find(({ probe }) => probe === 'gold-in-prompt')
  const message =
    checked === 0 ? 'no gold response is free-form and long enough' : `${found} prompts contain their gold response`
  return declared === undefined
    ? check('gold-in-prompt', checked, found, message)
    : check('gold-in-prompt', checked, 0, `${message}: declared, ${declared.why}`)
}

/** Most items whose oracle and witness are checked, evenly spaced over the set. */
export const MAX_PROVED_ITEMS = 20_000

/** Checks oracle and witness of items as they are read. */
export class ProofChecks {
  private checked = 0
  private oracleFailed = 0
  private witnessFailed = 0
  private first: string | null = null
  private readonly task: Task
  private readonly every: number

  constructor(task: Task, count: number) {
    this.task = task
    this.every = Math.max(1, Math.ceil(count / MAX_PROVED_ITEMS))
  }

  add(item: AuditItem, ordinal: number, stored: Json | undefined): void {
    if (ordinal % this.every !== 0) return
    const { shared, given, answer } = item
    this.checked++
    const accepted = this.task.oracle({ shared, given }, answer)
    const problem = { shared, given, answer }
    const proved = this.task.check(problem, stored ?? this.task.witness(problem))
    if (!accepted) this.oracleFailed++
    if (!proved) this.witnessFailed++
    if (!accepted || !proved) this.first ??= `index ${item.index}`
  }

  checks(): Check[] {
    if (this.task.asGiven !== undefined) return []
    const where = this.first === null ? '' : `, first at ${this.first}`
    return [
      check(
        'oracle',
        this.checked,
        this.oracleFailed,
        `the oracle rejects ${this.oracleFailed} of ${this.checked} stored answers${where}`,
      ),
      check(
        'witness',
        this.checked,
        this.witnessFailed,
        `${this.witnessFailed} of ${this.checked} witnesses do not prove their answer${where}`,
      ),
    ]
  }
}

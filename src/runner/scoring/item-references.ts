import { setImmediate } from 'node:timers/promises'
import { correctnessChecker, type Features, type Json, type Problem, type Task } from '../../core/index.ts'
import type { Run } from '../folder/run.ts'

/** Reference accuracies of one item: what needs no reasoning. */
export interface ItemReferences {
  /** Share of its possible answers that are correct; null if answers are not closed. */
  readonly chance: number | null
  /** By heuristic: was its guess correct? */
  readonly guesses: { readonly [rule: string]: boolean }
}

/** Items per task: an interval of a share of this many is at most 3 points wide on either side. */
const MAX_ITEMS = 1000
/** Items between turns of the event loop: a heuristic may take milliseconds, and a server has pages to answer. */
const IN_A_TURN = 16
/** Longer lists of possible answers are not scored one by one. */
const MAX_CHOICES = 200

/**
 * Chance and the task's heuristics on the items of a run, by item: on all called items of a task, or on a thousand of them,
 * sampled by their hash. Items on which a heuristic or a grader throws are skipped.
 */
export async function loadReferences(run: Run): Promise<ReadonlyMap<string, ItemReferences>> {
  const { ledger, sources } = run
  const found = new Map<string, ItemReferences>()
  for (const [i, id] of sampleItems(ledger).entries()) {
    if (i % IN_A_TURN === IN_A_TURN - 1) await setImmediate()
    const stored = ledger.item(id)
    if (stored === null) continue
    const references = referencesOf(sources.scorer(stored.item.source), sources.problem(stored.item, stored.shared))
    if (references !== null) found.set(stored.item.id, references)
  }
  return found
}

/**
 * Ids of the sampled items in the order of the ledger, where those of a group are together. Hashes are uniform: of a task with
 * many items only those up to a hash are sorted; all, if too few of these are called.
 */
function sampleItems(ledger: Run['ledger']): readonly string[] {
  const tasks = ledger.query('SELECT task, COUNT(*) AS items FROM item GROUP BY task')
  if (tasks.length === 0) return []
  const least = (bounds: readonly string[]) =>
    ledger.query(
      `WITH bound(task, item_hash) AS (VALUES ${tasks.map(() => '(?, ?)').join()})
        SELECT id, task FROM (SELECT id, position, i.task, ROW_NUMBER() OVER (PARTITION BY i.task ORDER BY i.item_hash, id) AS place
          FROM item i JOIN bound ON bound.task = i.task
          WHERE i.item_hash < bound.item_hash AND EXISTS (SELECT 1 FROM call WHERE call.item = i.id))
        WHERE place <= ${MAX_ITEMS} ORDER BY position`,
      ...tasks.flatMap(({ task }, i) => [String(task), bounds[i] as string]),
    )
  const bounds = tasks.map(({ items }) => hashAt((2 * MAX_ITEMS) / Number(items)))
  const found = least(bounds)
  const enough = tasks.every(
    ({ task }, i) => bounds[i] === LAST || found.filter((item) => item['task'] === task).length === MAX_ITEMS,
  )
  return (enough ? found : least(tasks.map(() => LAST))).map(({ id }) => String(id))
}

/** Above every hash, which is in hex digits. */
const LAST = 'g'

/** The hash below which this share of all hashes is. */
const hashAt = (share: number): string =>
  share >= 1
    ? LAST
    : Math.floor(share * 2 ** 32)
        .toString(16)
        .padStart(8, '0')

/** null for tasks without parsers, and if the task throws. */
export function referencesOf(task: Task, problem: Problem<Json, Json, Json>): ItemReferences | null {
  const right = correctnessChecker(task, problem)
  if (right === null) return null
  const question = { shared: problem.shared, given: problem.given }
  try {
    const choices = task.choices?.(question) ?? []
    const listed = choices.length > 0 && choices.length <= MAX_CHOICES
    const guesses = Object.entries(task.heuristics ?? {}).map(
      ([name, guess]) => [name, right(guess(question))] as const,
    )
    return {
      chance: listed ? choices.filter(right).length / choices.length : null,
      guesses: Object.fromEntries(guesses),
    }
  } catch {
    return null
  }
}

/** Facts about groups and items of a run that are not stored with them; empty if no task of the run has any. */
export interface RunFacts {
  /** By group. */
  readonly groups: ReadonlyMap<string, Features>
  /** Names of the facts about items, and those of each item, computed when they are asked for. */
  readonly names: readonly string[]
  readonly items: ReadonlyMap<string, () => Features>
}

export async function factsOfRun({ file, ledger, sources }: Run): Promise<RunFacts> {
  const tellers = file.sources.map((_, source): Task => sources.scorer(source))
  const telling = [...tellers.keys()].filter((s) => tellers[s]?.groupFacts ?? tellers[s]?.itemFacts)
  const names = new Set(tellers.flatMap(({ itemFacts }) => itemFacts?.names ?? []))
  const groups = new Map<string, { readonly task: Task; readonly problems: Problem<Json, Json, Json>[] }>()
  const items = new Map<string, () => Features>()
  if (telling.length > 0)
    for await (const page of ledger.problems(telling))
      for (const { item, source, group, problem } of page) {
        const task = tellers[source] as Task
        if (task.itemFacts !== undefined) items.set(item, task.itemFacts.of(problem))
        if (task.groupFacts === undefined) continue
        const of = groups.get(group) ?? { task, problems: [] }
        groups.set(group, of)
        of.problems.push(problem)
      }
  const facts = new Map<string, Features>()
  for (const [group, { task, problems }] of groups) facts.set(group, (await task.groupFacts?.(problems)) ?? {})
  return { groups: facts, names: [...names], items }
}

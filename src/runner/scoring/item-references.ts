import { setImmediate } from 'node:timers/promises'
import { type Json, type Problem, rightnessOf, type Task } from '../../core/index.ts'
import type { Run } from '../folder/run.ts'

/** What answers to one item earn that no reasoning went into. */
export interface BlindItem {
  /** Share of its possible answers that are right; null where answers are not closed. */
  readonly chance: number | null
  /** By rule of thumb: was its guess right? */
  readonly guesses: { readonly [rule: string]: boolean }
}

/** Items of each task that are asked: an interval of a share over so many is at most 3 points wide on either side. */
const MOST_ITEMS = 1000
/** Items after which others have their turn: a rule of thumb may take milliseconds, and a server has pages to answer. */
const IN_A_TURN = 16
/** Longer lists of possible answers are not graded one by one. */
const MOST_CHOICES = 200

/**
 * Chance and the task's rules of thumb on the items of a run, by item: on all of a task's that are asked, or on a thousand of
 * them, drawn by their hash: a part of a set has the rest of it in the run, too. Items that a rule or a grader breaks off on are left out.
 */
export async function blindItems(run: Run): Promise<ReadonlyMap<string, BlindItem>> {
  const { ledger, sources } = run
  const found = new Map<string, BlindItem>()
  for (const [i, id] of drawn(ledger).entries()) {
    if (i % IN_A_TURN === IN_A_TURN - 1) await setImmediate()
    const stored = ledger.item(id)
    if (stored === null) continue
    const blind = blindItem(sources.scorer(stored.item.source), sources.problem(stored.item, stored.shared))
    if (blind !== null) found.set(stored.item.id, blind)
  }
  return found
}

/**
 * The ids of the items to look at, in the order of the file, where those of a group stand together. Hashes are spread
 * evenly: of a task with many items only those up to a hash are sorted, and all where too few of them are asked.
 */
function drawn(ledger: Run['ledger']): readonly string[] {
  const tasks = ledger.query('SELECT task, COUNT(*) AS items FROM item GROUP BY task')
  if (tasks.length === 0) return []
  const least = (bounds: readonly string[]) =>
    ledger.query(
      `WITH bound(task, leaf) AS (VALUES ${tasks.map(() => '(?, ?)').join()})
        SELECT id, task FROM (SELECT id, ord, i.task, ROW_NUMBER() OVER (PARTITION BY i.task ORDER BY i.leaf, id) AS place
          FROM item i JOIN bound ON bound.task = i.task
          WHERE i.leaf < bound.leaf AND EXISTS (SELECT 1 FROM cell WHERE cell.item = i.id))
        WHERE place <= ${MOST_ITEMS} ORDER BY ord`,
      ...tasks.flatMap(({ task }, i) => [String(task), bounds[i] as string]),
    )
  const bounds = tasks.map(({ items }) => hashAt((2 * MOST_ITEMS) / Number(items)))
  const found = least(bounds)
  const enough = tasks.every(
    ({ task }, i) => bounds[i] === LAST || found.filter((item) => item['task'] === task).length === MOST_ITEMS,
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

/** null for tasks whose answers are not read, and where the task breaks off. */
export function blindItem(task: Task, problem: Problem<Json, Json, Json>): BlindItem | null {
  const right = rightnessOf(task, problem)
  if (right === null) return null
  const question = { shared: problem.shared, given: problem.given }
  try {
    const choices = task.choices?.(question) ?? []
    const listed = choices.length > 0 && choices.length <= MOST_CHOICES
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

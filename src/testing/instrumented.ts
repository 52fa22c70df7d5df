import type { Source, Task } from '../core/index.ts'
import { ContractError } from './contract-test.ts'

/** What laws ask of a task about an item. */
const ASKED = [
  'oracle',
  'witness',
  'check',
  'gold',
  'grade',
  'right',
  'metrics',
  'choices',
  'canonical',
  'anonymize',
  'pairSignature',
  'solution',
  'checkSteps',
  'improve',
] as const

type Act = (...given: unknown[]) => unknown

/**
 * The same task, whose functions say of which item they were asked where they throw.
 *
 * @param itemOf - the id of the item that an argument belongs to; null: of none.
 */
export function instrumentedTask(task: Task, itemOf: (given: unknown) => string | null): Task {
  const named =
    (name: string, act: Act): Act =>
    (...given) =>
      watched(
        () => act.apply(task, given),
        name,
        () => given.map(itemOf).find((id) => id !== null) ?? null,
      )
  const functions = ASKED.flatMap((name) => {
    const act = task[name] as Act | undefined
    return act === undefined ? [] : [[name, named(name, act)]]
  })
  const parsers = Object.entries(task.parsers ?? {}).map(([name, read]) => [name, named(`parser ${name}`, read as Act)])
  return {
    ...task,
    ...Object.fromEntries(functions),
    ...(task.parsers === undefined ? {} : { parsers: Object.fromEntries(parsers) }),
  }
}

/** The same source, which says at which index or item it throws. */
export const instrumentedSource = (source: Source): Source => ({
  ...source,
  item: (index) => watched(() => source.item(index), `item ${index} cannot be drawn: draw`),
  request: (item, style) =>
    watched(
      () => source.request(item, style),
      `request of style ${style}`,
      () => item.id,
    ),
})

function watched<T>(act: () => T, what: string, item: () => string | null = () => null): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof ContractError) throw error
    throw new ContractError(
      `${what} throws ${error instanceof Error ? `${error.name}: ${error.message}` : error}`,
      item(),
    )
  }
}

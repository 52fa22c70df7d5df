import type { Json, JsonObject, Problem, Source, Task } from '../../../core/index.ts'
import { LruCache } from '../../../core/memo.ts'
import { itemsRoot } from '../../../core/merkle.ts'
import { families } from '../../../tasks/index.ts'
import { featureMeanings } from '../../api/words.ts'
import { type Audited, auditOf } from './audit.ts'
import { type Found, findRow, type Generated, generateAt, type SetRange } from './generated.ts'
import { type TaskParameter, taskParameters } from './parameters.ts'

/** Requests to the worker that runs task code. */
export type Work =
  | {
      readonly kind: 'draw'
      readonly task: string
      readonly version: number
      readonly problem: Problem<Json, Json, Json>
    }
  | { readonly kind: 'list' }
  /** Regenerate every item of a dataset, down to its root. */
  | (Frozen & { readonly kind: 'root'; readonly count: number })
  /** A row of a dataset, found and compared. */
  | (Frozen & { readonly kind: 'find'; readonly row: JsonObject; readonly range: SetRange })
  /** Audit the first items. */
  | (Config & { readonly kind: 'audit'; readonly count: number })
  | (Config & {
      readonly kind: 'make'
      readonly indices: readonly number[]
    })

/** What the items of a frozen set are made of. */
interface Frozen {
  readonly task: string
  readonly version: number
  readonly config: Json
  readonly seed: string
  readonly split: string
}

/** What items are made of. */
interface Config {
  readonly task: string
  readonly preset: string
  /** Keys of the config that are not as in the preset. */
  readonly changes: JsonObject
  readonly seed: string
  readonly split: string
}

/** The drawing of an item, and the check of its proof. */
export type Truth =
  | { readonly kind: 'unknown'; readonly why: string }
  /** What was stored is no problem of its task. */
  | { readonly kind: 'foreign'; readonly task: string }
  | ({ readonly kind: 'drawn'; readonly drawings: readonly Json[] } & Proof)

interface Proof {
  /** Did `check` accept the witness in this browser? */
  readonly checked: boolean
  /** Characters of the witness as JSON: what was read. */
  readonly size: number
  readonly oracle: boolean
}

export interface TaskFacts {
  readonly name: string
  readonly summary: string
  readonly version: number
  readonly styles: readonly string[]
  readonly presets: readonly { readonly name: string; readonly summary: string; readonly config: JsonObject }[]
  readonly parameters: readonly TaskParameter[]
  readonly features: { readonly [name: string]: string }
}

export interface Answers {
  readonly draw: Truth
  readonly list: readonly TaskFacts[]
  readonly audit: Audited
  /** `size`: how many there are of that config; null: without end. */
  readonly make: { readonly made: readonly Generated[]; readonly size: number | null }
  /** 64 hex digits. @throws where this page cannot make the items */
  readonly root: string
  /** @throws where this page cannot make the items */
  readonly find: Found
}

const tasks = families.flatMap((family) => family.tasks)
const find = (name: string): Task | undefined => tasks.find((task) => task.name === name)

export async function work(asked: Work): Promise<Answers[Work['kind']]> {
  switch (asked.kind) {
    case 'draw':
      return truthOf(asked.task, asked.version, asked.problem)
    case 'list':
      return tasks.map(factsOf)
    case 'make':
      return madeBy(asked)
    case 'audit': {
      const { task, source } = openedAs(asked)
      return auditOf(task, source, asked.count, `${asked.split} ${asked.seed}`)
    }
    case 'root':
      return itemsRoot(frozenAs(asked).source, asked.count)
    case 'find': {
      const { task, source } = frozenAs(asked)
      return findRow(task, source, asked.row, asked.range)
    }
  }
}

/** @throws where this page does not have the version of the task */
function frozenAs({ task: name, version, config, seed, split }: Frozen): Opened {
  const task = find(name)
  if (task?.version !== version) throw new Error(`this page has no version ${version} of ${name}`)
  const key = JSON.stringify([name, version, config, seed, split])
  return { task, source: opened.get(key, () => task.source(task.configure(config), { split, seed })) }
}

function truthOf(name: string, version: number, problem: Problem<Json, Json, Json>): Truth {
  const task = find(name)
  if (task === undefined)
    return {
      kind: 'unknown',
      why: `this page does not contain the task ${name}, which is of a plugin, a file or a log`,
    }
  if (task.version !== version)
    return {
      kind: 'unknown',
      why: `the item has version ${version} of ${name}, this page version ${task.version}`,
    }
  const proof = proofOf(task, problem)
  return proof === null
    ? { kind: 'foreign', task: name }
    : { kind: 'drawn', drawings: task.drawings?.(problem) ?? [], ...proof }
}

/** null where what was stored is nothing that the task could have made: it breaks off on it. */
function proofOf(task: Task, problem: Problem<Json, Json, Json>): Proof | null {
  try {
    const witness = task.witness(problem)
    const size = JSON.stringify(witness).length
    return { checked: task.check(problem, witness), size, oracle: task.oracle(problem, problem.answer) }
  } catch {
    return null
  }
}

function factsOf(task: Task): TaskFacts {
  return {
    name: task.name,
    summary: task.summary,
    version: task.version,
    styles: task.styles,
    presets: Object.entries(task.presets).map(([name, { summary }]) => ({
      name,
      summary,
      config: task.preset(name).config,
    })),
    parameters: taskParameters(task),
    features: featureMeanings(task),
  }
}

interface Opened {
  readonly task: Task
  readonly source: Source
}

/** Sources by task, preset, seed and split: a plan can take seconds to make. */
const opened = new LruCache<Source, string>(4)

/** @throws for an unknown task, or a config that rejects a change */
function openedAs({ task: name, preset, changes, seed, split }: Config): Opened {
  const task = find(name)
  if (task === undefined) throw new Error(`unknown task ${name}`)
  const key = JSON.stringify([name, preset, changes, seed, split])
  const source = opened.get(key, () =>
    task.source(task.configure({ ...task.preset(preset).config, ...changes }), { split, seed }),
  )
  return { task, source }
}

function madeBy(asked: Extract<Work, { kind: 'make' }>): Answers['make'] {
  const { task, source } = openedAs(asked)
  const { size } = source.layout
  const made = asked.indices
    .filter((index) => size === null || index < size)
    .map((index) => generateAt(task, source, source.item(index)))
  return { made, size }
}

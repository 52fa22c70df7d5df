import type { Json, JsonObject, Problem, Source, Task } from '../../../core/index.ts'
import { LeastRecent } from '../../../core/memo.ts'
import { itemsRoot } from '../../../core/root.ts'
import { families } from '../../../tasks/index.ts'
import { type Audited, auditOf } from './audit.ts'
import { type Knob, knobsOf } from './knobs.ts'

/** What is asked of the tasks, in a worker. */
export type Work =
  | {
      readonly kind: 'draw'
      readonly task: string
      readonly version: number
      readonly problem: Problem<Json, Json, Json>
    }
  | { readonly kind: 'list' }
  /** Every item of a dataset made anew, down to its root. */
  | {
      readonly kind: 'root'
      readonly task: string
      readonly version: number
      readonly config: Json
      readonly seed: string
      readonly split: string
      readonly count: number
    }
  /** What `touchstone audit` would say of the first items. */
  | (Config & { readonly kind: 'audit'; readonly count: number })
  | (Config & {
      readonly kind: 'make'
      readonly indices: readonly number[]
    })

/** What items are made of. */
interface Config {
  readonly task: string
  readonly preset: string
  /** Keys of the config that are not as in the preset. */
  readonly changes: JsonObject
  readonly seed: string
  readonly split: string
}

/** The truth of an item: drawn, and its proof checked here. */
export type Truth =
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'drawn'
      readonly drawings: readonly Json[]
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
  readonly knobs: readonly Knob[]
  readonly features: { readonly [name: string]: string }
}

export type Made =
  | { readonly kind: 'hole'; readonly index: number; readonly reason: string; readonly proved: boolean }
  | {
      readonly kind: 'item'
      readonly index: number
      readonly id: string
      readonly prompt: string
      readonly problem: Problem<Json, Json, Json>
      readonly gold: string | null
      readonly features: { readonly [name: string]: Json }
      readonly version: number
    }

export interface Answers {
  readonly draw: Truth
  readonly list: readonly TaskFacts[]
  readonly audit: Audited
  readonly make: readonly Made[]
  /** 64 hex digits. @throws where this page cannot make the items */
  readonly root: string
}

const tasks = families.flatMap((family) => family.tasks)
const find = (name: string): Task | undefined => tasks.find((task) => task.name === name)

/** Does one piece of work. */
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
    case 'root': {
      const task = find(asked.task)
      if (task?.version !== asked.version)
        throw new Error(`this page does not have version ${asked.version} of ${asked.task}`)
      const key = { split: asked.split, seed: asked.seed }
      return itemsRoot(task.source(task.configure(asked.config), key), asked.count)
    }
  }
}

function truthOf(name: string, version: number, problem: Problem<Json, Json, Json>): Truth {
  const task = find(name)
  if (task === undefined) return { kind: 'unknown', why: `the task ${name} is a plugin: this page does not have it` }
  if (task.version !== version)
    return {
      kind: 'unknown',
      why: `the item is of version ${version} of ${name}, this page has version ${task.version}`,
    }
  const witness = task.witness(problem)
  return {
    kind: 'drawn',
    drawings: task.view?.(problem) ?? [],
    checked: task.check(problem, witness),
    size: JSON.stringify(witness).length,
    oracle: task.oracle(problem, problem.answer),
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
    knobs: knobsOf(task),
    features: Object.fromEntries(
      Object.entries(task.features.shape).map(([name, schema]) => [
        name,
        (schema as { description?: string }).description ?? '',
      ]),
    ),
  }
}

/** Sources by task, preset, seed and split: a plan can take seconds to make. */
const opened = new LeastRecent<Source, string>(4)

/** @throws where there is no such task, or its config refuses a change */
function openedAs({ task: name, preset, changes, seed, split }: Config): {
  readonly task: Task
  readonly source: Source
} {
  const task = find(name)
  if (task === undefined) throw new Error(`there is no task ${name}`)
  const key = JSON.stringify([name, preset, changes, seed, split])
  const source = opened.get(key, () =>
    task.source(task.configure({ ...task.preset(preset).config, ...changes }), { split, seed }),
  )
  return { task, source }
}

function madeBy(asked: Extract<Work, { kind: 'make' }>): readonly Made[] {
  const { task, source } = openedAs(asked)
  const { size } = source.layout
  return asked.indices
    .filter((index) => size === null || index < size)
    .map((index): Made => {
      const item = source.item(index)
      if (item.kind === 'hole') return { kind: 'hole', index, reason: item.reason, proved: item.proved }
      const request = source.request(item, task.styles[0])
      const problem = { shared: item.shared, given: item.given, answer: item.answer }
      return {
        kind: 'item',
        index,
        id: item.id,
        prompt:
          request.kind === 'chat'
            ? request.messages.map(({ content }) => content).join('\n\n')
            : `${request.context}${request.text}`,
        problem,
        gold: task.gold?.(problem) ?? null,
        features: { ...item.features },
        version: task.version,
      }
    })
}

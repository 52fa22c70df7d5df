import { canonicalConfig } from './canonical-json.ts'
import { hint, UsageError } from './errors.ts'
import type { Importer } from './importer.ts'
import { freeze, type Json, type JsonObject } from './json.ts'
import type { JudgedResponse, JudgeItem } from './judging.ts'
import type { Paper } from './paper.ts'
import { readingParsers } from './read-response.ts'
import { schemaErrorMap, schemaErrors } from './schema-errors.ts'
import { openSource, type Source, type SourceKey } from './source.ts'
import type { Features, TaskDefinition, TaskSpec } from './task.ts'
import type { Templates } from './template.ts'
import type { TokenCounter } from './token-counter.ts'
import { validateTask } from './validate-task.ts'

/** A task with its type parameters erased: the form that all code outside its family uses. */
export interface Task extends TaskSpec<JsonObject, Json, Json, Json, Json> {
  /**
   * Parses a config and fills in defaults; an unknown key is an error that names the nearest key.
   * @throws UsageError
   */
  configure(input: unknown): JsonObject
  /** The config of a preset by name or alias. @throws UsageError */
  preset(name: string): { readonly name: string; readonly config: JsonObject }
  /** All items of this config, split and seed. Pass `plan` if it is already known, and `templates` to ask in them. */
  source(config: JsonObject, key: SourceKey, plan?: Json, templates?: Templates): Source
}

/** Turns responses to one task into questions for a judge (a model or a person). */
export interface Judging {
  /** The task whose responses are judged. */
  readonly of: string
  /** The judge's task, which draws no items. */
  readonly task: Task
  /** The question about a response; null: it has nothing to judge. */
  question(judged: JudgedResponse): JudgeItem | null
  /** Item features to stratify by: equally many responses per judged model and feature value. */
  readonly strata: readonly string[]
  /** Readers of published judgements. */
  readonly importers: readonly Importer[]
}

/** A family of tasks: one folder under `src/tasks`, listed in `src/tasks/index.ts` and `src/tasks/by-name.ts`. */
export interface Family {
  readonly name: string
  readonly tasks: readonly Task[]
  readonly importers: readonly Importer[]
  /** Tasks that draw no items, for imported ones. */
  readonly imported?: readonly Task[]
  /** Judge tasks for its responses. */
  readonly judging?: readonly Judging[]
  /** The paper that the family implements. */
  readonly paper?: Paper
  /** Token counters for tasks of any family; only plugins have them. */
  readonly tokenCounters?: readonly TokenCounter[]
  /** The same family with additional token counters; absent if no task counts tokens. */
  withTokenCounters?(counters: readonly TokenCounter[]): Family
}

/**
 * Turns a typed literal into a task. Types are checked here and then erased: all data is JSON, and core passes each function only
 * values that the same task made.
 *
 * @throws TypeError if the literal breaks the task contract, e.g. a bad name or version, neither parsers nor metrics, neither gold
 *   nor noGold.
 *
 * @example
 * import { lenientNumber, strictNumber } from '@touchstone-eval/touchstone/parsers'
 * import { balancedBlocks, below, defineTask, type Question } from '@touchstone-eval/touchstone/task'
 * import { z } from 'zod'
 *
 * interface Sum {
 *   readonly [key: string]: number
 *   readonly a: number
 *   readonly b: number
 * }
 *
 * export default defineTask({
 *   name: 'my/sums',
 *   summary: 'What is a + b?',
 *   version: 1,
 *   scorerVersion: 1,
 *   promptVersion: 1,
 *   config: z.strictObject({ digits: z.int().min(1).max(9).default(3).describe('digits of a number') }),
 *   presets: { small: { summary: 'three digits', config: { digits: 3 } } },
 *   features: z.object({ digits: z.int().describe('digits').meta({ role: 'difficulty' }) }),
 *   layout: ({ digits }, _plan, draws) => balancedBlocks({ factors: ['digits'], units: [{ levels: { digits } }] }, draws),
 *   draw({ digits }, _shared, _at, draws) {
 *     const stream = draws.stream('numbers')
 *     const [a, b] = [below(stream, 10 ** digits), below(stream, 10 ** digits)]
 *     return { kind: 'drawn', given: { a, b }, answer: String(a + b), features: { digits } }
 *   },
 *   styles: ['zero-shot'],
 *   request: ({ given }: Question<null, Sum>) => ({
 *     kind: 'chat',
 *     messages: [{ role: 'user', content: `What is ${given.a} + ${given.b}? End with the number.` }],
 *   }),
 *   parsers: { strict: (text) => strictNumber(text), lenient: (text) => lenientNumber(text) },
 *   grade: ({ answer }, prediction) => ({ value: prediction === answer ? 1 : 0 }),
 *   gold: ({ answer }) => answer,
 *   oracle: ({ given }, answer) => BigInt(answer) - BigInt(given.b) === BigInt(given.a),
 *   witness: ({ answer }) => answer,
 *   check: ({ answer }, witness) => witness === answer,
 *   canonical: ({ given }) => `${given.a}+${given.b}`,
 *   analyses: [],
 * })
 */
export function defineTask<
  C,
  P extends Json,
  S extends Json,
  G extends Json,
  A extends Json,
  const F extends Features,
  K extends PropertyKey = keyof F,
>(spec: TaskDefinition<C, P, S, G, A, F, K>): Task {
  validateTask(spec)
  const given = spec as unknown as TaskSpec<JsonObject, Json, Json, Json, Json>
  const erased = given.parsers === undefined ? given : { ...given, parsers: readingParsers(given.parsers) }
  const defaults = parseConfig(erased, {})
  return {
    ...erased,
    configure: (input) => parseConfig(erased, input),
    preset(name) {
      const found = Object.entries(erased.presets).find(
        ([key, preset]) => key === name || preset.aliases?.includes(name) === true,
      )
      if (found === undefined) {
        const names = Object.keys(erased.presets)
        throw new UsageError(`${spec.name} has no preset "${name}"${hint(name, names)}; it has ${names.join(', ')}`)
      }
      return { name: found[0], config: parseConfig(erased, found[1].config) }
    },
    source: (config, key, plan, templates) => openSource(erased, config, defaults, key, plan, templates),
  }
}

function parseConfig(spec: TaskSpec<JsonObject, Json, Json, Json, Json>, input: unknown): JsonObject {
  const parsed = spec.config.safeParse(input, { error: schemaErrorMap })
  if (parsed.success) return writable(spec, freeze(parsed.data))
  const lines = schemaErrors(parsed.error, spec.config).map((line) => `  ${line}`)
  throw new UsageError(`this config does not fit ${spec.name}:\n${lines.join('\n')}`)
}

/** Configs are hashed in canonical form, which ill-formed text does not have. */
function writable(spec: { readonly name: string }, config: JsonObject): JsonObject {
  try {
    canonicalConfig(config)
    return config
  } catch (error) {
    throw new UsageError(`this config does not fit ${spec.name}:\n  ${error instanceof Error ? error.message : error}`)
  }
}

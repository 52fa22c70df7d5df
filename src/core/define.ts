import { canonicalConfig } from './canonical-json.ts'
import { hint, UsageError } from './errors.ts'
import type { Importer } from './importer.ts'
import { freeze, type Json, type JsonObject } from './json.ts'
import type { JudgedResponse, JudgeItem } from './judging.ts'
import type { Paper } from './paper.ts'
import { schemaErrors } from './parsed-in-words.ts'
import { schemaErrorMap } from './schema-errors.ts'
import { openSource, type Source, type SourceKey } from './source.ts'
import type { Features, TaskDefinition, TaskSpec } from './task.ts'
import type { TokenCounter } from './token-counter.ts'
import { validateTask } from './validate-task.ts'

/** A task with its types erased: what everything outside a family's folder gets. */
export interface Task extends TaskSpec<JsonObject, Json, Json, Json, Json> {
  /**
   * Parses a config: defaults filled in, unknown keys refused with the nearest key named.
   * @throws UsageError
   */
  configure(input: unknown): JsonObject
  /** The config of a preset by name or alias. @throws UsageError */
  preset(name: string): { readonly name: string; readonly config: JsonObject }
  /** All items of this config, split and seed. `plan` may be given where it is already known. */
  source(config: JsonObject, key: SourceKey, plan?: Json): Source
}

/** Responses to one task as questions of another: whoever answers those is a judge, a model or a person. */
export interface Judging {
  /** The task whose responses are judged. */
  readonly of: string
  /** What a judge is asked. It draws no items of its own. */
  readonly task: Task
  /** The question about a response; null: nothing in it can be judged. */
  question(judged: JudgedResponse): JudgeItem | null
  /** Features of the items answered: as many responses are drawn of each respondent and each value of these. */
  readonly strata: readonly string[]
  /** Readers of published judgements. */
  readonly importers: readonly Importer[]
}

/** One folder under `src/tasks`, a line in `src/tasks/index.ts` and one in `src/tasks/by-name.ts`. */
export interface Family {
  readonly name: string
  readonly tasks: readonly Task[]
  readonly importers: readonly Importer[]
  /** How responses to its tasks are judged. */
  readonly judging?: readonly Judging[]
  /** The paper that it implements. */
  readonly paper?: Paper
  /** Brought for tasks of any family: what a plugin may have. */
  readonly tokenCounters?: readonly TokenCounter[]
  /** The same family, its tasks able to count with these besides the built-in ones; absent where no task counts tokens. */
  withTokenCounters?(counters: readonly TokenCounter[]): Family
}

/**
 * Turns a typed literal into a task. The literal's types are checked here and then erased: all of its data is JSON,
 * and core hands every function only what the same task made.
 *
 * @throws TypeError where the laws of the contract would fail later: a name, a version, no parsers and no measure, no gold and
 *   no reason why.
 *
 * @example
 * import { lenientNumber, strictNumber } from '@touchstone-eval/touchstone/answers'
 * import { below, defineTask, type Question, rounds } from '@touchstone-eval/touchstone/task'
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
 *   scorer: 1,
 *   wording: 1,
 *   config: z.strictObject({ digits: z.int().min(1).max(9).default(3).describe('digits of a number') }),
 *   presets: { small: { summary: 'three digits', config: { digits: 3 } } },
 *   features: z.object({ digits: z.int().describe('digits').meta({ role: 'difficulty' }) }),
 *   layout: ({ digits }, _plan, draws) => rounds({ factors: ['digits'], units: [{ levels: { digits } }] }, draws),
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
 *   grade: ({ answer }, said) => ({ value: said === answer ? 1 : 0 }),
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
  const erased = spec as unknown as TaskSpec<JsonObject, Json, Json, Json, Json>
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
    source: (config, key, plan) => openSource(erased, config, defaults, key, plan),
  }
}

function parseConfig(spec: TaskSpec<JsonObject, Json, Json, Json, Json>, input: unknown): JsonObject {
  const parsed = spec.config.safeParse(input, { error: schemaErrorMap })
  if (parsed.success) return writable(spec, freeze(parsed.data))
  const lines = schemaErrors(parsed.error, spec.config).map((line) => `  ${line}`)
  throw new UsageError(`this config does not fit ${spec.name}:\n${lines.join('\n')}`)
}

/** A config is hashed and written in canonical form: text that is not well-formed has none. */
function writable(spec: { readonly name: string }, config: JsonObject): JsonObject {
  try {
    canonicalConfig(config)
    return config
  } catch (error) {
    throw new UsageError(`this config does not fit ${spec.name}:\n  ${error instanceof Error ? error.message : error}`)
  }
}

import { isMap, isNode } from 'yaml'
import { z } from 'zod'
import { type Json, parseWithSchema, type SchemaPath, UsageError } from '../../core/index.ts'
import type { LevelCounts, Threshold } from '../../libraries/statistics/index.ts'
import { headersSchema, settingsSchema } from '../../models/index.ts'
import { choiceSchema } from '../../store/index.ts'
import { readYaml } from './yaml.ts'

// What an experiment may say about when to stop and what to call next, and what is known by it. Formats only: they are
// part of run.json and of the result of a run. The extensions `sequential` and `adaptive` act on them.

/** When a run knows enough to stop, fixed before its first call. */
export const untilSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { rule: value } : value),
  z.strictObject({
    rule: z
      .string()
      .min(3)
      .max(400)
      .describe('"A>B" for two models, with which all others stop, or "width<0.05" for the intervals of all'),
    alpha: z.number().gt(0).lt(0.5).default(0.05).describe('chance of a wrong verdict over all interim analyses'),
    checkEvery: z.int().min(1).max(1_000_000).default(25).describe('groups of items between interim analyses'),
  }),
)
export type Until = z.infer<typeof untilSchema>

/** What one interim analysis found. */
export type InterimAnalysis =
  | {
      readonly kind: 'better'
      /** Groups of items that both models have ended. */
      readonly groups: number
      /** Mean over groups of the accuracy of A minus that of B; null: no group yet. */
      readonly difference: number | null
      /** E-values of A > B and of B > A; the rule is satisfied when one reaches 2 / alpha. */
      readonly eGreater: number
      readonly eLess: number
    }
  | { readonly kind: 'width'; readonly groups: number; readonly models: readonly ModelInterim[] }

export interface ModelInterim {
  readonly model: string
  readonly groups: number
  readonly accuracy: number
  readonly low: number
  readonly high: number
}

/** A stopping rule, its interim analyses, and what is known by them. */
export interface UntilState extends Until {
  readonly interim: readonly InterimAnalysis[]
  /** null: not known (yet). */
  readonly verdict: string | null
}

/** How a run chooses what it calls next, fixed before its first call. */
export const adaptSchema = z
  .preprocess(
    (value) => (typeof value === 'string' ? { parameter: value } : value),
    z.strictObject({
      parameter: z
        .string()
        .min(1)
        .max(100)
        .describe('a numeric parameter of the task, or a numeric feature of its items'),
      from: z.number().optional().describe('smallest value (default: the smallest there is)'),
      to: z.number().optional().describe('largest value'),
      step: z.number().gt(0).default(1).describe('from value to value, for a parameter of the task'),
      until: z
        .string()
        .max(100)
        .optional()
        .describe('precision at which a model is done: "x50 width<2", "x75 se<0.5" (default: after maxItems)'),
      maxItems: z.int().min(1).max(10_000).default(300).describe('most items per model'),
      checkEvery: z.int().min(1).max(10_000).default(5).describe('items per adaptive step'),
    }),
  )
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, 'from is less than to')
export type Adapt = z.infer<typeof adaptSchema>

/** One choice of an adaptive run: this many items more at a value of the parameter. */
export interface AdaptiveStep {
  readonly at: number
  readonly items: number
  /** What all responses up to the end of the step say; null: it is in progress. */
  readonly estimate: StepEstimate | null
}

export interface StepEstimate {
  /** Responses so far. */
  readonly answers: number
  /** null: too few responses for a curve. */
  readonly threshold: Threshold | null
}

/** Why a model is called no more: precise enough, `maxItems` reached, or no items left. */
export type EndReason = 'precise' | 'max-items' | 'no-items-left'

/** The adaptive calls of one model. */
export interface AdaptedModel {
  readonly model: string
  readonly steps: readonly AdaptiveStep[]
  /** null: not stopped. */
  readonly end: EndReason | null
  /** Responses by value of the parameter. */
  readonly levels: readonly LevelCounts[]
  /** Design effect: by how much more the responses of one group vary than independent ones. */
  readonly design: number
}

/** An adaptive run: what was planned, what it chose, and what is known. */
export interface AdaptState extends Adapt {
  readonly models: readonly AdaptedModel[]
}

/** One value where a list is meant. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (Array.isArray(value) || value === undefined ? value : [value]), z.array(item).min(1))

const json: z.ZodType<Json> = z.json() as z.ZodType<Json>
const seed = z.union([z.int(), z.string()])

const itemsEntry = z.strictObject({
  task: z.string().describe('family/task'),
  preset: z.string().optional().describe('a named config of the task'),
  config: z.record(z.string(), json).optional().describe('keys of the config, over the preset where both are given'),
  sweep: z.record(z.string(), z.array(json).min(1)).optional().describe('keys with several values: the cross product'),
  split: z.string().default('test').describe('train, validation, test, or any other name'),
  seed: seed.optional().describe('seed of these items (default: the seed of the experiment)'),
  seeds: z
    .tuple([z.int(), z.int()])
    .refine(([first, last]) => first <= last && last - first < 1000, 'the first and the last of at most 1000 seeds')
    .optional()
    .describe('the same items once for each seed from the first to the last, instead of seed'),
  count: z.int().min(1).optional().describe('items, taken evenly from all groups (default: all of a finite config)'),
  within: z.int().min(1).optional().describe('take them from the first indices only, such as those of a dataset'),
  style: listOf(z.string()).optional().describe('prompt styles (default: the first of the task)'),
  template: listOf(z.string()).optional().describe('files of prompt templates (docs/running.md), each one more style'),
})

const subsample = z.union([
  z.strictObject({
    perStratum: z
      .int()
      .min(1)
      .describe('at most this many items a stratum, inside each group where groups come one after another'),
  }),
  z.strictObject({ fraction: z.number().gt(0).max(1).describe('this fraction of the items') }),
])

const modelEntry = z.preprocess(
  (value) => (typeof value === 'string' ? { model: value } : value),
  z.strictObject({
    model: z.string().describe('provider:model'),
    name: z.string().min(1).optional().describe('its name in tables (default: the spec)'),
    settings: listOf(settingsSchema).default([{}]).describe('each is one arm of the run'),
    samples: z.int().min(1).default(1).describe('responses to each item'),
    subsample: subsample.optional().describe('for costly models: a seeded part of the items, nested in larger parts'),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('facts about the model for tables'),
    price: z
      .strictObject({
        input: z.number().min(0),
        output: z.number().min(0),
        maxOutput: z.int().min(1).optional().describe('most tokens of one answer'),
      })
      .optional()
      .describe('US dollars for a million tokens'),
    batch: z
      .preprocess(
        (value) => (value === true ? {} : value === false ? undefined : value),
        z.strictObject({ lines: z.int().min(1).max(50_000).optional().describe('most lines of one batch') }).optional(),
      )
      .describe('true: asked in batches of the provider, answered within a day for half the price'),
    rate: z
      .strictObject({
        requests: z.number().gt(0).optional().describe('requests a minute'),
        tokens: z.number().gt(0).optional().describe('tokens a minute, read and written'),
      })
      .optional()
      .describe('how fast it may be asked, by all workers of a store together'),
    baseUrl: z.url().optional().describe('of the server'),
    baseUrlEnv: z.string().optional().describe('environment variable that holds the base URL'),
    apiKeyEnv: z.string().optional().describe('environment variable that holds the key'),
    headers: headersSchema.optional().describe('sent with every request; a secret is named, as in docs/running.md'),
  }),
)

const limits = z.strictObject({
  concurrency: z.int().min(1).max(10_000).default(100).describe('most calls at once to one provider'),
  retries: z.int().min(0).max(100).default(8).describe('further attempts after a failure that may pass'),
  timeout: z.number().gt(0).default(600).describe('seconds until a call is given up'),
  usd: z.number().gt(0).optional().describe('stop before more than this is spent'),
})

/** Of a run that was given no name. */
export const UNNAMED = 'run'

export const experimentSchema = z.strictObject({
  name: z.string().min(1).default(UNNAMED).describe('of the run'),
  seed: seed.default(0).describe('of items, order and subsamples'),
  items: listOf(itemsEntry).describe('what is asked'),
  models: z.preprocess((value) => value ?? [], z.array(modelEntry)).describe('who is asked'),
  selection: z
    .array(choiceSchema)
    .min(1)
    .optional()
    .describe('style and parser of each task, model and settings, instead of "style": the choices of a selection.json'),
  limits: z.preprocess((value) => value ?? {}, limits).describe('how fast, how long, how much'),
  until: untilSchema.optional().describe('stop as soon as this is known'),
  adapt: adaptSchema
    .optional()
    .describe('choose what is asked next, to know soon where each model breaks along a parameter'),
})

/** An experiment with all defaults filled in. */
export type Experiment = z.infer<typeof experimentSchema>
export type ItemsEntry = z.infer<typeof itemsEntry>
export type ModelEntry = z.infer<typeof modelEntry>
export type Limits = z.infer<typeof limits>
export type Subsample = z.infer<typeof subsample>

/**
 * Reads an experiment from YAML (or JSON) text.
 * @param name - of the file, for messages.
 * @throws UsageError that names line, path, what was expected and, for an unknown key, the nearest known one.
 *
 * @example
 * import { openLab, readExperiment } from '@touchstone-eval/touchstone'
 *
 * const experiment = readExperiment(`
 * items: [{ task: family/task, preset: small, count: 20 }]
 * models: [baseline:random, openai:gpt-5]
 * `)
 * const lab = await openLab()
 * console.log((await lab.plan({ experiment })).calls)
 */
export function readExperiment(text: string, name = 'experiment'): Experiment {
  const { value, document, lines } = readYaml(text, name)
  return parse(value, (path) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true)
      const range = isNode(node) ? node.range : null
      const key = path[depth]
      const pair = isMap(node) ? node.items.find((item) => isNode(item.key) && item.key.toJSON() === key) : undefined
      const at = isNode(pair?.key) ? pair.key.range?.[0] : range?.[0]
      if (at !== undefined) return `${name}:${lines.linePos(at).line}: `
    }
    return `${name}: `
  })
}

/**
 * An experiment from a value, e.g. put together from flags. @throws UsageError
 *
 * @example
 * import { parseExperiment } from '@touchstone-eval/touchstone/node'
 *
 * export const experimentOf = (text: string) => parseExperiment(JSON.parse(text))
 */
export const parseExperiment = (value: unknown): Experiment => parse(value, () => '')

function parse(value: unknown, place: (path: SchemaPath) => string): Experiment {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${place([])}an experiment is a mapping with the keys items and models`)
  return parseWithSchema(experimentSchema, value, place)
}

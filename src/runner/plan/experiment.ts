import { isMap, isNode } from 'yaml'
import { z } from 'zod'
import { type Json, parseWithSchema, type SchemaPath, UsageError } from '../../core/index.ts'
import { headersSchema, settingsSchema } from '../../models/index.ts'
import { choiceSchema } from '../../store/index.ts'
import { adaptSchema, untilSchema } from './rules.ts'
import { readYaml } from './yaml.ts'

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
  within: z.int().min(1).optional().describe('take them from the indices of a dataset of so many'),
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

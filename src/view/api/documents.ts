import { z } from 'zod'
import type { Json } from '../../core/index.ts'

/**
 * What the server of the view and its pages say to one another. The pages parse every document that arrives, so that a server
 * of another version is told apart from a mistake.
 */

const json = z.json() as z.ZodType<Json>
const count = z.int().min(0)

/** A number with its interval, what it was made from and how. */
export const estimate = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  n: z.number(),
  method: z.string(),
})
export type ShownEstimate = z.infer<typeof estimate>

const counts = z.object({ waiting: count, leased: count, batched: count, done: count, failed: count })

const modelState = z.object({ name: z.string(), counts })

/** What the process that works on a run says of one model. */
const liveModel = z.object({
  model: z.string(),
  /** Cells it is asked at most. */
  total: count,
  done: count,
  failed: count,
  inFlight: count,
  /** Cells a second, over the last seconds. */
  rate: z.number(),
  /** Seconds; null: not known. */
  left: z.number().nullable(),
  usd: z.number(),
  accuracy: estimate.nullable(),
  /** In words. */
  waits: z.array(z.string()),
  /** In this process, the latest first. */
  failures: z.array(z.object({ code: z.string(), times: count, message: z.string() })),
})
export type LiveModel = z.infer<typeof liveModel>

/** Where a model of an adaptive run breaks, by what is known. */
const adaptedModel = z.object({
  model: z.string(),
  choices: count,
  answers: count,
  /** The value of the knob asked last. */
  at: z.number().nullable(),
  threshold: estimate.nullable(),
})

export const runSummary = z.object({
  kind: z.literal('run'),
  id: z.string(),
  path: z.string(),
  name: z.string(),
  created: z.string(),
  tasks: z.array(z.string()),
  counts,
  models: z.array(modelState),
  usd: z.number(),
  /** US dollars at most; null: no limit. */
  limit: z.number().nullable(),
  /** What it says of each model while it works; null: no process does, or it says nothing. */
  live: z.object({ left: z.number().nullable(), models: z.array(liveModel) }).nullable(),
  /** An adaptive run: its knob, its rule, and each model; null for others. */
  adapt: z.object({ knob: z.string(), until: z.string().nullable(), models: z.array(adaptedModel) }).nullable(),
  /** Does a process work on it now? */
  held: z.boolean(),
  /** Rows that are there, of all that will be, where they are being made; null: they are not. */
  making: z.object({ done: count, of: count }).nullable(),
  /** May that process be stopped from the page? */
  stoppable: z.boolean(),
  /** Changes whenever the ledger does. */
  revision: z.number(),
  /** Why cells are given up, the commonest first. */
  failures: z.array(z.object({ code: z.string(), cells: count, message: z.string() })),
})
export type RunSummary = z.infer<typeof runSummary>

const datasetSummary = z.object({
  kind: z.literal('dataset'),
  id: z.string(),
  path: z.string(),
  task: z.string(),
  preset: z.string().nullable(),
  split: z.string(),
  count,
  root: z.string(),
})
export type DatasetSummary = z.infer<typeof datasetSummary>

/** A folder that could not be read, and why. */
const brokenPlace = z.object({ kind: z.literal('broken'), id: z.string(), path: z.string(), message: z.string() })

/** A process was told to stop. */
export const stopped = z.object({ schema: z.literal('touchstone/view-stopped/1'), pid: z.int() })

export const places = z.object({
  schema: z.literal('touchstone/view-places/1'),
  places: z.array(z.discriminatedUnion('kind', [runSummary, datasetSummary, brokenPlace])),
})
export type Places = z.infer<typeof places>
export type PlaceSummary = Places['places'][number]

const column = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.string().optional(),
  kind: z.enum(['text', 'number', 'share', 'estimate']),
})
export const table = z.object({
  id: z.string(),
  title: z.string(),
  columns: z.array(column),
  rows: z.array(z.record(z.string(), json)),
})
export type ShownTable = z.infer<typeof table>

const axis = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log', 'category']).optional(),
})
/** A picture as data, drawn from the rows of a table. */
export const figure = z.object({
  id: z.string(),
  title: z.string(),
  table: z.string(),
  only: z.object({ column: z.string(), value: z.string() }).optional(),
  x: axis,
  y: axis,
  facet: z.string().optional(),
  marks: z.array(
    z.object({
      kind: z.enum(['point', 'line', 'bar', 'rule', 'interval', 'cell', 'text', 'reference']),
      x: z.string().optional(),
      y: z.string().optional(),
      series: z.string().optional(),
    }),
  ),
})
export type ShownFigure = z.infer<typeof figure>

/** Some of the items, chosen by what they are; intervals are made for so many choices. */
const chosen = z.object({ items: count, all: count, looks: z.int().min(1) })
export type Chosen = z.infer<typeof chosen>

export const board = z.object({
  schema: z.literal('touchstone/view-board/1'),
  run: runSummary,
  /** null: all items. */
  chosen: chosen.nullable(),
  parsers: z.array(z.string()),
  /** The very tables of the report: those of accuracy, of measures and of pairs, where the rows allow them. */
  tables: z.array(table),
  leftOut: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** What items are, with the first levels of each, and whether there are more. */
  features: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['text', 'number', 'boolean']),
      levels: z.array(json),
      more: z.boolean(),
    }),
  ),
  /** Numbers that items can be chosen by, with their ends: features, and what responses took or got. */
  numbers: z.array(
    z.object({ of: z.enum(['feature', 'amount']), name: z.string(), least: z.number(), most: z.number() }),
  ),
})
export type Board = z.infer<typeof board>

/** What one model made of one item: how many samples ended how. */
const tally = z.object({
  model: z.string(),
  samples: count,
  right: count,
  wrong: count,
  unparsed: count,
  failed: count,
  /** Truncated, refused or only measured. */
  other: count,
  /** What was answered how often, the commonest first; at most three. */
  answers: z.array(z.object({ answer: z.string(), count })),
  /** The mean of the first of the measures, where a string was scored. */
  measured: z.number().nullable(),
})
export type Tally = z.infer<typeof tally>

export const itemsPage = z.object({
  schema: z.literal('touchstone/view-items/1'),
  parser: z.string(),
  models: z.array(z.string()),
  /** The first of the measures of scored strings; null where none were scored. */
  measure: z.string().nullable(),
  /** Items that fit the filters, of how many. */
  total: count,
  all: count,
  /** Prompts that could not be searched: the task installed makes others than those that were asked. */
  lost: count,
  offset: count,
  rows: z.array(
    z.object({
      item: z.string(),
      index: count,
      task: z.string(),
      group: z.string(),
      config: z.string(),
      style: z.string(),
      truth: z.string().nullable(),
      features: z.record(z.string(), json),
      tallies: z.array(tally),
    }),
  ),
})
export type ItemsPage = z.infer<typeof itemsPage>
export type ItemRow = ItemsPage['rows'][number]

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })
const request = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chat'), messages: z.array(message) }),
  z.object({ kind: z.literal('score'), context: z.string(), text: z.string() }),
])
export type ShownRequest = z.infer<typeof request>

const verdict = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('graded'),
    value: z.number(),
    answer: json,
    rule: z.string(),
    span: z.tuple([z.number(), z.number()]),
    parts: z.record(z.string(), z.number()).optional(),
  }),
  z.object({ kind: z.literal('unparsed'), reason: z.string() }),
])
export type ShownVerdict = z.infer<typeof verdict>

const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    finish: z.enum(['stop', 'truncated', 'refused', 'unknown']),
    verdicts: z.record(z.string(), verdict),
  }),
  z.object({ kind: z.literal('measured'), values: z.record(z.string(), z.number()) }),
  z.object({ kind: z.literal('failed'), boundary: z.string(), code: z.string(), message: z.string() }),
])
export type ShownOutcome = z.infer<typeof outcome>

/** A text that may have been cut: `length` is of the whole, in characters. */
const longText = z.object({ text: z.string(), length: count })

const responseDocument = z.object({
  cell: count,
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  sample: count,
  finish: z.string().nullable(),
  text: longText.nullable(),
  reasoning: longText.nullable(),
  logprobs: z.array(z.object({ text: z.string(), logprob: z.number() })).nullable(),
  usage: z.record(z.string(), json),
  /** null: not scored. */
  outcome: outcome.nullable(),
})
export type ShownResponse = z.infer<typeof responseDocument>

export const problem = z.object({ shared: json, given: json, answer: json })

export const itemDocument = z.object({
  schema: z.literal('touchstone/view-item/1'),
  id: z.string(),
  index: count,
  task: z.string(),
  version: count,
  config: z.string(),
  group: z.string(),
  features: z.record(z.string(), json),
  problem,
  prompts: z.array(z.object({ style: z.string(), request })),
  /** Why there are no prompts; null: there are. */
  promptless: z.string().nullable(),
  gold: z.string().nullable(),
  responses: z.array(responseDocument),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ItemDocument = z.infer<typeof itemDocument>

/** Where an item stands among those that fit a filter; rows of other styles of it are passed over. */
export const itemNeighbours = z.object({
  schema: z.literal('touchstone/view-neighbours/1'),
  /** Its row, from 0; null: it does not fit. */
  at: count.nullable(),
  total: count,
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ItemNeighbours = z.infer<typeof itemNeighbours>

export const datasetDocument = z.object({
  schema: z.literal('touchstone/view-dataset/1'),
  dataset: datasetSummary,
  config: json,
  seed: z.string().nullable(),
  version: count,
  holes: z.object({ proved: count, gaveUp: count }),
  salted: z.boolean(),
  /** Where its indices begin, and how many there are, holes included. */
  first: count,
  indices: count,
  strata: z.object({
    factors: z.array(z.string()),
    filled: z.array(z.object({ levels: z.array(json), count })),
    empty: z.array(z.object({ levels: z.array(json), proof: z.string(), count })),
    unreached: z.array(z.object({ levels: z.array(json), reason: z.string(), tries: count })),
  }),
  files: z.array(z.object({ file: z.string(), count, sha256: z.string() })),
  /** audit.json; null: there is none, false: it is no JSON. */
  audit: json,
})
export type DatasetDocument = z.infer<typeof datasetDocument>

/** One kind of failure, in words for the reader. */
export const fault = z.object({ schema: z.literal('touchstone/view-fault/1'), message: z.string(), next: z.string() })

export const surfaceDocument = z.object({
  schema: z.literal('touchstone/view-surface/1'),
  x: z.string(),
  y: z.string().nullable(),
  parser: z.string(),
  cells: z.array(z.object({ model: z.string(), x: json, y: json, share: estimate, groups: count })),
})
export type SurfaceDocument = z.infer<typeof surfaceDocument>

const part = z.object({ share: estimate, groups: count })

/** How the models do on some of the items, chosen by what they are, and on the others that have the same features. */
export const cutDocument = z.object({
  schema: z.literal('touchstone/view-cut/1'),
  parser: z.string(),
  /** For so many looks the intervals are made: each holds with 1 - 0.05 / looks. */
  looks: z.int().min(1),
  models: z.array(
    z.object({
      model: z.string(),
      /** null: it has no graded answer there. */
      inside: part.nullable(),
      outside: part.nullable(),
      /** Inside less outside, and p of this one look; null: a side has fewer than two groups. */
      gap: z.object({ difference: estimate, p: z.number() }).nullable(),
    }),
  ),
})
export type CutDocument = z.infer<typeof cutDocument>

const effect = z.object({
  items: count,
  accuracyA: z.number(),
  accuracyB: z.number(),
  /** A - B. */
  difference: estimate,
  p: z.number(),
  onlyA: count,
  onlyB: count,
})
export type ShownEffect = z.infer<typeof effect>

const eValues = z.object({ units: count, a: z.number(), b: z.number() })

export const compareDocument = z.object({
  schema: z.literal('touchstone/view-compare/1'),
  a: z.string(),
  b: z.string(),
  parser: z.string(),
  /** null: all items. */
  chosen: chosen.nullable(),
  /** null: they share no two groups of items. */
  found: z
    .object({
      overall: effect,
      /** E-values of "A is better" and of "B is better", and the same after the first groups. */
      evidence: eValues.extend({ path: z.array(eValues) }),
      tasks: z.array(effect.extend({ task: z.string() })),
      /** Every level of every feature, with p by Holm over all of them. */
      levels: z.array(
        effect.extend({
          task: z.string(),
          feature: z.string(),
          name: z.string(),
          level: z.string(),
          holm: z.number(),
        }),
      ),
      /** Levels with fewer shared items were not looked at. */
      fewest: count,
    })
    .nullable(),
})
export type CompareDocument = z.infer<typeof compareDocument>

/** Models of one picture or table: more cannot be told apart, so of more the first are shown, or those that are asked for. */
export const MODELS_SHOWN = 14

/** What one response can be measured by: tokens read, written and thought, seconds, US dollars. */
export const tokenMeasures = ['reasoning', 'answer', 'prompt', 'usd', 'seconds'] as const
export const tokenMeasure = z.enum(tokenMeasures)
export type TokenMeasure = z.infer<typeof tokenMeasure>

/** Means over the responses of a few cells for which each is known; null: for none. */
const amounts = z.object({
  prompt: z.number().nullable(),
  answer: z.number().nullable(),
  reasoning: z.number().nullable(),
  seconds: z.number().nullable(),
  usd: z.number().nullable(),
})

/** Means with their intervals, over the responses for which each is known; null: for none. */
const meanAmounts = z.object({
  prompt: estimate.nullable(),
  answer: estimate.nullable(),
  reasoning: estimate.nullable(),
  seconds: estimate.nullable(),
  usd: estimate.nullable(),
})

export const tokenOutcomes = ['right', 'wrong', 'unread'] as const

export const tokensDocument = z.object({
  schema: z.literal('touchstone/view-tokens/1'),
  /** null: all items. */
  chosen: chosen.nullable(),
  /** What is drawn; null: no response of the run tells anything. */
  measure: tokenMeasure.nullable(),
  /** What is known of at least one response. */
  measures: z.array(tokenMeasure),
  x: z.string().nullable(),
  configs: z.array(
    z.object({
      task: z.string(),
      config: z.string(),
      style: z.string(),
      model: z.string(),
      cells: count,
      /** Cells whose output is counted. */
      known: count,
      /** Independent groups of items behind the means. */
      groups: count,
      /** US dollars in all; null: not known of any. */
      paid: z.number().nullable(),
      means: meanAmounts,
    }),
  ),
  /** Whose readings tell right from wrong. */
  parser: z.string(),
  /** The mean of the measure over answers that came out so; `unread`: unparsed, truncated or refused. */
  outcomes: z.array(z.object({ model: z.string(), outcome: z.enum(tokenOutcomes), mean: estimate, groups: count })),
  spread: z
    .object({
      /** Where bars begin and end: one more than bars. */
      edges: z.array(z.number()),
      models: z.array(
        z.object({
          model: z.string(),
          n: count,
          /** The 10th, 50th and 90th percentile. */
          low: z.number(),
          middle: z.number(),
          high: z.number(),
          bins: z.array(count),
        }),
      ),
    })
    .nullable(),
  levels: z.array(z.object({ model: z.string(), x: json, mean: estimate, groups: count })),
  /** Means over the feature that are too many to be seen; null: they are all here. */
  crowded: count.nullable(),
  /** Items with the highest means first. */
  dearest: z.array(
    z.object({
      item: z.string(),
      index: count,
      task: z.string(),
      models: z.array(z.object({ model: z.string(), cells: count, means: amounts })),
    }),
  ),
})
export type TokensDocument = z.infer<typeof tokensDocument>

/** What was scored instead of answered: the tasks, and what their own analyses for the page of tokens found. */
export const scoredDocument = z.object({
  schema: z.literal('touchstone/view-scored/1'),
  tasks: z.array(z.string()),
  analyses: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      task: z.string(),
      notes: z.array(z.string()),
      tables: z.array(table),
      figures: z.array(figure),
    }),
  ),
})
export type ScoredDocument = z.infer<typeof scoredDocument>

import { z } from 'zod/mini'
import { outcomes } from '../address.ts'
import { subsetSize } from './folders.ts'
import { count, estimate, json } from './values.ts'

export const byFeature = z.object({
  schema: z.literal('touchstone/view-by-feature/1'),
  x: z.string(),
  y: z.nullable(z.string()),
  parser: z.string(),
  /** Bins of x if it has many values, named by the value in the middle. Empty: every value is shown. */
  bins: z.array(z.object({ at: z.number(), low: z.number(), high: z.number() })),
  cells: z.array(z.object({ model: z.string(), x: json, y: json, share: estimate, groups: count })),
})
export type ByFeature = z.infer<typeof byFeature>

const part = z.object({ share: estimate, groups: count })

/** Accuracy of the models in a subset of items, and in the rest of the items with the same features. */
export const subsetAndRest = z.object({
  schema: z.literal('touchstone/view-subset-and-rest/1'),
  parser: z.string(),
  /** The number of subsets viewed; each interval holds with 1 - 0.05 / views. */
  views: z.int().check(z.minimum(1)),
  models: z.array(
    z.object({
      model: z.string(),
      /** null: no graded response. */
      inside: z.nullable(part),
      outside: z.nullable(part),
      /** Subset − rest, and p of this comparison alone; null: a side has fewer than two groups. */
      gap: z.nullable(z.object({ difference: estimate, p: z.number() })),
    }),
  ),
})
export type SubsetAndRest = z.infer<typeof subsetAndRest>

/** What every feature of a task does to accuracy, the clearest first. */
export const effects = z.object({
  schema: z.literal('touchstone/view-effects/1'),
  task: z.nullable(z.string()),
  parser: z.string(),
  /** The model with the highest accuracy, whose curves are given; null: no response is graded. */
  leading: z.nullable(z.string()),
  items: count,
  groups: count,
  features: z.array(
    z.object({
      name: z.string(),
      /** p that accuracy does not depend on it, over all models, by Holm over the features of the task; null: not known. */
      p: z.nullable(z.number()),
      /** Change of accuracy per unit of a number, by model. */
      slopes: z.array(z.object({ model: z.string(), slope: z.number() })),
      /** Accuracy of the leading model at each level, in order. */
      curve: z.array(z.object({ x: json, share: estimate })),
      /** Why it is not drawn; empty: it is. */
      hidden: z.string(),
    }),
  ),
})
export type Effects = z.infer<typeof effects>

/** Reference lines of some items; null: unknown. */
const lines = {
  chance: z.nullable(z.number()),
  /** Accuracy of the best heuristic. */
  guess: z.nullable(z.number()),
}

/** Reference lines of each condition of the overview. */
export const references = z.object({
  schema: z.literal('touchstone/view-references/1'),
  sets: z.array(
    z.object({ task: z.string(), config: z.string(), style: z.string(), ...lines, rule: z.nullable(z.string()) }),
  ),
})
export type References = z.infer<typeof references>

/** The same at each folder of one or two features. */
export const referencesByFeature = z.object({
  schema: z.literal('touchstone/view-references-by-feature/1'),
  /** The best heuristic over all items; null: the task has none. */
  rule: z.nullable(z.string()),
  cells: z.array(z.object({ x: json, y: json, ...lines })),
})
export type ReferencesByFeature = z.infer<typeof referencesByFeature>

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

/** What one side said to an item: of several samples the first. */
const said = z.object({ outcome: z.nullable(z.enum(outcomes)), answer: z.string() })

/** Two models of a run, or of two runs, on shared items: A - B. */
export const compareDocument = z.object({
  schema: z.literal('touchstone/view-compare/1'),
  a: z.string(),
  b: z.string(),
  /** The run of B; null: that of A. */
  with: z.nullable(z.string()),
  /** Short names of the sides. */
  names: z.object({ a: z.string(), b: z.string() }),
  parser: z.string(),
  /** null: all items. */
  subsetSize: z.nullable(subsetSize),
  /** What was planned otherwise in the run of A than in that of B, as `maxTokens 1024 → 2048`. */
  changed: z.array(z.string()),
  /** null: they share no two groups of items. */
  found: z.nullable(
    z.object({
      /** The verdict over tasks, then that of all items together. */
      title: z.string(),
      detail: z.string(),
      overall: effect,
      unshared: z.object({ a: count, b: count }),
      /** E-values of "A is better" and "B is better", in total and after each group (or item, if there is one group). */
      evidence: z.extend(eValues, { unit: z.enum(['group', 'item']), path: z.array(eValues) }),
      /** By task, with p by Holm: of two models over all pairs and tasks of the run, of two runs over tasks. */
      tasks: z.array(z.extend(effect, { task: z.string(), holm: z.number() })),
      /** The mean of these tasks, and the difference on such tasks in general; null: of one task. */
      mean: z.nullable(estimate),
      general: z.nullable(estimate),
      /** Every level of every feature, with p by Holm over all of them. */
      levels: z.array(
        z.extend(effect, {
          task: z.string(),
          feature: z.string(),
          name: z.string(),
          level: z.string(),
          holm: z.number(),
        }),
      ),
      /** Least number of shared items of a level that is tested. */
      fewest: count,
      /** Shared items by joint outcome; an item is correct if all its samples are. */
      joint: z.object({ both: count, onlyA: count, onlyB: count, neither: count }),
      /** Some items on which exactly one is correct. */
      items: z.array(
        z.object({
          item: z.string(),
          index: count,
          task: z.string(),
          question: z.string(),
          truth: z.string(),
          a: said,
          b: said,
        }),
      ),
    }),
  ),
})
export type CompareDocument = z.infer<typeof compareDocument>

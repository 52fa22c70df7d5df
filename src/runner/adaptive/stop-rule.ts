import { z } from 'zod'
import { UsageError } from '../../core/index.ts'
import type { Threshold } from '../../stats/index.ts'

/** How a run chooses what it asks next, as it is written down before its first call. */
export const adaptSchema = z
  .preprocess(
    (value) => (typeof value === 'string' ? { knob: value } : value),
    z.strictObject({
      knob: z.string().min(1).max(100).describe('a key of the config, or a feature of the items: numbers'),
      from: z.number().optional().describe('the least value asked; left out: the least there is'),
      to: z.number().optional().describe('the largest value asked'),
      step: z.number().gt(0).default(1).describe('from value to value, where the knob is a key of the config'),
      until: z
        .string()
        .max(100)
        .optional()
        .describe('"x50 width<2", "x75 se<0.5": what is enough to know of a model; left out: all maxItems are asked'),
      maxItems: z.int().min(1).max(10_000).default(300).describe('most items asked of each model'),
      every: z.int().min(1).max(10_000).default(5).describe('items from choice to choice'),
    }),
  )
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, 'from is less than to')
export type Adapt = z.infer<typeof adaptSchema>

/** When enough is known of a model. */
export interface Enough {
  readonly threshold: 'x50' | 'x75'
  /** `width` of the 95 % interval, or the standard error that it comes of. */
  readonly measure: 'width' | 'se'
  readonly below: number
}

/** @throws UsageError */
export function enoughOf(text: string): Enough {
  const found = /^\s*(x50|x75)\s+(width|se)\s*<\s*(\d*\.?\d+)\s*$/u.exec(text)
  const below = Number(found?.[3])
  if (found === null || !(below > 0))
    throw new UsageError(
      `until "${text}": an adaptive run stops at "x50 width<2" or "x75 se<0.5", in steps of its knob`,
    )
  return { threshold: found[1] as Enough['threshold'], measure: found[2] as Enough['measure'], below }
}

/** Half of a 95 % interval in standard errors. */
const HALF = 1.96

/** Where a model breaks, as narrow as was asked for? An interval that the values asked cut off is no such. */
export function isEnough({ measure, below }: Enough, threshold: Threshold | null): boolean {
  if (threshold === null || threshold.kind === 'outside' || threshold.open !== 'neither') return false
  const width = threshold.high - threshold.low
  return (measure === 'width' ? width : width / (2 * HALF)) < below
}

import { z } from 'zod'
import { hint, UsageError } from '../../core/index.ts'

/** When a run knows enough to stop, as it is written down before its first call. */
export const untilSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { rule: value } : value),
  z.strictObject({
    rule: z
      .string()
      .min(3)
      .max(400)
      .describe('"A>B" for two models, with which all others stop, or "width<0.05" for the intervals of all'),
    alpha: z.number().gt(0).lt(0.5).default(0.05).describe('chance of a wrong verdict, all looks together'),
    every: z.int().min(1).max(1_000_000).default(25).describe('units (groups of items) from look to look'),
  }),
)
export type Until = z.infer<typeof untilSchema>

export type Rule =
  | { readonly kind: 'better'; readonly a: string; readonly b: string }
  | { readonly kind: 'width'; readonly below: number }

/** @throws UsageError naming the models there are. */
export function ruleOf(text: string, models: readonly string[]): Rule {
  const width = /^\s*width\s*<\s*(\d*\.?\d+)\s*$/u.exec(text)
  if (width !== null) {
    const below = Number(width[1])
    if (below > 0 && below < 1) return { kind: 'width', below }
    throw new UsageError(`until "${text}": a width of an interval of accuracies lies between 0 and 1`)
  }
  // A model's name may hold the sign itself: the cut is where both sides are models.
  const cuts = [...text].flatMap((sign, at) =>
    sign === '>' ? [[text.slice(0, at).trim(), text.slice(at + 1).trim()]] : [],
  )
  const found = cuts.find(([a, b]) => models.includes(a ?? '') && models.includes(b ?? '') && a !== b)
  if (found !== undefined) return { kind: 'better', a: found[0] as string, b: found[1] as string }
  const [a = '', b = ''] = cuts[0] ?? []
  const wrong = [a, b].find((name) => !models.includes(name))
  throw new UsageError(
    cuts.length === 0
      ? `until "${text}": expected "A>B" with two models of this run, or "width<0.05"`
      : wrong === undefined
        ? `until "${text}": a model cannot be compared with itself`
        : `until "${text}": no model is called "${wrong}"${hint(wrong, models)}; there are ${models.join(', ')}`,
  )
}

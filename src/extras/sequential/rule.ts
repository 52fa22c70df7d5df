import { hint, UsageError } from '../../core/index.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import type { Until } from '../../runner/plan/rules.ts'

export type Rule =
  | { readonly kind: 'better'; readonly a: string; readonly b: string }
  | { readonly kind: 'width'; readonly below: number }

/** @throws UsageError naming the models there are. */
export function parseUntil(text: string, models: readonly string[]): Rule {
  const width = /^\s*width\s*<\s*(\d*\.?\d+)\s*$/u.exec(text)
  if (width !== null) {
    const below = Number(width[1])
    if (below > 0 && below < 1) return { kind: 'width', below }
    throw new UsageError(`until "${text}": a width of an interval of accuracies lies between 0 and 1`)
  }
  // A model's name may contain the sign itself: the rule is split where both sides are models.
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

/** @throws UsageError if the rule names no models, or one is called in batches, which end all at once */
export function checkUntil(until: Until, models: readonly RunModel[]): void {
  parseUntil(
    until.rule,
    models.map(({ name }) => name),
  )
  const batched = models.find(({ batch }) => batch !== undefined)
  if (batched !== undefined)
    throw new UsageError(`until: ${batched.name} is asked in batches, which cannot be stopped when enough is known`)
}

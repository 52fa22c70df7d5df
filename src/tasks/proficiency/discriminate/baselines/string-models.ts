import type { Language } from '../../languages/compiled.ts'

/** ln P of each symbol of a string (the end last) given those before it; -Infinity from the first impossible one on. */
export type StringModel = (symbols: readonly number[]) => readonly number[]

/** The language of a grammar; `names` are the question's terminals, which symbols index. */
export function grammarModel(language: Language, names: readonly string[]): StringModel {
  const translate = names.map((name) => language.grammar.terminals.indexOf(name))
  return (symbols) => {
    const steps = language.conditionals(symbols.slice(0, -1).map((symbol) => translate[symbol] as number))
    // Past the first impossible token there are no probabilities: all that follows is impossible too.
    return symbols.map((_, i) => Math.log(steps[i] ?? 0))
  }
}

/** Random strings: every symbol, the end among them, equally likely at every place. */
export const noiseModel =
  (size: number): StringModel =>
  (symbols) =>
    symbols.map(() => -Math.log(size))

/**
 * A mixture over whole strings: one model is picked, with probability `weights`, and makes the string. Given a prefix the
 * weights are those of the models' posterior.
 */
export function mixStrings(models: readonly StringModel[], weights: readonly number[]): StringModel {
  return (symbols) => {
    const scored = models.map((model) => model(symbols))
    const joint = weights.map(Math.log)
    let before = logSum(joint)
    return symbols.map((_, i) => {
      for (const [m, own] of scored.entries()) joint[m] = (joint[m] as number) + (own[i] as number)
      const after = logSum(joint)
      const step = after - before
      before = after
      return step
    })
  }
}

function logSum(values: readonly number[]): number {
  const most = Math.max(...values)
  if (most === Number.NEGATIVE_INFINITY) return most
  return most + Math.log(values.reduce((sum, v) => sum + Math.exp(v - most), 0))
}

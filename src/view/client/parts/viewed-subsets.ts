import { useState } from 'preact/hooks'
import { z } from 'zod'
import { holm } from '../../../libraries/statistics/tests.ts'

/** One choice of items that was looked at, with the p value of each model, as far as it is known. */
const look = z.object({ cut: z.string(), p: z.record(z.string(), z.number()) })
export type ViewedSubset = z.infer<typeof look>

const key = (run: string): string => `touchstone-looks ${run}`

/** Looks of one run that are remembered. */
const MAX = 1000

/** The choices of items of a run that were looked at in this browser, in their order. */
export function loadViewed(run: string): readonly ViewedSubset[] {
  try {
    return z
      .array(look)
      .catch([])
      .parse(JSON.parse(localStorage.getItem(key(run)) ?? '[]'))
  } catch {
    return []
  }
}

function keep(run: string, looks: readonly ViewedSubset[]): void {
  try {
    localStorage.setItem(key(run), JSON.stringify(looks.slice(0, MAX)))
  } catch {
    // A browser that keeps nothing counts the looks of this page alone.
  }
}

/** Which look this is, of how many. */
export interface ViewCount {
  /** From 1. */
  readonly number: number
  readonly of: number
}

/** Counts a choice of items as looked at: twice the same is one. null: nothing is chosen, and nothing counted. */
export function useTurn<C extends string | null>(run: string, cut: C): C extends string ? ViewCount : null
export function useTurn(run: string, cut: string | null): ViewCount | null {
  const [turn] = useState(() => new Map<string, ViewCount>())
  if (cut === null) return null
  const known = turn.get(cut)
  if (known !== undefined) return known
  const before = loadViewed(run)
  const at = before.findIndex((one) => one.cut === cut)
  if (at < 0) keep(run, [...before, { cut, p: {} }])
  const made = at < 0 ? { number: before.length + 1, of: before.length + 1 } : { number: at + 1, of: before.length }
  turn.clear()
  turn.set(cut, made)
  return made
}

/**
 * Notes what a look found, and corrects it for all looks at the same model by Holm.
 *
 * @returns p by model.
 */
export function corrected(run: string, cut: string, p: ViewedSubset['p']): ViewedSubset['p'] {
  const looks = loadViewed(run).map((one) => (one.cut === cut ? { cut, p } : one))
  keep(run, looks)
  return Object.fromEntries(Object.entries(p).map(([model, own]) => [model, holmOf(looks, cut, model, own)]))
}

/** A look whose p is not known yet, or that has none, counts as one that found nothing. */
export function holmOf(looks: readonly ViewedSubset[], cut: string, model: string, own: number): number {
  const others = looks.filter((one) => one.cut !== cut).map((one) => one.p[model] ?? 1)
  return holm([own, ...others])[0] ?? own
}

/** p of one of so many looks, if each is to be believed. */
export const adjustP = <P extends number | null>(p: P, looks: number): P =>
  (p === null ? p : Math.min(1, p * looks)) as P

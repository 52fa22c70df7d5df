import { useState } from 'preact/hooks'
import { z } from 'zod/mini'
import { holm } from '../../../libraries/statistics/tests.ts'

/** A viewed subset with the p value of each model, if known. */
const viewedSubset = z.object({ subset: z.string(), p: z.record(z.string(), z.number()) })
export type ViewedSubset = z.infer<typeof viewedSubset>

const key = (run: string): string => `touchstone-viewed-subsets ${run}`

/** Most viewed subsets stored per run. */
const MAX = 1000

/** Subsets of a run viewed in this browser, in order. */
export function loadViewed(run: string): readonly ViewedSubset[] {
  try {
    return z.catch(z.array(viewedSubset), []).parse(JSON.parse(localStorage.getItem(key(run)) ?? '[]'))
  } catch {
    return []
  }
}

function keep(run: string, views: readonly ViewedSubset[]): void {
  try {
    localStorage.setItem(key(run), JSON.stringify(views.slice(0, MAX)))
  } catch {
    // Without storage only the subsets of this page count.
  }
}

export interface ViewCount {
  readonly number: number
  readonly of: number
}

/** Counts a subset as viewed; a repeated one counts once. null: no subset. */
export function useViewCount<C extends string | null>(run: string, subset: C): C extends string ? ViewCount : null
export function useViewCount(run: string, subset: string | null): ViewCount | null {
  const [viewCount] = useState(() => new Map<string, ViewCount>())
  if (subset === null) return null
  const known = viewCount.get(subset)
  if (known !== undefined) return known
  const before = loadViewed(run)
  const at = before.findIndex((one) => one.subset === subset)
  if (at < 0) keep(run, [...before, { subset, p: {} }])
  const made = at < 0 ? { number: before.length + 1, of: before.length + 1 } : { number: at + 1, of: before.length }
  viewCount.clear()
  viewCount.set(subset, made)
  return made
}

/** Saves the p values of a subset and adjusts them by Holm over the subsets viewed. @returns p by model */
export function corrected(run: string, subset: string, p: ViewedSubset['p']): ViewedSubset['p'] {
  const views = loadViewed(run).map((one) => (one.subset === subset ? { subset, p } : one))
  keep(run, views)
  return Object.fromEntries(Object.entries(p).map(([model, own]) => [model, holmOf(views, subset, model, own)]))
}

/** A subset without p counts as p = 1. */
export function holmOf(views: readonly ViewedSubset[], subset: string, model: string, own: number): number {
  const others = views.filter((one) => one.subset !== subset).map((one) => one.p[model] ?? 1)
  return holm([own, ...others])[0] ?? own
}

/** Bonferroni over the subsets viewed. */
export const adjustP = <P extends number | null>(p: P, views: number): P =>
  (p === null ? p : Math.min(1, p * views)) as P

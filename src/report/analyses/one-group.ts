import type { Estimate } from '../../core/index.ts'

/** Where there is but one group, items are counted as if they were groups: the estimate is of one, and its method says so. */
export const told = <E extends Estimate | null>(found: E, one: boolean): E =>
  found === null || !one
    ? found
    : { ...found, groups: 1, method: found.method.replace(/ groups\b/u, ' items of one group') }

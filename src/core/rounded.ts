/**
 * A number to 6 significant digits, as derived features are kept: what is measured twice, by another order of additions
 * or on another machine, reads the same. No item's hash holds such a feature unless it is whole.
 *
 * @example
 * ```ts
 * import { rounded } from '@touchstone-eval/touchstone/task'
 * const density: number = rounded(1 / 3)
 * console.log(density) // 0.333333
 * ```
 */
export const rounded = (value: number): number => Number(value.toPrecision(6))

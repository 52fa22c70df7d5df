/**
 * Unbiased pass@k from n samples of one item, c of them right: 1 - C(n-c, k) / C(n, k), the mean over all k-subsets of
 * "at least one is right" (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", eq. 1). Throws for k > n: too few samples.
 *
 * @example
 * import { passAtK } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(passAtK(4, 1, 2)) // 0.5
 */
export function passAtK(n: number, c: number, k: number): number {
  check(n, c, k)
  if (n - c < k) return 1
  let none = 1
  for (let i = 0; i < k; i++) none *= (n - c - i) / (n - i)
  return 1 - none
}

/**
 * The mean over all k-subsets of "all k are right", C(c, k) / C(n, k): reliability, written pass^k.
 *
 * @example
 * import { allOfK } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(allOfK(4, 2, 2).toFixed(4)) // 0.1667
 */
export function allOfK(n: number, c: number, k: number): number {
  check(n, c, k)
  let all = 1
  for (let i = 0; i < k; i++) all *= Math.max(0, c - i) / (n - i)
  return all
}

function check(n: number, c: number, k: number): void {
  if (![n, c, k].every(Number.isInteger) || c < 0 || c > n || k < 1) {
    throw new RangeError(`pass@k needs whole numbers 0 <= c <= n and k >= 1, got n = ${n}, c = ${c}, k = ${k}`)
  }
  if (k > n) throw new RangeError(`pass@${k} needs at least ${k} samples of an item, got ${n}`)
}

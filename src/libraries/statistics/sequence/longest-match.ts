import type { SequenceLearner } from './learner.ts'

/**
 * Predicts what followed the longest earlier occurrence of the current suffix (up to `longest` symbols), as an induction
 * head does; trust grows with the length of the match and the number of occurrences.
 */
export class LongestMatch implements SequenceLearner {
  readonly size: number
  private readonly longest: number
  private history = ''
  private found: {
    readonly at: number
    readonly counts: Int32Array
    readonly total: number
    readonly length: number
  } | null = null

  constructor(size: number, longest = 24) {
    if (size > 60_000) throw new RangeError(`a longest-match model has at most 60000 symbols, got ${size}`)
    this.size = size
    this.longest = longest
  }

  probability(symbol: number): number {
    const { counts, total, length } = this.find()
    const doubt = 1 / (1 + length + total)
    const copied = total === 0 ? 1 / this.size : (counts[symbol] as number) / total
    return (1 - doubt) * copied + doubt / this.size
  }

  read(symbol: number): void {
    this.history += String.fromCharCode(symbol)
    this.found = null
  }

  mark(): number {
    return this.history.length
  }
  rewind(mark: number): void {
    this.history = this.history.slice(0, mark)
    this.found = null
  }

  private find() {
    if (this.found !== null && this.found.at === this.history.length) return this.found
    const { history } = this
    const n = history.length
    // A suffix that occurred earlier has suffixes that did: the longest is found by bisection.
    let low = 0
    let high = Math.min(this.longest, n - 1)
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (history.lastIndexOf(history.slice(n - middle), n - middle - 1) >= 0) low = middle
      else high = middle - 1
    }
    const counts = new Int32Array(this.size)
    let total = 0
    if (low > 0) {
      const suffix = history.slice(n - low)
      for (let at = history.indexOf(suffix); at >= 0 && at + low < n; at = history.indexOf(suffix, at + 1)) {
        counts[history.charCodeAt(at + low)]! += 1
        total++
      }
    }
    this.found = { at: n, counts, total, length: total === 0 ? 0 : low }
    return this.found
  }
}

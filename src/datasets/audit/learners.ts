import type { Binned, Learner } from '../../libraries/locality/columns.ts'
import { type Vocabulary, withRoom } from './subject.ts'

const SMOOTHING = 0.5

/** Event numbers below `size` of each row, with repeats: row i has `list[start[i] .. end[i]]`. */
export interface Events {
  readonly size: number
  readonly list: Int32Array
  readonly start: Int32Array
  readonly end: Int32Array
}

/** Collects events row by row, in any order of rows. */
export class EventList {
  readonly rows: number
  private list = new Int32Array(1024)
  private count = 0
  private row = 0
  private readonly start: Int32Array
  private readonly end: Int32Array

  constructor(rows: number) {
    this.rows = rows
    this.start = new Int32Array(rows)
    this.end = new Int32Array(rows)
  }

  begin(row: number): void {
    this.row = row
    this.start[row] = this.count
    this.end[row] = this.count
  }

  push(event: number): void {
    if (this.count === this.list.length) this.list = withRoom(this.list, 2 * this.count)
    this.list[this.count++] = event
    this.end[this.row] = this.count
  }

  events(size: number): Events {
    return { size, list: withRoom(this.list, this.count), start: this.start, end: this.end }
  }
}

/** Naive Bayes on the events of all lists together. */
export function naiveBayes(probe: string, lists: readonly Events[]): Learner {
  const size = lists.reduce((sum, list) => sum + list.size, 0)
  return {
    probe,
    fit(train, keys, classes) {
      const totals = new Float64Array(classes)
      /** By list: [event * classes + class], counts and then logarithms. */
      const tables = lists.map(({ size: own, list, start, end }) => {
        const counts = new Float64Array(own * classes)
        for (const row of train) {
          const key = keys[row] as number
          const to = end[row] as number
          for (let at = start[row] as number; at < to; at++) {
            const cell = (list[at] as number) * classes + key
            counts[cell] = (counts[cell] as number) + 1
          }
          totals[key] = (totals[key] as number) + to - (start[row] as number)
        }
        return counts
      })
      const whole = totals.map((total) => total + SMOOTHING * size)
      for (const table of tables)
        for (let cell = 0; cell < table.length; cell++)
          table[cell] = Math.log(((table[cell] as number) + SMOOTHING) / (whole[cell % classes] as number))
      return (row, scores) => {
        scores.fill(0)
        for (const [l, { list, start, end }] of lists.entries()) {
          const table = tables[l] as Float64Array
          for (let at = start[row] as number; at < (end[row] as number); at++) {
            const from = (list[at] as number) * classes
            for (let k = 0; k < classes; k++) scores[k] = (scores[k] as number) + (table[from + k] as number)
          }
        }
      }
    },
  }
}

const BUCKETS = 65536

/** Naive Bayes on words, on sets of words and on hashed pairs of adjacent words. */
export function naiveBayesLearners({ words, ids, start }: Vocabulary): Learner[] {
  const rows = start.length - 1
  const size = Math.max(1, words.length)
  const lastRow = new Int32Array(size).fill(-1)
  const sets = new EventList(rows)
  const bigrams = new EventList(rows)
  for (let row = 0; row < rows; row++) {
    sets.begin(row)
    bigrams.begin(row)
    const from = start[row] as number
    for (let at = from; at < (start[row + 1] as number); at++) {
      const id = ids[at] as number
      if (lastRow[id] !== row) sets.push(id)
      lastRow[id] = row
      if (at > from)
        bigrams.push((Math.imul((ids[at - 1] as number) + 1, 0x9e3779b1) ^ Math.imul(id + 1, 0x85ebca6b)) >>> 16)
    }
  }
  return [
    naiveBayes('learned/naive-bayes-words', [{ size, list: ids, start, end: start.subarray(1) }]),
    naiveBayes('learned/naive-bayes-word-sets', [sets.events(size)]),
    naiveBayes('learned/naive-bayes-bigrams', [bigrams.events(BUCKETS)]),
  ]
}

/** The rows that lie nearest, ties to the first. */
class Nearest {
  readonly rows: { readonly far: number; readonly key: number }[] = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** Rows as far away as this are too far. */
  get limit(): number {
    return this.rows.length < this.most ? Number.POSITIVE_INFINITY : (this.rows.at(-1)?.far as number)
  }

  add(far: number, key: number): void {
    if (far >= this.limit) return
    let at = this.rows.length
    while (at > 0 && (this.rows[at - 1]?.far as number) > far) at--
    this.rows.splice(at, 0, { far, key })
    if (this.rows.length > this.most) this.rows.pop()
  }
}

const NEAREST_TEXTS = 5

/** The five nearest training rows by Jaccard similarity of their word sets, found through an index of words. */
export function nearestNeighbours({ words, ids, start }: Vocabulary): Learner {
  const setOf = (row: number): ReadonlySet<number> =>
    new Set(ids.subarray(start[row] as number, start[row + 1] as number))
  return {
    probe: 'learned/nearest-neighbours',
    limits: { train: 400, test: 1200 },
    fit(train, keys) {
      const holders: number[][] = Array.from({ length: words.length }, () => [])
      const sizes = Int32Array.from(train, (row, i) => {
        const set = setOf(row)
        for (const word of set) (holders[word] as number[]).push(i)
        return set.size
      })
      const shared = new Int32Array(train.length)
      return (row, scores) => {
        const own = setOf(row)
        shared.fill(0)
        for (const word of own) for (const i of holders[word] as number[]) shared[i] = (shared[i] as number) + 1
        const near = new Nearest(NEAREST_TEXTS)
        for (let i = 0; i < train.length; i++) {
          const both = shared[i] as number
          near.add(-both / Math.max(1, own.size + (sizes[i] as number) - both), keys[train[i] as number] as number)
        }
        scores.fill(0)
        for (const { far, key } of near.rows) scores[key] = (scores[key] as number) + (1 - far / 100) / NEAREST_TEXTS
      }
    },
  }
}

const NEAREST_ROWS = 15

/** The fifteen nearest training rows by the sum of bin differences, each divided by its column's standard deviation. */
export function nearestCounts(probe: string, { columns }: Binned): Learner {
  return {
    probe,
    limits: { train: 600, test: 1200 },
    fit(train, keys) {
      const width = columns.length
      const weight = Float64Array.from(columns, (column) => inverseDeviation(column, train))
      const at = (row: number): Float64Array =>
        Float64Array.from(columns, (column, c) => (column[row] as number) * (weight[c] as number))
      const known = Array.from(train, at)
      return (row, scores) => {
        const own = at(row)
        const near = new Nearest(NEAREST_ROWS)
        for (const [i, other] of known.entries()) {
          let far = 0
          for (let c = 0; c < width && far < near.limit; c++) far += Math.abs((own[c] as number) - (other[c] as number))
          near.add(far, keys[train[i] as number] as number)
        }
        scores.fill(0)
        for (const { key } of near.rows) scores[key] = (scores[key] as number) + 1 / NEAREST_ROWS
      }
    },
  }
}

function inverseDeviation(column: Uint8Array, rows: Int32Array): number {
  let [sum, square] = [0, 0]
  for (const row of rows) {
    sum += column[row] as number
    square += (column[row] as number) ** 2
  }
  const variance = square / rows.length - (sum / rows.length) ** 2
  return variance > 1e-9 ? 1 / Math.sqrt(variance) : 0
}

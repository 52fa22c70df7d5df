import type { Binned, Learner } from './columns.ts'

const MAX_FACTS = 8
/** Columns tried: those with the highest likelihood on their own. */
const MAX_TRIED = 30
/** Weight of the parent cell, in rows. */
const PRIOR = 4
/** Least gain in log-likelihood per row for another fact. */
const MIN_GAIN = 0.001

/**
 * A table of up to eight facts: cells by the bins of columns, each with the shares of the classes that fell in it, shrunk
 * towards those of the table with one fact less. Facts are taken greedily, each for what it adds to the likelihood of
 * the second half of the training rows under a table of the first.
 */
export function factTables(probe: string, { bins, columns }: Binned): Learner {
  return {
    probe,
    limits: { train: 8000, test: Number.POSITIVE_INFINITY },
    fit(train, keys, classes) {
      const own = (part: Int32Array) => Int32Array.from(part, (row) => keys[row] as number)
      const firstRows = train.filter((_, i) => i % 2 === 0)
      const secondRows = train.filter((_, i) => i % 2 === 1)
      const first = undivided(own(firstRows))
      const second = { cells: new Int32Array(secondRows.length), keys: own(secondRows) }
      const base = shares(first, null, classes)
      let now: Grown = { first, second, share: base, likelihood: likelihood(second, base, classes) }
      const after = (c: number, state: Grown): Grown => {
        const column = columns[c] as Uint8Array
        const split = (cells: Int32Array, rows: Int32Array) =>
          cells.map((cell, i) => cell * bins + (column[rows[i] as number] as number))
        return grown(state, split(state.first.cells, firstRows), split(state.second.cells, secondRows), classes)
      }
      const ranked = [...columns.keys()]
        .map((c) => ({ c, force: after(c, now).likelihood }))
        .sort((a, b) => b.force - a.force)
        .slice(0, MAX_TRIED)
      const facts: number[] = []
      while (facts.length < MAX_FACTS) {
        let best: { readonly c: number; readonly state: Grown } | null = null
        for (const { c } of ranked) {
          if (facts.includes(c)) continue
          const state = after(c, now)
          if (state.likelihood > (best?.state ?? now).likelihood) best = { c, state }
        }
        if (best === null || best.state.likelihood < now.likelihood + MIN_GAIN * secondRows.length) break
        facts.push(best.c)
        now = best.state
      }
      return scorer(train, keys, classes, facts, columns)
    },
  }
}

interface Level {
  /** The cell of each row, 0, 1, 2, ... */
  readonly cells: Int32Array
  readonly keys: Int32Array
  readonly count: number
  /** By cell of this level: the cell of the level before. */
  readonly parent: Int32Array
}
interface Grown {
  readonly first: Level
  readonly second: { readonly cells: Int32Array; readonly keys: Int32Array }
  /** [cell * classes + class] */
  readonly share: Float64Array
  readonly likelihood: number
}

const undivided = (keys: Int32Array): Level => ({
  cells: new Int32Array(keys.length),
  keys,
  count: 1,
  parent: new Int32Array(1),
})

/** The table with one fact more; `raw` cells are numbers of any size. */
function grown(state: Grown, rawFirst: Int32Array, rawSecond: Int32Array, classes: number): Grown {
  const ids = new Map<number, number>()
  const parents: number[] = []
  const number = (raw: number, parent: number): number => {
    const known = ids.get(raw)
    if (known !== undefined) return known
    ids.set(raw, parents.length)
    parents.push(parent)
    return parents.length - 1
  }
  const cells = rawFirst.map((raw, i) => number(raw, state.first.cells[i] as number))
  const secondCells = rawSecond.map((raw, i) => number(raw, state.second.cells[i] as number))
  const first: Level = { cells, keys: state.first.keys, count: parents.length, parent: Int32Array.from(parents) }
  const second = { cells: secondCells, keys: state.second.keys }
  const share = shares(first, state.share, classes)
  return { first, second, share, likelihood: likelihood(second, share, classes) }
}

function shares({ cells, keys, count, parent }: Level, before: Float64Array | null, classes: number): Float64Array {
  const totals = new Float64Array(count)
  const share = new Float64Array(count * classes)
  for (const [i, cell] of cells.entries()) {
    totals[cell] = (totals[cell] as number) + 1
    const at = cell * classes + (keys[i] as number)
    share[at] = (share[at] as number) + 1
  }
  for (let cell = 0; cell < count; cell++)
    for (let k = 0; k < classes; k++) {
      const from = before === null ? 1 / classes : (before[(parent[cell] as number) * classes + k] as number)
      share[cell * classes + k] =
        ((share[cell * classes + k] as number) + PRIOR * from) / ((totals[cell] as number) + PRIOR)
    }
  return share
}

function likelihood({ cells, keys }: Grown['second'], share: Float64Array, classes: number): number {
  let sum = 0
  for (const [i, cell] of cells.entries()) sum += Math.log(share[cell * classes + (keys[i] as number)] as number)
  return sum
}

/** The table of the chosen facts over all training rows. */
function scorer(
  train: Int32Array,
  keys: Int32Array,
  classes: number,
  facts: readonly number[],
  columns: readonly Uint8Array[],
): (row: number, scores: Float64Array) => void {
  const chosen = facts.map((c) => columns[c] as Uint8Array)
  const names = (row: number): string[] => {
    const all = ['']
    for (const column of chosen) all.push(`${all.at(-1)} ${column[row]}`)
    return all
  }
  const counts = new Map<string, Float64Array>()
  for (const row of train)
    for (const name of names(row)) {
      const own = counts.get(name) ?? new Float64Array(classes)
      counts.set(name, own)
      own[keys[row] as number] = (own[keys[row] as number] as number) + 1
    }
  return (row, scores) => {
    scores.fill(1 / classes)
    for (const name of names(row)) {
      const own = counts.get(name)
      if (own === undefined) break
      const total = own.reduce((sum, count) => sum + count, 0)
      for (let k = 0; k < classes; k++)
        scores[k] = ((own[k] as number) + PRIOR * (scores[k] as number)) / (total + PRIOR)
    }
  }
}

import type { BenchTable } from './table.ts'

/** One line of the summary: the bench that measured it, what it is, and the result. */
export interface SummaryLine {
  readonly bench: string
  readonly what: string
  readonly result: string
}

/** A stored table with the bench that made it. */
export interface StoredTable {
  readonly bench: string
  readonly table: BenchTable
}

interface Line {
  readonly what: string
  readonly title: RegExp
  result(rows: BenchTable['rows'], title: string): string
}
const LINES: readonly Line[] = [
  {
    what: 'Recognition of a string against plain CYK',
    title: /^Membership of a string/u,
    result: (rows) => `${named(rows, 'geometric mean', 6)} times faster (mean), ${named(rows, 'least', 6)} (least)`,
  },
  {
    what: 'Whole sets, one thread',
    title: /^Whole sets/u,
    result: (rows) =>
      rows
        .filter(([, step, threads]) => step === 'generate' && threads === 1)
        .map(([preset, , , items, seconds]) => `${shown(preset)} (${shown(items)} items) ${shown(seconds)} s`)
        .join(', '),
  },
  {
    what: 'Worked solutions',
    title: /^Worked solutions/u,
    result: (rows) => {
      const sum = (column: number) => shown(rows.reduce((all, row) => all + Number(row[column]), 0))
      return `${sum(1)} made, ${sum(2)} fail their checker; ${sum(3)} with a false step, ${sum(4)} pass`
    },
  },
  {
    what: 'Runner, 100 calls in flight at 100 ms latency',
    title: /^Runner, 100 ms latency/u,
    result: (rows) => `${at(rows, 2, 2)} of the throughput of a bare fetch loop, everything saved and scored`,
  },
  {
    what: 'Memory of a run',
    title: /^Runner, size of the run/u,
    result: (rows) =>
      `${at(rows, 0, 3)} MB at ${at(rows, 0, 0)} responses, ${at(rows, -1, 3)} MB at ${at(rows, -1, 0)}`,
  },
  {
    what: 'Killed workers on PostgreSQL',
    title: /^Four workers on PostgreSQL/u,
    result: (rows) =>
      `${named(rows, 'kill -9 of workers')} kills, ${named(rows, 'connections cut')} cut connections, ${named(rows, 'calls')} calls: ${named(rows, 'calls that differ from one process')} differ from one process`,
  },
  {
    what: 'Batches killed at each step',
    title: /^Batches: one process/u,
    result: (rows) =>
      `bill, ledger and ${at(rows, 0, 1)} responses each of ${rows.map((row) => shown(row[0])).join(', ')} agree`,
  },
  {
    what: 'Report',
    title: /^The report of a large run/u,
    result: (rows) =>
      rows
        .filter(([what]) => !shown(what).endsWith('rows made first'))
        .map((row) => `${shown(row[1])} rows, ${shown(row[0])}: ${shown(row[2])} s, ${shown(row[4])} MiB`)
        .join('; '),
  },
  {
    what: 'View of a run',
    title: /^The view of a run/u,
    result: (rows, title) => {
      const filters = rows.filter(([what]) => /^items, (?:a range|some|two)/u.test(shown(what)))
      const slowest = Math.max(...filters.map(([, first]) => Number(first)))
      return `${/[\d,]+ rows/u.exec(title)?.[0]}: overview ${named(rows, 'overview')} s, a filter at most ${shown(slowest)} s, search in responses ${named(rows, 'items, a text of answers and reasoning')} s`
    },
  },
  {
    what: 'Server, scores per CPU second',
    title: /^The server over HTTP/u,
    result: (rows) => rows.map((row) => `${shown(row[0])} ${shown(row[7])}`).join(', '),
  },
]

/** The lines of the summary for which there is a table. */
export const summaryOf = (stored: readonly StoredTable[]): readonly SummaryLine[] =>
  LINES.flatMap(({ what, title, result }) => {
    const found = stored.find(({ table }) => title.test(table.title))
    return found === undefined
      ? []
      : [{ bench: found.bench, what, result: result(found.table.rows, found.table.title) }]
  })

const shown = (value: string | number | undefined): string =>
  typeof value === 'number'
    ? Number.isInteger(value)
      ? value.toLocaleString('en-US')
      : value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
    : (value ?? '')

const at = (rows: BenchTable['rows'], row: number, column: number): string => shown(rows.at(row)?.[column])

const named = (rows: BenchTable['rows'], name: string, column = 1): string =>
  shown(rows.find(([first]) => first === name)?.[column])

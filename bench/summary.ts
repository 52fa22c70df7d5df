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
const EVERYDAY = /^Everyday commands/u
const everyday = (what: string) => ({
  title: EVERYDAY,
  result: (rows: BenchTable['rows']) => `${named(rows, what, 2)} s of CPU, ${named(rows, what, 3)} MiB`,
})
const whole = (rows: BenchTable['rows'], step: string, threads: number): string =>
  `${shown(rows.find(([preset, one, on]) => preset === 'relic-500' && one === step && on === threads)?.[4])} s`

/** What users wait for, in the order of the page. */
const LINES: readonly Line[] = [
  { what: 'Start of the command', ...everyday('start of the command') },
  { what: 'First table of a run of 200 calls', ...everyday('first table of a run of 200 calls') },
  {
    what: 'Report of 200,000 rows',
    title: /^The report of a large run/u,
    result: (rows) =>
      `first ${at(rows, 0, 2)} s, again ${at(rows, 1, 2)} s, ${at(rows, 0, 4)} MiB; twelve configs: first ${at(rows, -2, 2)} s, again ${at(rows, -1, 2)} s, ${at(rows, -1, 4)} MiB`,
  },
  {
    what: 'View of a run',
    title: /^The view of a run/u,
    result: (rows, title) => {
      const filters = rows.filter(([what]) => /^items, (?:a range|some|two)/u.test(shown(what)))
      const slowest = Math.max(...filters.map(([, first]) => Number(first)))
      return `${/[\d,]+ rows/u.exec(title)?.[0]}: reading ${named(rows, 'what the run asked, first')} s, overview ${named(rows, 'overview')} s, slowest filter ${shown(slowest)} s, search in responses ${named(rows, 'items, a text of answers and reasoning')} s`
    },
  },
  {
    what: 'All of relic-500 by the command line',
    title: /^Whole sets/u,
    result: (rows) =>
      `generate ${whole(rows, 'generate', 1)} on one thread, ${whole(rows, 'generate', 2)} on two; verify ${whole(rows, 'verify', 2)} on two${rows.some(([, step]) => step === 'audit') ? `; audit ${whole(rows, 'audit', 2)}` : ''}`,
  },
  {
    what: 'Slowest presets, items per second on one thread',
    title: /^Generation, one thread/u,
    result: (rows) =>
      rows
        .toSorted((a, b) => Number(a[6]) - Number(b[6]))
        .slice(0, 3)
        .map(([, preset, , , , , rate]) => `${shown(preset)} ${shown(rate)}`)
        .join(', '),
  },
  {
    what: 'Membership of a string: CPU time of other parsers as multiples of ours',
    title: /^Membership of a string/u,
    result: (rows) =>
      ['plain CYK', 'C end masks', 'nearley']
        .map((peer, i) => {
          const column = [6, 11, 7][i] as number
          return `${peer} mean ${named(rows, 'geometric mean', column)}, minimum ${named(rows, 'least', column)}`
        })
        .join('; '),
  },
  {
    what: 'Runner against a bare fetch loop, 100 calls in flight',
    title: /^Runner, 100 ms latency/u,
    result: (rows) => `${at(rows, 2, 2)} of its throughput at 100 ms latency, everything saved and scored`,
  },
  {
    what: 'Responses per second, one process and PostgreSQL workers',
    title: /^Responses per second by workers/u,
    result: (rows) => rows.map((row) => `${shown(row[0])} ${shown(row[1])}`).join(', '),
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

import type { BenchTable } from './table.ts'

/** The lines of the summary, in their order: which table, and what is told of it. */
const LINES: readonly { readonly title: RegExp; tell(rows: BenchTable['rows']): string }[] = [
  {
    title: /^Runner, 100 ms latency/u,
    tell: (rows) =>
      `The runner reaches ${at(rows, 2, 2)} of a bare fetch loop at 100 ms latency, everything saved and scored.`,
  },
  {
    title: /^Runner, size of the run/u,
    tell: (rows) =>
      `Memory hardly grows with a run: ${at(rows, 0, 3)} MB at ${at(rows, 0, 0)} responses, ${at(rows, -1, 3)} MB at ${at(rows, -1, 0)}.`,
  },
  {
    title: /^Answers a second by calls at once/u,
    tell: (rows) => `Answers a second grow with calls at once with exponent ${at(rows, -1, 1)} (1 would be in step).`,
  },
  {
    title: /^Answers a second by workers/u,
    tell: (rows) =>
      `Answers a second by workers on PostgreSQL: ${rows
        .slice(1)
        .map((row) => `${shown(row[0]).replace(/ on PostgreSQL$/u, '')}: ${shown(row[1])}`)
        .join(', ')} on the cores named.`,
  },
  {
    title: /^Four workers on PostgreSQL/u,
    tell: (rows) =>
      `${named(rows, 'kill -9 of workers')} kills and ${named(rows, 'connections cut')} cut connections in ${named(rows, 'cells')} cells: ${named(rows, 'cells that differ from one process')} differ from one process.`,
  },
  {
    title: /^A run in PostgreSQL by its size/u,
    tell: (rows) =>
      `Steps of a run in PostgreSQL grow as cells to the ${rows
        .filter((row) => typeof row.at(-1) === 'number')
        .map((row) => `${shown(row.at(-1))} (${shown(row[0])})`)
        .join(', ')}.`,
  },
  {
    title: /^Batches: one process/u,
    tell: (rows) =>
      `Batches of ${at(rows, 0, 1)} lines, killed at each step: bill, ledger and responses of ${rows.map((row) => shown(row[0])).join(', ')} agree.`,
  },
  {
    title: /^Whole sets/u,
    tell: (rows) =>
      `Whole sets: ${rows.map(([preset, step, threads, , seconds]) => `${step === 'verify' ? 'verify ' : ''}${shown(preset)} ${shown(seconds)} s${threads === 1 ? '' : ` on ${shown(threads)} threads`}`).join(', ')}.`,
  },
  {
    title: /^Membership of a string/u,
    tell: (rows) =>
      `Recognition of a string is ${named(rows, 'least', 6)} times (at least) to ${named(rows, 'geometric mean', 6)} times (in the mean) as fast as plain CYK.`,
  },
  {
    title: /^Worked solutions/u,
    tell: (rows) => {
      const sum = (column: number) => rows.reduce((all, row) => all + Number(row[column]), 0).toLocaleString('en-US')
      return `${sum(1)} worked solutions, ${sum(2)} of which fail their checker; ${sum(3)} with one step made false, ${sum(4)} of which pass.`
    },
  },
  {
    title: /^The view of a run/u,
    tell: (rows) => {
      const filters = rows.filter(([what]) => /^items, (?:a range|some|two)/u.test(shown(what)))
      const most = Math.max(...filters.map(([, first]) => Number(first)))
      const first = Number(named(rows, 'what the run asked, first')) + Number(named(rows, 'items, the first page'))
      return `The view of a large run answers with the first items in ${shown(first)} s and with the board in ${named(rows, 'board')} s (in ${at(rows, 0, 1)} s where its rows have to be made), then filters it in ${shown(most)} s at most, searches what was said in ${named(rows, 'items, a text of answers and reasoning')} s and prompts in ${named(rows, 'items, a text of prompts')} s.`
    },
  },
  {
    title: /^The report of a large run/u,
    tell: (rows) =>
      `The report of ${rows
        .filter(([what]) => !shown(what).endsWith('rows made first'))
        .map((row) => `${shown(row[1])} rows of ${shown(row[0])} takes ${shown(row[2])} s and ${shown(row[4])} MiB`)
        .join(', ')}.`,
  },
  {
    title: /^The server over HTTP/u,
    tell: (rows) =>
      `The server scores ${rows.map((row) => `${shown(row[7])} answers a CPU second of ${shown(row[0])}`).join(', ')}.`,
  },
]

/** What the tables come to, a line each, where they were measured. */
export const summaryOf = (tables: readonly BenchTable[]): readonly string[] =>
  LINES.flatMap(({ title, tell }) => {
    const table = tables.find((one) => title.test(one.title))
    return table === undefined ? [] : [tell(table.rows)]
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

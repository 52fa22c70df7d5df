import type { Frame, Json } from '../core/index.ts'
import { memoryFrame } from '../libraries/statistics/index.ts'
import type { ReportFrames } from './report.ts'

type Cell = string | number | boolean | null
type Row = { readonly [column: string]: Json }

/** True for columns that each parser has, named `column@parser` except for the strict one. */
export const ofParser = (name: string): boolean =>
  ['status', 'score', 'correct', 'prediction', 'parser_rule'].includes(name) || name.startsWith('subscore_')

/**
 * Frames from plain row records. Columns are the union of the rows' keys; values that a row lacks are missing. Nested JSON becomes
 * its text.
 */
export async function framesFromRows(rows: Iterable<Row> | AsyncIterable<Row | readonly Row[]>): Promise<ReportFrames> {
  const columns = new Map<string, Cell[]>()
  let length = 0
  const add = (row: Row) => {
    for (const [name, value] of Object.entries(row)) {
      let column = columns.get(name)
      if (column === undefined) {
        column = []
        columns.set(name, column)
      }
      while (column.length < length) column.push(null)
      column.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
    }
    length++
  }
  for await (const batch of rows) {
    if (isRows(batch)) for (const row of batch) add(row)
    else add(batch)
  }
  for (const column of columns.values()) while (column.length < length) column.push(null)
  return framesOf(columns, length)
}

function framesOf(columns: ReadonlyMap<string, readonly Cell[]>, length: number): ReportFrames {
  const all = memoryFrame(Object.fromEntries(columns))
  const parsers = new Set(['strict'])
  for (const name of columns.keys()) if (name.includes('@')) parsers.add(name.slice(name.indexOf('@') + 1))
  return {
    length,
    parsers: [...parsers],
    columns: [...columns.keys()],
    frame: (parser) => (parsers.has(parser) ? readBy(all, length, parser) : null),
    ofTask(task) {
      const rows = (columns.get('task') ?? []).flatMap((name, row) => (name === task ? [row] : []))
      const mine = [...columns].flatMap(([name, cells]): [string, readonly Cell[]][] => {
        const cut = rows.map((row) => cells[row] ?? null)
        return cut.some((cell) => cell !== null) ? [[name, cut]] : []
      })
      return framesOf(new Map(mine), rows.length)
    },
  }
}

const isRows = (batch: Row | readonly Row[]): batch is readonly Row[] => Array.isArray(batch)

function readBy(all: Frame, length: number, parser: string): Frame {
  const named = (name: string) => (parser !== 'strict' && ofParser(name) ? `${name}@${parser}` : name)
  return {
    length,
    has: (name) => all.has(named(name)),
    number: (name) => all.number(named(name)),
    category: (name) => all.category(named(name)),
  }
}

import { constants, DatabaseSync } from 'node:sqlite'
import { editDistance } from '../../core/edit-distance.ts'
import { hint, UsageError } from '../../core/index.ts'
import type { ColumnSpec } from '../columns.ts'
import { type Column, distinctNumbers, valueAt } from './column.ts'
import type { RunColumns } from './frames.ts'

/**
 * The rows that a SQL condition over the columns holds for, in their order. SQLite judges it in memory, on a table of the
 * different combinations of values of the columns that it reads: there is no file and no other table that it could reach.
 *
 * @throws UsageError for what is no condition over these columns.
 */
export function rowsWhere({ length, specs, columns }: RunColumns, condition: string): Int32Array {
  const db = openTable(specs)
  try {
    const sql = conditionSql(condition, specs)
    const used = columnsRead(db, sql, condition, specs).map((name) => ({ name, column: columns.get(name) as Column }))
    const { groups, first } = groupRows(
      length,
      used.map(({ column }) => distinctValues(column)),
    )
    const holds = judge(db, sql, condition, used, first)
    const rows = new Int32Array(length)
    let found = 0
    for (let row = 0; row < length; row++) if (holds[groups[row] as number] === 1) rows[found++] = row
    return rows.slice(0, found)
  } finally {
    db.close()
  }
}

/** Describes the columns that a condition names; empty where it names none. */
export function columnTypesIn(condition: string, specs: readonly ColumnSpec[]): string {
  const words = new Set(condition.toLowerCase().match(/[\w@]+/gu))
  return specs
    .filter(({ name }) => words.has(name.toLowerCase()))
    .map((column) => `${column.name} is ${typeText(column)}`)
    .join(', ')
}

// ---- the text

type Token = { readonly kind: 'text' | 'name' | 'word' | 'number' | 'sign'; readonly text: string }

const TOKENS =
  /(?<gap>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")+")|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_@]*)|(?<sign><>|!=|<=|>=|==|\|\||[=<>+\-*/%(),])/iuy

/** No condition needs more characters. */
const MAX_LENGTH = 10_000

function tokensOf(condition: string): readonly Token[] {
  if (condition.length > MAX_LENGTH) throw notOne(condition, `it is longer than ${MAX_LENGTH} characters`)
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < condition.length; at = TOKENS.lastIndex) {
    TOKENS.lastIndex = at
    const groups = TOKENS.exec(condition)?.groups
    if (groups === undefined) throw notOne(condition, `it goes wrong at "${condition.slice(at, at + 20)}"`)
    for (const kind of ['text', 'name', 'word', 'number', 'sign'] as const) {
      const text = groups[kind]
      if (text === undefined) continue
      tokens.push({ kind, text })
      depth += text === '(' ? 1 : text === ')' ? -1 : 0
      if (depth < 0) throw notOne(condition, 'it goes wrong at ")"')
    }
  }
  if (depth > 0) throw notOne(condition, 'a bracket is not closed')
  return tokens
}

const notOne = (condition: string, why: string): UsageError =>
  new UsageError(
    `the condition "${condition.slice(0, 200)}" is not one SQL expression over the columns, such as "score = 1 AND style = 'plain'" (${why})`,
  )

const unusable = (condition: string, why: string): UsageError =>
  new UsageError(`the condition "${condition}" cannot be used: ${why}`)

const COMPARISONS = new Set(['=', '==', '<>', '!=', '<', '<=', '>', '>='])
/** Another query, and names that SQLite gives to the number of a row. */
const REFUSED = new Set(['select', 'values', 'rowid', 'oid', '_rowid_'])

/** The condition as SQLite is to read it: column names in quotes, values of the type of the column that they are compared with. */
function conditionSql(condition: string, specs: readonly ColumnSpec[]): string {
  const tokens = tokensOf(condition)
  const byName = new Map(specs.map((column) => [column.name.toLowerCase(), column]))
  const columnOf = (at: number): ColumnSpec | undefined => {
    const { kind, text } = tokens[at] ?? { kind: 'sign', text: '' }
    if (kind === 'name') return byName.get(text.slice(1, -1).replaceAll('""', '"').toLowerCase())
    return kind === 'word' && tokens[at + 1]?.text !== '(' ? byName.get(text.toLowerCase()) : undefined
  }
  const compared = comparedColumns(tokens, columnOf)
  return tokens
    .map(({ kind, text }, at) => {
      const column = columnOf(at)
      if (column !== undefined) return quoted(column.name)
      if (kind === 'name') throw unusable(condition, noColumn(text.slice(1, -1), specs))
      if (kind === 'word' && REFUSED.has(text.toLowerCase()))
        throw notOne(condition, `"${text}" has no meaning in a condition`)
      // Whole numbers are divided as others are.
      if (kind === 'number' && /^\d+$/u.test(text) && [tokens[at - 1]?.text, tokens[at + 1]?.text].includes('/'))
        return `${text}.0`
      const other = compared.get(at)
      return other === undefined ? text : valueFor(other, { kind, text }, condition)
    })
    .join(' ')
}

/** By the place of a value, the column that it is compared with. */
function comparedColumns(
  tokens: readonly Token[],
  columnOf: (at: number) => ColumnSpec | undefined,
): ReadonlyMap<number, ColumnSpec> {
  const found = new Map<number, ColumnSpec>()
  const isWord = (at: number, word: string): boolean =>
    tokens[at]?.kind === 'word' && tokens[at]?.text.toLowerCase() === word
  for (let at = 0; at < tokens.length; at++) {
    const column = columnOf(at)
    if (column === undefined) continue
    if (COMPARISONS.has(tokens[at - 1]?.text ?? '')) found.set(at - 2, column)
    if (COMPARISONS.has(tokens[at + 1]?.text ?? '')) found.set(at + 2, column)
    const next = isWord(at + 1, 'not') ? at + 2 : at + 1
    if (isWord(next, 'in'))
      for (let i = next + 2; i < tokens.length && tokens[i]?.text !== ')'; i++) found.set(i, column)
    if (isWord(next, 'between') && isWord(next + 2, 'and')) found.set(next + 1, column).set(next + 3, column)
  }
  return found
}

/** @throws UsageError for a text where a number is needed, and a number where a text is. */
function valueFor(column: ColumnSpec, { kind, text }: Token, condition: string): string {
  if (column.type === 'text') {
    if (kind === 'number')
      throw unusable(
        condition,
        `${column.name} is ${typeText(column)} and is compared with the number ${text}; texts stand in single quotes`,
      )
    return text
  }
  if (kind !== 'text') return text
  const bare = text.slice(1, -1)
  if (column.type === 'boolean' && /^(?:true|false)$/iu.test(bare)) return bare.toLowerCase() === 'true' ? '1' : '0'
  if (bare.trim() === '' || !Number.isFinite(Number(bare)))
    throw unusable(
      condition,
      `${column.name} is ${typeText(column)} and is compared with the text ${text.slice(0, 80)}`,
    )
  return String(Number(bare))
}

const typeText = ({ type }: ColumnSpec): string =>
  type === 'text' ? 'a text' : type === 'boolean' ? 'true or false' : 'a number'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

// ---- the database

/** Numbers are REAL, so that a number in quotes is one and a division has a remainder. */
function openTable(specs: readonly ColumnSpec[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  const types = specs.map(({ name, type }) => `${quoted(name)} ${type === 'text' ? 'TEXT' : 'REAL'}`)
  db.exec(`PRAGMA case_sensitive_like = ON; CREATE TABLE rows (${types.join(', ')}) STRICT`)
  for (const [name, test] of Object.entries(TEXT_TESTS))
    db.function(name, { deterministic: true }, (text, other) =>
      text === null || other === null ? null : Number(test(String(text), String(other))),
    )
  return db
}

const TEXT_TESTS: { readonly [name: string]: (text: string, other: string) => boolean } = {
  contains: (text, part) => text.includes(part),
  starts_with: (text, start) => text.startsWith(start),
  ends_with: (text, end) => text.endsWith(end),
  regexp_matches: (text, pattern) => new RegExp(pattern, 'u').test(text),
}

const USUAL =
  'those of SQLite can be used, such as lower, length, abs, round, ln and coalesce, and contains, starts_with, ends_with and regexp_matches'

/** The columns that a condition reads. @throws UsageError for one that SQLite does not understand, or that does more. */
function columnsRead(
  db: DatabaseSync,
  sql: string,
  condition: string,
  specs: readonly ColumnSpec[],
): readonly string[] {
  const read = new Set<string>()
  const names = new Set(specs.map(({ name }) => name))
  db.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_SELECT) return constants.SQLITE_OK
    if (action === constants.SQLITE_READ && table === 'rows') {
      if (column !== null && names.has(column)) read.add(column)
      return constants.SQLITE_OK
    }
    const isPlain = action === constants.SQLITE_FUNCTION && !NOT_PLAIN.test(column ?? '')
    return isPlain ? constants.SQLITE_OK : constants.SQLITE_DENY
  })
  try {
    // What leaves the brackets of one cannot fit the other.
    db.prepare(`SELECT 1 FROM rows WHERE (${sql})`)
    db.prepare(`SELECT CASE WHEN ${sql} THEN 1 END FROM rows`)
  } catch (error) {
    db.setAuthorizer(null)
    throw explainRejected(db, error as Error, condition, specs)
  }
  db.setAuthorizer(null)
  return [...read]
}

const NOT_PLAIN = /^(?:load_extension|random|randomblob|zeroblob)$/iu

function explainRejected(
  db: DatabaseSync,
  { message }: Error,
  condition: string,
  specs: readonly ColumnSpec[],
): UsageError {
  const found = (pattern: RegExp): string | undefined => pattern.exec(message)?.groups?.['name']
  const column = found(/no such column: (?<name>.+)/su)
  if (column !== undefined) return unusable(condition, noColumn(column, specs))
  const unknown = found(/no such function: (?<name>.+)/u)
  if (unknown !== undefined) {
    const known = db.prepare('SELECT DISTINCT name FROM pragma_function_list ORDER BY name').all()
    const near = hint(
      unknown,
      known.map(({ name }) => String(name)),
    )
    return unusable(condition, `unknown function "${unknown}"${near}; ${USUAL}`)
  }
  if (/misuse of (?:aggregate|window)/u.test(message))
    return unusable(
      condition,
      'a condition is about one row at a time, and a figure of several rows cannot stand in it',
    )
  const at = found(/near "(?<name>.*)": syntax error/su)
  // This bracket and this word follow the condition.
  if (at !== undefined)
    return notOne(
      condition,
      at === ')' || at === 'THEN' ? 'something is missing at its end' : `it goes wrong at "${at}"`,
    )
  return unusable(condition, message)
}

/** Columns that are named where one is not known. */
const MAX_SHOWN = 12

/** What names of columns begin with and people leave out. */
const PREFIX = /^(?:feature|attribute|subscore|metric)_/u

function noColumn(unknown: string, specs: readonly ColumnSpec[]): string {
  const sought = unknown.toLowerCase()
  const near = specs
    .map(({ name }) => {
      const [whole, bare] = [name, name.replace(PREFIX, '')].map((one) => editDistance(sought, one.toLowerCase()))
      return { name, distance: Math.min(whole as number, bare as number) }
    })
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name)
  const more = near.length > MAX_SHOWN ? ` and ${near.length - MAX_SHOWN} more` : ''
  return `unknown column "${unknown}"; the nearest are ${near.slice(0, MAX_SHOWN).join(', ')}${more}`
}

// ---- the rows

interface Distinct {
  readonly codes: ArrayLike<number>
  readonly values: readonly (string | number)[]
}

const distinctValues = (column: Column): Distinct =>
  column.kind === 'text' ? { codes: column.codes, values: column.levels } : distinctNumbers(column.numbers)

/** Rows with the same values in all columns are one group: the group of each row, and the first row of each group. */
function groupRows(
  length: number,
  columns: readonly Distinct[],
): { readonly groups: Int32Array; readonly first: readonly number[] } {
  let groups = new Int32Array(length)
  let first = length === 0 ? [] : [0]
  for (const { codes, values } of columns) {
    const finer = new Int32Array(length)
    const known = new Map<number, number>()
    const width = values.length + 1
    first = []
    for (let row = 0; row < length; row++) {
      const key = (groups[row] as number) * width + (codes[row] as number) + 1
      let group = known.get(key)
      if (group === undefined) {
        group = first.push(row) - 1
        known.set(key, group)
      }
      finer[row] = group
    }
    groups = finer
  }
  return { groups, first }
}

/** Combinations that are in memory at once. */
const PIECE = 20_000

/** By group, 1 where the condition holds. */
function judge(
  db: DatabaseSync,
  sql: string,
  condition: string,
  columns: readonly { readonly name: string; readonly column: Column }[],
  first: readonly number[],
): Uint8Array {
  const holds = new Uint8Array(first.length)
  const names = ['rowid', ...columns.map(({ name }) => quoted(name))]
  const insert = db.prepare(`INSERT INTO rows (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  const choose = db.prepare(`SELECT rowid FROM rows WHERE (${sql})`)
  for (let from = 0; from < first.length; from += PIECE) {
    db.exec('BEGIN')
    for (let group = from; group < Math.min(from + PIECE, first.length); group++)
      insert.run(group, ...columns.map(({ column }) => valueAt(column, first[group] as number)))
    db.exec('COMMIT')
    try {
      for (const { rowid } of choose.iterate()) holds[Number(rowid)] = 1
    } catch (error) {
      // Such as a pattern that is none.
      throw unusable(condition, (error as Error).message)
    }
    db.exec('DELETE FROM rows')
  }
  return holds
}

import { editDistance } from '../core/edit-distance.ts'
import { hint, UsageError } from '../core/index.ts'
import type { Duck } from './duck.ts'

/** A column, and its type as the database calls it. */
export interface NamedType {
  readonly name: string
  readonly type: string
}

/**
 * Is the text one expression, and nothing that closes it and goes on? Read in two kinds of brackets by the database's own
 * parser: what leaves the one cannot fit the other.
 * @throws UsageError
 */
export async function checkExpression(duck: Duck, text: string): Promise<void> {
  for (const sql of [`SELECT (${text}\n)`, `SELECT [${text}\n]`]) {
    const parsed = await duck.connection.extractStatements(sql).catch((error: Error) => error)
    if (parsed instanceof Error || parsed.count !== 1)
      throw new UsageError(
        `the condition "${text}" is not one SQL expression over the columns, such as "value = 1 AND style = 'plain'"` +
          (parsed instanceof Error ? ` (${unread(parsed, text)})` : ''),
      )
  }
}

function unread({ message }: Error, text: string): string {
  const at = /syntax error at or near "(?<word>.*)"/u.exec(message)?.groups?.['word']
  if (at === undefined) return database(message)
  // The brackets around it are ours.
  return (at === ')' || at === ']') && !text.includes(at)
    ? 'something is missing at its end'
    : `it goes wrong at "${at}"`
}

/** What is against a condition that was read, in words: a column or function that is not there with the nearest, or values of another type. */
export async function whyNot(
  duck: Duck,
  condition: string,
  { message }: Error,
  columns: readonly NamedType[],
): Promise<string> {
  const found = (pattern: RegExp): { readonly [name: string]: string } | undefined => pattern.exec(message)?.groups
  const column = found(/Referenced column "(?<name>(?:[^"]|"")*)" not found/u)
  if (column !== undefined) return noColumn(column['name'] ?? '', columns)
  const table = found(/Referenced table "(?<name>.+)" not found/u)
  if (table !== undefined) return `columns stand by their names, without "${table['name']}." before them`
  const unknown = found(/Scalar Function with name (?<name>\S+) does not exist/u)?.['name']
  if (unknown !== undefined) return `there is no function "${unknown}"${hint(unknown, await functions(duck))}; ${USUAL}`
  if (/WHERE clause cannot contain (?:aggregates|window functions)/u.test(message))
    return 'it is asked of one row at a time, and a figure of several rows cannot stand in it'
  const types = typesIn(condition, columns)
  const call = found(/argument types '(?<name>.+)\((?<types>[^()]*)\)'/u)
  if (call !== undefined)
    return `${call['name']} takes other values than ${(call['types'] ?? '').split(', ').map(typeInWords).join(' and ')}${types}`
  const compared = found(/Cannot compare values of type (?<one>\w+) and type (?<other>\w+)/u)
  if (compared !== undefined)
    return `${typeInWords(compared['one'] ?? '')} cannot be compared with ${typeInWords(compared['other'] ?? '')}${types}; texts stand in single quotes`
  const converted = found(/Could not convert string '(?<text>.*?)' to (?<type>\w+)/su)
  if (converted !== undefined)
    return `'${converted['text']?.slice(0, 80)}' stands where ${typeInWords(converted['type'] ?? '')} is needed${types}`
  return database(message)
}

/** Columns that are named where one is not known. */
const MAX_SHOWN = 12

function noColumn(unknown: string, columns: readonly NamedType[]): string {
  const near = columns
    .map(({ name }) => ({ name, distance: editDistance(unknown.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name)
  const more = near.length > MAX_SHOWN ? ` and ${near.length - MAX_SHOWN} more` : ''
  return `there is no column "${unknown}"; the nearest are ${near.slice(0, MAX_SHOWN).join(', ')}${more}`
}

const USUAL =
  'those of DuckDB are taken, such as lower, length, contains, starts_with, regexp_matches, abs, round, ln and coalesce'

async function functions({ connection }: Duck): Promise<readonly string[]> {
  const sql =
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'macro') ORDER BY 1"
  return (await connection.runAndReadAll(sql)).getRowsJS().map(([name]) => String(name))
}

/** What the columns of a condition hold, where that may be what it mistakes. */
function typesIn(condition: string, columns: readonly NamedType[]): string {
  const words = new Set(condition.toLowerCase().match(/[\w@]+/gu))
  const named = columns.filter(({ name }) => words.has(name.toLowerCase()))
  return named.length === 0 ? '' : ` (${named.map(({ name, type }) => `${name} is ${typeInWords(type)}`).join(', ')})`
}

function typeInWords(type: string): string {
  if (/^(?:VARCHAR|STRING_LITERAL)/u.test(type)) return 'a text'
  if (type.startsWith('BOOL')) return 'true or false'
  return /^(?:[UH]*(?:BIG|SMALL|TINY|HUGE)?INT|INTEGER|DOUBLE|FLOAT|DECIMAL)/u.test(type) ? 'a number' : type
}

/** The database's own words without the name of its part. */
const database = (message: string): string => (message.split('\n', 1)[0] ?? '').replace(/^.*?\b[A-Z]\w+ Error: /u, '')

import { SELECTED } from '../../report/index.ts'
import type { Choice, ColumnSpec } from '../../store/index.ts'
import { type TokenMeasure, tokenMeasures } from '../api/index.ts'

/** Each measure of a response as SQL. Reasoning is a part of the output as it is told; what is left of it is the answer. */
export const measureSql: { readonly [M in TokenMeasure]: string } = {
  prompt: '"inputTokens"',
  answer: `CASE WHEN "reasoningTokens" IS NULL THEN "outputTokens"
    WHEN "outputTokens" >= "reasoningTokens" THEN "outputTokens" - "reasoningTokens" END`,
  reasoning: '"reasoningTokens"',
  seconds: '"seconds"',
  usd: '"usd"',
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Who reads rows: a parser, or for each model the one that was chosen. */
export interface Reader {
  readonly parser: string
  readonly choices: readonly Choice[]
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A column as one reader fills it, as SQL; null: there is none. */
export function readSql(columns: readonly ColumnSpec[], name: string, { parser, choices }: Reader): string | null {
  const by = (one: string): string | null => {
    const column = one === 'strict' ? name : `${name}@${one}`
    return columns.some((known) => known.name === column) ? quoted(column) : null
  }
  if (parser !== SELECTED) return by(parser)
  const cases = choices.map(({ task, model, settings, parser: own }) => {
    const those = `task = ${literal(task)} AND model = ${literal(model)} AND settings = ${literal(settings)}`
    return `WHEN ${those} THEN ${by(own) ?? 'NULL'}`
  })
  const strict = by('strict')
  return strict === null || cases.length === 0 ? strict : `CASE ${cases.join(' ')} ELSE ${strict} END`
}

/**
 * What a response took or got, by the names that filters use, as SQL: tokens, time and money, its score and the parts of it, and what it was
 * measured by.
 */
export function amountsOf(columns: readonly ColumnSpec[], reader: Reader): ReadonlyMap<string, string> {
  const parts = new Set(columns.flatMap(({ name }) => /^part_[^@]+/u.exec(name)?.[0] ?? []))
  const read = [['value', 'score'], ...[...parts].map((name) => [name, name])] as [column: string, name: string][]
  const own = read.flatMap(([column, name]): [string, string][] => {
    const sql = readSql(columns, column, reader)
    return sql === null ? [] : [[name, sql]]
  })
  const measured = columns.filter(({ name }) => name.startsWith('measured_'))
  return new Map([
    ...tokenMeasures.map((measure): [string, string] => [measure, measureSql[measure]]),
    ...own,
    ...measured.map(({ name }): [string, string] => [name, quoted(name)]),
  ])
}

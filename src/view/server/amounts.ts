import type { ColumnSpec } from '../../store/index.ts'
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

/** A column as one parser fills it. */
export const readColumn = (name: string, parser: string): string => (parser === 'strict' ? name : `${name}@${parser}`)

/**
 * What a response took or got, by the names that filters use, as SQL: tokens, time and money, its score and the parts of it, and what it was
 * measured by.
 */
export function amountsOf(columns: readonly ColumnSpec[], parser: string): ReadonlyMap<string, string> {
  const own = columns.flatMap(({ name }): [string, string][] => {
    if (name === readColumn('value', parser)) return [['score', quoted(name)]]
    if (name.startsWith('measured_')) return [[name, quoted(name)]]
    const part = /^(?<name>part_[^@]+)(?:@(?<parser>.+))?$/u.exec(name)?.groups
    return part?.['name'] === undefined || (part['parser'] ?? 'strict') !== parser ? [] : [[part['name'], quoted(name)]]
  })
  return new Map([...tokenMeasures.map((measure): [string, string] => [measure, measureSql[measure]]), ...own])
}

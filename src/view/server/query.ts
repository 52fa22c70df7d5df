import { UsageError } from '../../core/index.ts'
import type { RowsQuery, SqlValue } from '../../store/index.ts'
import { conditionsByName, type FilterCondition, type ItemsFilter } from '../api/index.ts'
import { amountsOf, quoted, type Reader, readSql } from './amounts.ts'

/** Prompts by their item and style, which stand at the same place of two lists. */
export interface Prompts {
  readonly items: readonly string[]
  readonly styles: readonly string[]
}

/** What texts were found in: prompts, and responses by cell. null: nothing was searched for. */
export interface Found {
  readonly prompts: Prompts | null
  readonly cells: readonly number[] | null
}

/** A filter as SQL over rows: names are those of columns that are there, all else stands as a value. */
export class Query {
  readonly values: SqlValue[] = []
  /** How a row came out, as SQL; NULL where its task does not have this parser. */
  readonly kind: string
  /** What was read of it, as SQL. */
  readonly answer: string
  private readonly columns: ReadonlyMap<string, string>
  private readonly amounts: ReadonlyMap<string, string>

  constructor(rows: RowsQuery, reader: Reader) {
    this.columns = new Map(rows.columns.map(({ name, type }) => [name, type]))
    this.amounts = amountsOf(rows.columns, reader)
    const named = (column: string): string => {
      const sql = readSql(rows.columns, column, reader)
      if (sql === null) throw new UsageError(`no row of this run was read by the parser "${reader.parser}"`)
      return sql
    }
    // A call that failed has failed whoever reads: rows say so once.
    const state = `CASE state WHEN 'failed' THEN 'failed' ELSE ${named('state')} END`
    this.kind = `CASE ${state} WHEN 'graded' THEN CASE WHEN ${named('value')} >= 1 THEN 'right' ELSE 'wrong' END
      WHEN 'unparsed' THEN 'unparsed' WHEN 'failed' THEN 'failed' ELSE CASE WHEN ${named('state')} IS NOT NULL THEN 'other' END END`
    this.answer = named('answer')
  }

  private value(value: SqlValue): string {
    return `$${this.values.push(value)}`
  }

  /** Conditions on what items are, and, where some models are named, on who answered. */
  where(filter: ItemsFilter, { prompts }: Found, models: readonly string[] | null = null): string {
    const parts: string[] = []
    if (models !== null) parts.push(models.length === 0 ? 'false' : `model IN (SELECT UNNEST(${this.value(models)}))`)
    for (const name of ['task', 'style', 'config'] as const) {
      const wanted = filter[name]
      if (wanted !== undefined) parts.push(`${name} = ${this.value(wanted)}`)
    }
    for (const conditions of conditionsByName(filter.feature).values()) parts.push(this.feature(conditions))
    if (prompts !== null)
      parts.push(
        prompts.items.length === 0
          ? 'false'
          : `(item, style) IN (SELECT UNNEST(${this.value(prompts.items)}), UNNEST(${this.value(prompts.styles)}))`,
      )
    return parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`
  }

  private feature(conditions: readonly FilterCondition[]): string {
    const parts = conditions.map((one) => ({ one, sql: this.ofFeature(one) }))
    const same = parts.filter(({ one }) => one.operator === '=').map(({ sql }) => sql)
    const bounds = parts.filter(({ one }) => one.operator !== '=').map(({ sql }) => sql)
    return [...(same.length === 0 ? [] : [`(${same.join(' OR ')})`]), ...bounds].join(' AND ')
  }

  private ofFeature(condition: FilterCondition): string {
    const { name, operator, value } = condition
    const type = this.columns.get(`feature_${name}`)
    if (type === undefined) throw new UsageError(`the items of this run have no feature "${name}"`)
    const column = quoted(`feature_${name}`)
    const isNumber = type === 'integer' || type === 'number'
    if (operator === '=' && !(isNumber && numberOf(condition) !== null))
      return `CAST(${column} AS VARCHAR) = ${this.value(value)}`
    if (!isNumber) throw new UsageError(`${name} ${operator} needs a feature that is a number`)
    return this.bound(column, condition)
  }

  private bound(sql: string, condition: FilterCondition): string {
    const number = numberOf(condition)
    if (number === null)
      throw new UsageError(
        `${condition.name} ${condition.operator} needs a number, got "${condition.value.slice(0, 80)}"`,
      )
    return `${sql} ${condition.operator} ${this.value(number)}`
  }

  /** Conditions on what came of an item in one style. */
  having(filter: ItemsFilter, { cells }: Found): string {
    const parts = [this.response(filter, cells), this.among(filter), this.pair(filter)].filter((one) => one !== null)
    return parts.length === 0 ? '' : `HAVING ${parts.join(' AND ')}`
  }

  /** Is there a response that keeps all that is asked of one? */
  private response({ outcome, model, amount }: ItemsFilter, cells: Found['cells']): string | null {
    const parts: string[] = []
    if (outcome !== undefined) parts.push(`${this.kind} = ${this.value(outcome)}`)
    for (const condition of [...conditionsByName(amount).values()].flat()) {
      const sql = this.amounts.get(condition.name)
      if (sql === undefined)
        throw new UsageError(
          `responses of this run have no amount "${condition.name}"; there are ${[...this.amounts.keys()].join(', ')}`,
        )
      parts.push(this.bound(`(${sql})`, condition))
    }
    if (cells !== null) parts.push(cells.length === 0 ? 'false' : `cell IN (SELECT UNNEST(${this.value(cells)}))`)
    if (parts.length === 0) return null
    if (model !== undefined) parts.push(`model = ${this.value(model)}`)
    return `COUNT(*) FILTER (WHERE ${parts.join(' AND ')}) > 0`
  }

  /** Failed calls are left out: a model that was not heard is neither right nor wrong. */
  private among({ among }: ItemsFilter): string | null {
    const there = `COUNT(DISTINCT model) FILTER (WHERE ${this.kind} <> 'failed')`
    const missed = `COUNT(DISTINCT model) FILTER (WHERE ${this.kind} NOT IN ('right', 'failed'))`
    switch (among) {
      case undefined:
        return null
      case 'split':
        return `${missed} > 0 AND ${there} > ${missed}`
      case 'right':
        return `${there} > 0 AND ${missed} = 0`
      case 'none':
        return `${there} > 0 AND COUNT(*) FILTER (WHERE ${this.kind} = 'right') = 0`
      case 'answers':
        return `COUNT(DISTINCT ${this.answer}) > 1`
    }
  }

  private pair({ pair, a, b, by }: ItemsFilter): string | null {
    if (pair === undefined || a === undefined || b === undefined) return null
    const [first, second] = [a, b].map((name) => {
      const mine = `model = ${this.value(name)}`
      const right = `COUNT(*) FILTER (WHERE ${mine} AND ${this.kind} = 'right')`
      const heard = `COUNT(*) FILTER (WHERE ${mine} AND ${this.kind} <> 'failed')`
      return {
        right: `${right} = ${heard}`,
        share: `${right} / ${heard}`,
        there: `${heard} > 0`,
      }
    }) as [Sides, Sides]
    const apart =
      pair === 'differ' && by !== undefined
        ? `ABS(${first.share} - ${second.share}) >= ${this.value(by)}`
        : PAIRS[pair](first.right, second.right)
    return [first.there, second.there, `(${apart})`].join(' AND ')
  }
}

const numberOf = ({ value }: FilterCondition): number | null => {
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) ? number : null
}

interface Sides {
  readonly right: string
  readonly share: string
  readonly there: string
}

const PAIRS: { readonly [pair in NonNullable<ItemsFilter['pair']>]: (a: string, b: string) => string } = {
  onlyA: (a, b) => `(${a}) AND NOT (${b})`,
  onlyB: (a, b) => `(${b}) AND NOT (${a})`,
  both: (a, b) => `(${a}) AND (${b})`,
  neither: (a, b) => `NOT (${a}) AND NOT (${b})`,
  differ: (a, b) => `(${a}) <> (${b})`,
}

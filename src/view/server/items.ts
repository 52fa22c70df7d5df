import { UsageError } from '../../core/index.ts'
import { itemsSaying, type RowsQuery } from '../../store/index.ts'
import {
  conditionsByFeature,
  type FeatureCondition,
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  type Tally,
} from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'

/** Rows of one page at most, and items that a search of texts gives at most. */
export const PAGE = 200
const FOUND = 20_000

/** One page of the items that fit a filter, in the order of the run: one row an item and style, samples folded. */
export async function itemsOf(viewed: ViewedRun, filter: ItemsFilter, offset: number): Promise<ItemsPage> {
  const rows = await viewed.rows()
  const { parser } = filter
  const models = await viewed.remembered('models', () => Promise.resolve(modelsOf(viewed)))
  const empty = {
    schema: 'touchstone/view-items/1' as const,
    parser,
    models: [...models],
    total: 0,
    all: 0,
    offset,
    rows: [],
  }
  if (rows === null) return empty
  const query = new Query(rows, parser)
  const said = filter.text === undefined ? null : await itemsSaying(viewed.run.ledger, filter.text, FOUND)
  if (said?.more === true)
    throw new UsageError(`"${filter.text}" is said in more than ${FOUND} items: search for something rarer`)
  const where = query.where(filter, said?.items ?? null)
  const having = query.having(filter)
  const all = await viewed.remembered('items', () =>
    rows.run('SELECT COUNT(*) AS n FROM (SELECT 1 FROM rows GROUP BY item, style)'),
  )
  const page = await rows.run(
    `SELECT item, style, MIN(cell) AS first, COUNT(*) OVER () AS total FROM rows ${where} GROUP BY item, style ${having}
     ORDER BY first LIMIT ${PAGE} OFFSET ${Math.max(0, Math.floor(offset))}`,
    query.values,
  )
  const total = Number(page[0]?.['total'] ?? (offset > 0 ? (await itemsOf(viewed, filter, 0)).total : 0))
  const shown = await shownRows(
    rows,
    query,
    page.map(({ item, style }) => [String(item), String(style)]),
  )
  return { ...empty, total, all: Number(all[0]?.['n'] ?? 0), rows: shown }
}

/** Models that have cells, as the run names them: in this order everywhere. */
function modelsOf({ run: { file, ledger } }: ViewedRun): readonly string[] {
  const there = ledger.models()
  const named = file.models.map(({ name }) => name).filter((name) => there.includes(name))
  return [...named, ...there.filter((name) => !named.includes(name))]
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A filter as SQL: names are those of columns that are there, all else stands as a value. */
class Query {
  readonly values: (string | number)[] = []
  readonly kind: string
  readonly answer: string
  private readonly columns: ReadonlyMap<string, string>

  constructor(rows: RowsQuery, parser: string) {
    this.columns = new Map(rows.columns.map(({ name, type }) => [name, type]))
    const named = (column: string): string => {
      const name = parser === 'strict' ? column : `${column}@${parser}`
      if (!this.columns.has(name)) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
      return quoted(name)
    }
    const state = `COALESCE(${named('state')}, state)`
    this.kind = `CASE ${state} WHEN 'graded' THEN CASE WHEN ${named('value')} >= 1 THEN 'right' ELSE 'wrong' END
      WHEN 'unparsed' THEN 'unparsed' WHEN 'failed' THEN 'failed' ELSE 'other' END`
    this.answer = named('answer')
  }

  private value(value: string | number): string {
    return `$${this.values.push(value)}`
  }

  where(filter: ItemsFilter, items: readonly string[] | null): string {
    const parts: string[] = []
    for (const name of ['task', 'style', 'config'] as const) {
      const wanted = filter[name]
      if (wanted !== undefined) parts.push(`${name} = ${this.value(wanted)}`)
    }
    for (const conditions of conditionsByFeature(filter.feature).values()) parts.push(this.feature(conditions))
    if (items !== null)
      parts.push(items.length === 0 ? 'false' : `item IN (${items.map((item) => this.value(item)).join(', ')})`)
    return parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`
  }

  private feature(conditions: readonly FeatureCondition[]): string {
    const parts = conditions.map((one) => ({ one, sql: this.condition(one) }))
    const same = parts.filter(({ one }) => one.operator === '=').map(({ sql }) => sql)
    const bounds = parts.filter(({ one }) => one.operator !== '=').map(({ sql }) => sql)
    return [...(same.length === 0 ? [] : [`(${same.join(' OR ')})`]), ...bounds].join(' AND ')
  }

  private condition({ name, operator, value }: FeatureCondition): string {
    const type = this.columns.get(`feature_${name}`)
    if (type === undefined) throw new UsageError(`the items of this run have no feature "${name}"`)
    const column = quoted(`feature_${name}`)
    const number = Number(value)
    const isNumber = value.trim() !== '' && Number.isFinite(number) && (type === 'integer' || type === 'number')
    if (operator === '=' && !isNumber) return `CAST(${column} AS VARCHAR) = ${this.value(value)}`
    if (!isNumber)
      throw new UsageError(
        `${name} ${operator} needs a feature that is a number, and a number; got "${value.slice(0, 80)}"`,
      )
    return `${column} ${operator} ${this.value(number)}`
  }

  having(filter: ItemsFilter): string {
    const parts: string[] = []
    const { outcome, model, a, b, pair } = filter
    if (outcome !== undefined) {
      const mine = model === undefined ? '' : `model = ${this.value(model)} AND `
      parts.push(`COUNT(*) FILTER (WHERE ${mine}${this.kind} = ${this.value(outcome)}) > 0`)
    }
    if (pair !== undefined && a !== undefined && b !== undefined) {
      const [first, second] = [a, b].map((name) => {
        const mine = `model = ${this.value(name)}`
        return {
          right: `COUNT(*) FILTER (WHERE ${mine} AND ${this.kind} = 'right') = COUNT(*) FILTER (WHERE ${mine})`,
          there: `COUNT(*) FILTER (WHERE ${mine} AND ${this.kind} <> 'failed') > 0`,
        }
      }) as [Sides, Sides]
      parts.push(first.there, second.there, `(${PAIRS[pair](first.right, second.right)})`)
    }
    return parts.length === 0 ? '' : `HAVING ${parts.join(' AND ')}`
  }
}

interface Sides {
  readonly right: string
  readonly there: string
}

const PAIRS: { readonly [pair in NonNullable<ItemsFilter['pair']>]: (a: string, b: string) => string } = {
  onlyA: (a, b) => `(${a}) AND NOT (${b})`,
  onlyB: (a, b) => `(${b}) AND NOT (${a})`,
  both: (a, b) => `(${a}) AND (${b})`,
  neither: (a, b) => `NOT (${a}) AND NOT (${b})`,
  differ: (a, b) => `(${a}) <> (${b})`,
}

/** How many different answers of one model to one item are told. */
const ANSWERS = 3

async function shownRows(
  rows: RowsQuery,
  { kind, answer }: Query,
  keys: readonly (readonly [item: string, style: string])[],
): Promise<ItemRow[]> {
  if (keys.length === 0) return []
  const items = [...new Set(keys.map(([item]) => item))]
  const places = items.map((_, i) => `$${i + 1}`).join(', ')
  const features = rows.columns.filter(({ name }) => name.startsWith('feature_')).map(({ name }) => name)
  const facts = await rows.run(
    `SELECT item, style, ANY_VALUE("index") AS index, ANY_VALUE(task) AS task, ANY_VALUE("group") AS "group", ANY_VALUE(config) AS config,
       ANY_VALUE(truth) AS truth${features.map((name) => `, ANY_VALUE(${quoted(name)}) AS ${quoted(name)}`).join('')}
     FROM rows WHERE item IN (${places}) GROUP BY item, style`,
    items,
  )
  const cells = await rows.run(
    `SELECT item, style, model, ${kind} AS kind, LEFT(${answer}, 120) AS answer, COUNT(*) AS n FROM rows
     WHERE item IN (${places}) GROUP BY ALL ORDER BY n DESC, answer`,
    items,
  )
  const tallies = new Map<string, Map<string, Tally>>()
  for (const cell of cells) {
    const key = JSON.stringify([cell['item'], cell['style']])
    const mine = tallies.get(key) ?? new Map<string, Tally>()
    tallies.set(key, mine)
    const model = String(cell['model'])
    const before = mine.get(model) ?? {
      model,
      samples: 0,
      right: 0,
      wrong: 0,
      unparsed: 0,
      failed: 0,
      other: 0,
      answers: [],
    }
    const n = Number(cell['n'])
    const named = cell['kind'] as 'right' | 'wrong' | 'unparsed' | 'failed' | 'other'
    const said = cell['answer']
    const more = typeof said === 'string' && before.answers.length < ANSWERS ? [{ answer: said, count: n }] : []
    mine.set(model, {
      ...before,
      samples: before.samples + n,
      [named]: before[named] + n,
      answers: [...before.answers, ...more],
    })
  }
  const factsOf = new Map(facts.map((row) => [JSON.stringify([row['item'], row['style']]), row]))
  return keys.flatMap(([item, style]) => {
    const key = JSON.stringify([item, style])
    const row = factsOf.get(key)
    if (row === undefined) return []
    return {
      item,
      style,
      index: Number(row['index']),
      task: String(row['task']),
      group: String(row['group']),
      config: String(row['config']),
      truth: row['truth'] === null ? null : String(row['truth']),
      features: Object.fromEntries(
        features
          .filter((name) => row[name] !== null && row[name] !== undefined)
          .map((name) => [name.slice('feature_'.length), row[name] ?? null]),
      ),
      tallies: [...(tallies.get(key)?.values() ?? [])],
    }
  })
}

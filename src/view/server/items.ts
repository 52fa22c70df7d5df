import { metricsIn } from '../../report/index.ts'
import type { RowsQuery } from '../../store/index.ts'
import {
  type ItemNeighbours,
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  parametersOf,
  storedWords,
  type Tally,
  valueWords,
} from '../api/index.ts'
import { quoted } from './amounts.ts'
import type { ViewedRun } from './open-runs.ts'
import { readerOf } from './outline.ts'
import { Query } from './query.ts'
import { promptsHolding, search } from './search.ts'

/** Rows of one page at most. */
export const PAGE = 200

/** One page of the items that fit a filter, in the order of the run: one row an item and style, samples folded. */
export async function itemsOf(viewed: ViewedRun, filter: ItemsFilter, offset: number): Promise<ItemsPage> {
  const rows = await viewed.rows()
  const { parser = 'strict' } = filter
  const models = await viewed.remembered('models', () => Promise.resolve(modelsOf(viewed)))
  const empty: ItemsPage = {
    schema: 'touchstone/view-items/1',
    parser,
    models: [...models],
    measure: null,
    styled: false,
    total: 0,
    all: 0,
    lost: 0,
    offset,
    rows: [],
  }
  if (rows === null) return empty
  const fitting = await fittingItems(viewed, filter)
  const [all] = await viewed.remembered('items', () =>
    rows.run('SELECT COUNT(*) AS n, COUNT(DISTINCT item) AS items FROM (SELECT item FROM rows GROUP BY item, style)'),
  )
  return {
    ...empty,
    measure: measureIn(rows) ?? null,
    styled: Number(all?.['n'] ?? 0) > Number(all?.['items'] ?? 0),
    total: fitting.length,
    all: Number(all?.['n'] ?? 0),
    lost: filter.prompt === undefined ? 0 : (await promptsHolding(viewed, filter.prompt)).lost.items.length,
    rows: withTruths(
      viewed,
      await shownRows(rows, new Query(rows, readerOf(viewed, parser)), [...fitting.subarray(offset, offset + PAGE)]),
    ),
  }
}

/** Rows on either side of an item among which its neighbours are looked for: an item has a row for each of its styles. */
const NEAR = 100

/** Where an item stands among those that fit a filter, and which come before and after it. */
export async function neighboursOf(viewed: ViewedRun, filter: ItemsFilter, item: string): Promise<ItemNeighbours> {
  const rows = await viewed.rows()
  const fitting = rows === null ? new Int32Array() : await fittingItems(viewed, filter)
  const nowhere = { schema: 'touchstone/view-neighbours/1', at: null, total: fitting.length } as const
  const own = await rows?.integers('SELECT MIN(cell) AS first FROM rows WHERE item = $1 GROUP BY style', [item])
  const at = fitting.findIndex((first) => own?.includes(first) === true)
  if (rows === null || at < 0) return { ...nowhere, before: null, after: null }
  const from = Math.max(0, at - NEAR)
  const near = [...fitting.subarray(from, at + NEAR + 1)]
  const found = await rows.run('SELECT item FROM rows WHERE cell IN (SELECT UNNEST($1)) ORDER BY cell', [near])
  const items = found.map((row) => String(row['item']))
  return {
    ...nowhere,
    at,
    before: items.slice(0, at - from).findLast((other) => other !== item) ?? null,
    after: items.slice(at - from).find((other) => other !== item) ?? null,
  }
}

/** Rows hold a truth where it is a word or a number; a program or a list is put into words from the item. */
const withTruths = ({ run }: ViewedRun, rows: readonly ItemRow[]): ItemRow[] =>
  rows.map((row) => {
    const answer = row.truth === null ? (run.ledger.item(row.item)?.item.answer ?? null) : null
    return answer === null ? row : { ...row, truth: valueWords(answer).slice(0, TRUTH) }
  })

const measureIn = ({ columns }: RowsQuery): string | undefined => metricsIn(columns.map(({ name }) => name))[0]

/** The first cell of every item and style that fits, in their order: found once, however many pages of them are read. */
function fittingItems(viewed: ViewedRun, filter: ItemsFilter): Promise<Int32Array> {
  return viewed.remembered(`items ${JSON.stringify(parametersOf(filter))}`, async () => {
    const found = await search(viewed, filter)
    const rows = await viewed.rows()
    if (rows === null) return new Int32Array()
    const query = new Query(rows, readerOf(viewed, filter.parser ?? 'strict'))
    const where = query.where(filter, found)
    const having = query.having(filter, found)
    return rows.integers(
      `SELECT MIN(cell) AS first FROM rows ${where} GROUP BY item, style ${having} ORDER BY first`,
      query.values,
    )
  })
}

/** Models that have cells, as the run names them: in this order everywhere. */
function modelsOf({ run: { file, ledger } }: ViewedRun): readonly string[] {
  const there = ledger.models()
  const named = file.models.map(({ name }) => name).filter((name) => there.includes(name))
  return [...named, ...there.filter((name) => !named.includes(name))]
}

/** How many different answers of one model to one item are told. */
const ANSWERS = 3
/** Characters of an answer that are put into words. */
const READ = 2000
/** Characters of a truth that are sent. */
const TRUTH = 200

async function shownRows(rows: RowsQuery, { kind, answer }: Query, firsts: readonly number[]): Promise<ItemRow[]> {
  if (firsts.length === 0) return []
  const found = await rows.run('SELECT item, style FROM rows WHERE cell IN (SELECT UNNEST($1)) ORDER BY cell', [firsts])
  const keys = found.map(({ item, style }) => [String(item), String(style)] as const)
  const items = [...new Set(keys.map(([item]) => item))]
  const places = items.map((_, i) => `$${i + 1}`).join(', ')
  const features = rows.columns.filter(({ name }) => name.startsWith('feature_')).map(({ name }) => name)
  const facts = await rows.run(
    `SELECT item, style, ANY_VALUE("index") AS index, ANY_VALUE(task) AS task, ANY_VALUE("group") AS "group", ANY_VALUE(config) AS config,
       ANY_VALUE(truth) AS truth${features.map((name) => `, ANY_VALUE(${quoted(name)}) AS ${quoted(name)}`).join('')}
     FROM rows WHERE item IN (${places}) GROUP BY item, style`,
    items,
  )
  const measure = measureIn(rows)
  const mean = measure === undefined ? 'NULL' : `AVG(${quoted(`measured_${measure}`)})`
  const cells = await rows.run(
    `SELECT * FROM (SELECT item, style, model, ${kind} AS kind, LEFT(${answer}, ${READ}) AS answer, COUNT(*) AS n, ${mean} AS measured FROM rows
     WHERE item IN (${places}) GROUP BY ALL) WHERE kind IS NOT NULL ORDER BY n DESC, answer, model`,
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
      measured: null,
    }
    const n = Number(cell['n'])
    const named = cell['kind'] as 'right' | 'wrong' | 'unparsed' | 'failed' | 'other'
    const said = cell['answer']
    const more =
      typeof said === 'string' && before.answers.length < ANSWERS
        ? [{ answer: storedWords(said).slice(0, 120), count: n }]
        : []
    mine.set(model, {
      ...before,
      samples: before.samples + n,
      [named]: before[named] + n,
      answers: [...before.answers, ...more],
      // Strings that are scored have no answers that could differ: all of a model's are in one row.
      measured: typeof cell['measured'] === 'number' ? cell['measured'] : before.measured,
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
      truth: row['truth'] === null ? null : storedWords(String(row['truth'])),
      features: Object.fromEntries(
        features
          .filter((name) => row[name] !== null && row[name] !== undefined)
          .map((name) => [name.slice('feature_'.length), row[name] ?? null]),
      ),
      tallies: [...(tallies.get(key)?.values() ?? [])],
    }
  })
}

import {
  conditionsByName,
  countSegments,
  filterOf,
  type ItemNeighbours,
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  keeps,
  type Tally,
} from '../api/index.ts'

/** Rows of a page, as the server gives them. */
const PAGE = 200
const NONE = { amount: [], feature: [] }

/** What the server would answer, from all rows that were exported. @throws Error for what the rows cannot tell */
export function itemsOfExport(pages: readonly ItemsPage[], query: string): ItemsPage {
  const parameters = new URLSearchParams(query)
  const offset = Number(parameters.get('offset') ?? '0')
  parameters.delete('offset')
  const { first, rows } = fitting(pages, parameters)
  const size = sizeOf(parameters.get('sort') ?? '')
  const sorted = size === null ? rows : rows.toSorted((a, b) => size(b) - size(a))
  for (const name of ['outcome', 'among']) parameters.delete(name)
  const others = fitting(pages, parameters).rows
  const model = parameters.get('model') ?? undefined
  return {
    ...first,
    counts: countSegments((segment) => others.filter((row) => fits(row, { model, ...NONE, ...segment })).length),
    total: rows.length,
    offset,
    rows: sorted.slice(offset, offset + PAGE),
  }
}

const heardIn = (tallies: readonly Tally[]): readonly Tally[] =>
  tallies.filter(({ samples, failed }) => samples > failed)

/** As the server sorts; null: in the order of the run. */
function sizeOf(sort: string): ((row: ItemRow) => number) | null {
  if (sort === 'wrong') return ({ tallies }) => tallies.reduce((sum, { samples, right }) => sum + samples - right, 0)
  if (!sort.startsWith('feature ')) return null
  return ({ features }) => Number(features[sort.slice('feature '.length)] ?? Number.NEGATIVE_INFINITY)
}

/** As {@link itemsOfExport}, for the position of an item. */
export function neighboursOfExport(pages: readonly ItemsPage[], query: string): ItemNeighbours {
  const parameters = new URLSearchParams(query)
  const id = parameters.get('id') ?? ''
  parameters.delete('id')
  const items = fitting(pages, parameters).rows.map(({ item }) => item)
  const at = items.indexOf(id)
  const isOther = (item: string): boolean => item !== id
  return {
    schema: 'touchstone/view-neighbours/1',
    at: at < 0 ? null : at,
    total: items.length,
    before: at < 0 ? null : (items.slice(0, at).findLast(isOther) ?? null),
    after: at < 0 ? null : (items.slice(at).find(isOther) ?? null),
  }
}

function fitting(
  pages: readonly ItemsPage[],
  parameters: URLSearchParams,
): { readonly first: ItemsPage; readonly rows: readonly ItemRow[] } {
  const filter = filterOf(parameters)
  const [first] = pages
  if (!filter.success || first === undefined) throw new Error('expected a filter of items')
  const { text, amount } = filter.data
  if (text !== undefined) throw new Error('an exported view cannot search texts')
  if (amount.length > 0) throw new Error('an exported view cannot filter by tokens, time, cost or score')
  if (filter.data.parser !== undefined && filter.data.parser !== first.parser)
    throw new Error(`only the parser "${first.parser}" was exported`)
  return { first, rows: pages.flatMap((page) => page.rows).filter((row) => fits(row, filter.data)) }
}

function fits(row: ItemRow, filter: ItemsFilter): boolean {
  const { task, style, config, outcome, model, among, pair, a, b, by, feature } = filter
  if (task !== undefined && row.task !== task) return false
  if (style !== undefined && row.style !== style) return false
  if (config !== undefined && row.config !== config) return false
  for (const [name, conditions] of conditionsByName(feature)) if (!keeps(row.features[name], conditions)) return false
  if (
    outcome !== undefined &&
    !row.tallies.some((one) => (model === undefined || one.model === model) && one[outcome] > 0)
  )
    return false
  if (among !== undefined && !AMONG[among](heardIn(row.tallies))) return false
  if (pair === undefined || a === undefined || b === undefined) return true
  const [first, second] = [a, b].map((name) =>
    row.tallies.find((one) => one.model === name && one.samples > one.failed),
  )
  if (first === undefined || second === undefined) return false
  if (pair === 'differ' && by !== undefined) return Math.abs(share(first) - share(second)) >= by
  return PAIRS[pair](allRight(first), allRight(second))
}

const share = ({ right, samples, failed }: Tally): number => right / (samples - failed)

/** Errors do not count, as on the server. */
const isMissed = ({ right, samples, failed }: Tally): boolean => right < samples - failed

const AMONG: { readonly [among in NonNullable<ItemsFilter['among']>]: (heard: readonly Tally[]) => boolean } = {
  split: (heard) => heard.some(isMissed) && !heard.every(isMissed),
  right: (heard) => heard.length > 0 && !heard.some(isMissed),
  none: (heard) => heard.length > 0 && heard.every(({ right }) => right === 0),
  answers: (heard) => new Set(heard.flatMap(({ answers }) => answers.map(({ answer }) => answer))).size > 1,
}

const allRight = (tally: Tally): boolean => !isMissed(tally)

const PAIRS: { readonly [pair in NonNullable<ItemsFilter['pair']>]: (a: boolean, b: boolean) => boolean } = {
  onlyA: (a, b) => a && !b,
  onlyB: (a, b) => b && !a,
  both: (a, b) => a && b,
  neither: (a, b) => !a && !b,
  differ: (a, b) => a !== b,
}

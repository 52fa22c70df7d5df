import {
  conditionsByFeature,
  filterOf,
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  keeps,
  type Tally,
} from '../api/index.ts'

/** Rows of a page, as the server gives them. */
const PAGE = 200

/** What the server would answer, from all rows that were exported. @throws Error for what the rows cannot tell */
export function itemsOfExport(pages: readonly ItemsPage[], query: string): ItemsPage {
  const parameters = new URLSearchParams(query)
  const offset = Number(parameters.get('offset') ?? '0')
  parameters.delete('offset')
  const filter = filterOf(parameters)
  const [first] = pages
  if (!filter.success || first === undefined) throw new Error('this is no filter of items')
  if (filter.data.text !== undefined) throw new Error('what was said cannot be searched in an exported view')
  if (filter.data.parser !== first.parser) throw new Error(`only the parser "${first.parser}" was exported`)
  const rows = pages.flatMap((page) => page.rows).filter((row) => fits(row, filter.data))
  return { ...first, total: rows.length, offset, rows: rows.slice(offset, offset + PAGE) }
}

function fits(row: ItemRow, filter: ItemsFilter): boolean {
  const { task, style, config, outcome, model, pair, a, b, feature } = filter
  if (task !== undefined && row.task !== task) return false
  if (style !== undefined && row.style !== style) return false
  if (config !== undefined && row.config !== config) return false
  for (const [name, conditions] of conditionsByFeature(feature))
    if (!keeps(row.features[name], conditions)) return false
  if (
    outcome !== undefined &&
    !row.tallies.some((one) => (model === undefined || one.model === model) && one[outcome] > 0)
  )
    return false
  if (pair === undefined || a === undefined || b === undefined) return true
  const [first, second] = [a, b].map((name) =>
    row.tallies.find((one) => one.model === name && one.samples > one.failed),
  )
  if (first === undefined || second === undefined) return false
  return PAIRS[pair](allRight(first), allRight(second))
}

const allRight = ({ right, samples }: Tally): boolean => right === samples

const PAIRS: { readonly [pair in NonNullable<ItemsFilter['pair']>]: (a: boolean, b: boolean) => boolean } = {
  onlyA: (a, b) => a && !b,
  onlyB: (a, b) => b && !a,
  both: (a, b) => a && b,
  neither: (a, b) => !a && !b,
  differ: (a, b) => a !== b,
}

import { filterOf, type ItemsFilter, isSubset, parametersOf, type SubsetSize } from '../../api/index.ts'
import { isExport } from '../documents.ts'
import { linkTo, parametersIn, type Route } from '../routing.ts'
import { filterParts } from './filter-words.ts'
import { formatInteger, plural } from './format.ts'
import { useViewCount, type ViewCount } from './viewed-subsets.ts'

const OF_ITEMS = ['task', 'style', 'config', 'feature']

/** The parameters of subset and parser; links to other pages keep them. */
export const subsetParameters = (route: Route): Route['parameters'] => parametersIn(route, ['parser', ...OF_ITEMS])

/** Parameters for links to other pages; a task alone is no subset. */
export const keptParameters = (route: Route): Route['parameters'] =>
  route.parameters.some(([name]) => name !== 'task' && OF_ITEMS.includes(name)) ? subsetParameters(route) : []

/** A key of a filter, independent of the order of its conditions. */
export const subsetKey = (filter: ItemsFilter): string =>
  new URLSearchParams(parametersOf({ ...filter, feature: filter.feature.toSorted() })).toString()

/** A subset of items and its number among those viewed. */
export interface Subset {
  readonly filter: ItemsFilter
  readonly viewCount: ViewCount
}

/** The subset in the address; null: all items, always in an exported view. */
export function useSubset(route: Route, run: string): Subset | null {
  const filter = isExport() ? null : subsetIn(route)
  const viewCount = useViewCount(run, filter === null ? null : subsetKey(filter))
  return filter === null || viewCount === null ? null : { filter, viewCount }
}

function subsetIn(route: Route): ItemsFilter | null {
  const { data } = filterOf(subsetParameters(route))
  return data !== undefined && isSubset(data) ? data : null
}

export const subsetQuery = (subset: Subset | null): readonly (readonly [name: string, value: string])[] =>
  subset === null ? [] : [...parametersOf(subset.filter), ['views', String(subset.viewCount.of)]]

/** What a document about the items of a page depends on: the parser, and the subset where one is selected. */
export const pageQuery = (route: Route, subset: Subset | null) =>
  subset === null ? parametersIn(route, ['parser']) : subsetQuery(subset)

/** Confidence of each interval, so that all hold jointly with 95 %. */
export const confidenceText = (views: number): string =>
  views === 1 ? '95 %' : `${(100 * (1 - 0.05 / views)).toFixed(views < 10 ? 1 : 2)} %`

/** The subset that a page shows, and the number of subsets viewed. */
export function SubsetNote({
  route,
  subset,
  subsetSize,
}: {
  route: Route
  subset: Subset | null
  subsetSize: SubsetSize | null
}) {
  if (subset === null) return <NotApplied route={route} />
  // Nothing is answered yet, and nothing selected of it.
  if (subsetSize === null) return null
  const { number, of } = subset.viewCount
  return (
    <p class="subset" role="status">
      Only items with <b>{wordsOf(subset.filter)}</b>: {formatInteger(subsetSize.items)} of{' '}
      {formatInteger(subsetSize.all)}. Subset {number} of {of} that this browser viewed in this run
      {of === 1
        ? ''
        : `: ${confidenceText(of)} intervals (95 % jointly over ${plural(of, 'subset')}); every p is multiplied by ${of}`}
      . <AllItems route={route} />
    </p>
  )
}

/** States that a page ignores the subset in the address. */
export function NotApplied({ route }: { route: Route }) {
  const filter = subsetIn(route)
  if (filter === null || keptParameters(route).length === 0) return null
  return (
    <p class="subset" role="status">
      This page shows all items; the subset <b>{wordsOf(filter)}</b> is not applied
      {isExport() ? ' (an exported view has no subsets)' : ''}. <AllItems route={route} />
    </p>
  )
}

const wordsOf = (filter: ItemsFilter): string =>
  filterParts(filter)
    .map(({ words }) => words)
    .join(', ')

const AllItems = ({ route: { path, parameters } }: { route: Route }) => (
  <a
    href={linkTo(
      path,
      parameters.filter(([name]) => !OF_ITEMS.includes(name)),
    )}
  >
    Show all items
  </a>
)

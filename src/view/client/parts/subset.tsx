import { type Chosen, filterOf, type ItemsFilter, isCut, parametersOf } from '../../api/index.ts'
import { isExport } from '../documents.ts'
import { linkTo, type Route } from '../routing.ts'
import { filterParts } from './filter-words.ts'
import { formatInteger, plural } from './format.ts'
import { useTurn, type ViewCount } from './viewed-subsets.ts'

const OF_ITEMS = ['task', 'style', 'config', 'prompt', 'feature']

/** What an address says of items, and of whose readings count: links to other pages take it along. */
export const chosenPart = ({ parameters }: Route): Route['parameters'] =>
  parameters.filter(([name]) => name === 'parser' || OF_ITEMS.includes(name))

/** What other pages of the run are opened with: a task alone is what this page shows, and no choice of items. */
export const keptPart = (route: Route): Route['parameters'] =>
  route.parameters.some(([name]) => name !== 'task' && OF_ITEMS.includes(name)) ? chosenPart(route) : []

/** A filter as one text, whatever order its conditions were chosen in. */
export const cutKey = (filter: ItemsFilter): string =>
  new URLSearchParams(parametersOf({ ...filter, feature: filter.feature.toSorted() })).toString()

/** Items chosen by what they are, and which choice of how many it is. */
export interface Choice {
  readonly filter: ItemsFilter
  readonly turn: ViewCount
}

/** The choice of items that an address holds; null: all items, as in an exported view, where no other numbers are. */
export function useChoice(route: Route, run: string): Choice | null {
  const filter = isExport() ? null : choiceIn(route)
  const turn = useTurn(run, filter === null ? null : cutKey(filter))
  return filter === null || turn === null ? null : { filter, turn }
}

function choiceIn(route: Route): ItemsFilter | null {
  const { data } = filterOf(chosenPart(route))
  return data !== undefined && isCut(data) ? data : null
}

/** What is asked of the server for a choice. */
export const choiceQuery = (choice: Choice | null): readonly (readonly [name: string, value: string])[] =>
  choice === null ? [] : [...parametersOf(choice.filter), ['looks', String(choice.turn.of)]]

/** How sure each interval is, in words, so that those of all looks hold together with 95 %. */
export const confidenceText = (looks: number): string =>
  looks === 1 ? '95 %' : `${(100 * (1 - 0.05 / looks)).toFixed(looks < 10 ? 1 : 2)} %`

/** Of which items the numbers of a page are, and for how many looks they are made. */
export function ChoiceNote({
  route,
  choice,
  chosen,
}: {
  readonly route: Route
  readonly choice: Choice | null
  readonly chosen: Chosen | null
}) {
  if (choice === null) return <NotApplied route={route} />
  // Nothing is answered yet, and nothing chosen of it.
  if (chosen === null) return null
  const { number, of } = choice.turn
  return (
    <p class="choice" role="status">
      Only items with <b>{wordsOf(choice.filter)}</b>: {formatInteger(chosen.items)} of {formatInteger(chosen.all)}.
      Choice {number} of {of} that this browser looked at in this run
      {of === 1
        ? ''
        : `: intervals are of ${confidenceText(of)}, so that those of all ${plural(of, 'choice')} hold together with 95 %, and every p is multiplied by ${of}`}
      . <AllItems route={route} />
    </p>
  )
}

/** Says that a page is of all items, where the address chooses some. */
export function NotApplied({ route }: { readonly route: Route }) {
  const filter = choiceIn(route)
  if (filter === null || keptPart(route).length === 0) return null
  return (
    <p class="choice" role="status">
      This page is of all items: the choice of those with <b>{wordsOf(filter)}</b> is not applied here
      {isExport() ? ', as an exported view has only numbers of all' : ''}. <AllItems route={route} />
    </p>
  )
}

const wordsOf = (filter: ItemsFilter): string =>
  filterParts(filter)
    .map(({ words }) => words)
    .join(', ')

const AllItems = ({ route: { path, parameters } }: { readonly route: Route }) => (
  <a
    href={linkTo(
      path,
      parameters.filter(([name]) => !OF_ITEMS.includes(name)),
    )}
  >
    All items again
  </a>
)

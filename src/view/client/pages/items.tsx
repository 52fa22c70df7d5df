import { conditionCount, filterOf, type ItemsFilter, misfitOfFilter } from '../../api/index.ts'
import { ModelPageSelect, modelPageOf } from '../parts/model-page.tsx'
import { Loaded, Problem } from '../parts/state.tsx'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import type { RunPage, RunPageProps } from '../routing.ts'
import { Filters } from './item-filters.tsx'
import { ItemRows } from './item-rows.tsx'
import { useOutline } from './outline.ts'
import { ParserSelect } from './overview.tsx'
import { SubsetSection } from './subset-and-rest.tsx'

/** Every item with the outcome of each model; filters are in the address. */
function ItemsPageView({ route, run, revision }: RunPageProps) {
  const parsed = filterOf(route.parameters)
  const outline = useOutline(route, run, revision)
  if (!parsed.success)
    return (
      <Problem
        message={`the address has no valid filter: ${misfitOfFilter(parsed.error)}`}
        next="Open the items again from the overview."
      />
    )
  const filter = parsed.data
  return (
    <>
      <h1>Items</h1>
      <Loaded state={outline}>
        {(value) => {
          if (isUnanswered(value.run)) return <Unanswered run={value.run} />
          const models = chosenFirst(
            value.run.models.map(({ name }) => name),
            filter,
          )
          return (
            <>
              <ParserSelect route={route} parsers={value.parsers} />
              <Filters filter={filter} outline={value} />
              <ModelPageSelect route={route} all={models} most={MODELS} />
              <ItemRows
                run={run}
                filter={filter}
                models={modelPageOf(route, models, MODELS).models}
                several={value.run.tasks.length > 1 && filter.task === undefined}
              >
                {conditionCount(filter) === 0 ? null : (
                  <SubsetSection run={run} filter={filter} revision={revision} open={false} />
                )}
              </ItemRows>
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** Models side by side: of more the heads cannot be read. */
const MODELS = 10

/** Models that the filter names first. */
function chosenFirst(models: readonly string[], { model, a, b }: ItemsFilter): readonly string[] {
  const named = models.filter((name) => [model, a, b].includes(name))
  return [...named, ...models.filter((name) => !named.includes(name))]
}

export const itemsPageOfRun: RunPage = { name: 'items', label: 'items', Page: ItemsPageView }

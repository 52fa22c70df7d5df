import { useState } from 'preact/hooks'
import { conditionCount, filterOf, type ItemsFilter, misfitOfFilter, type Outline } from '../../../api/index.ts'
import { useOutline } from '../../parts/outline.ts'
import { Loaded, Problem } from '../../parts/state.tsx'
import { SubsetSection } from '../../parts/subset-and-rest.tsx'
import { isUnanswered, Unanswered } from '../../parts/unanswered.tsx'
import type { RunPage, RunPageProps } from '../../routing.ts'
import { Columns, Filters } from './item-filters.tsx'
import { ItemRows } from './item-rows.tsx'

/** What every model said to every item, side by side; filters are in the address. */
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
  return (
    <>
      <h1 class="hidden">Results</h1>
      <Loaded state={outline}>
        {(value) =>
          isUnanswered(value.run) ? (
            <Unanswered run={value.run} />
          ) : (
            <Results filter={parsed.data} outline={value} revision={revision} />
          )
        }
      </Loaded>
    </>
  )
}

/** Models side by side at first: of more the answers cannot be read. */
const MODELS = 4

function Results({
  filter,
  outline,
  revision,
}: {
  readonly filter: ItemsFilter
  readonly outline: Outline
  readonly revision: number
}) {
  const { run } = outline
  const all = run.models.map(({ name }) => name)
  const named = all.filter((name) => [filter.model, filter.a, filter.b].includes(name))
  const [chosen, setChosen] = useState<readonly string[]>(
    [...named, ...all.filter((name) => !named.includes(name))].slice(0, MODELS),
  )
  const columns = all.filter((name) => chosen.includes(name) || named.includes(name))
  return (
    <>
      <Filters filter={filter} outline={outline}>
        {all.length <= 1 ? null : <Columns all={all} chosen={columns} onChange={setChosen} />}
      </Filters>
      <ItemRows
        run={run.id}
        filter={filter}
        models={columns}
        several={run.tasks.length > 1 && filter.task === undefined}
        segments
      >
        {conditionCount(filter) === 0 ? null : (
          <SubsetSection run={run.id} filter={filter} revision={revision} open={false} />
        )}
      </ItemRows>
    </>
  )
}

export const itemsPageOfRun: RunPage = { name: 'items', label: 'Results', key: 'r', Page: ItemsPageView }

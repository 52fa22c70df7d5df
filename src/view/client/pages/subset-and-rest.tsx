import { useMemo } from 'preact/hooks'
import {
  type ItemsFilter,
  isSubset,
  parametersOf,
  references,
  type SubsetAndRest,
  subsetAndRest,
  subsetFilter,
} from '../../api/index.ts'
import { isExport, useRunDocument } from '../documents.ts'
import { formatP, plural } from '../parts/format.ts'
import { Interval, type IntervalMark } from '../parts/interval.tsx'
import { modelName } from '../parts/models.ts'
import { marksOfOne, ReferenceLegend } from '../parts/references.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Loaded } from '../parts/state.tsx'
import { confidenceText, subsetKey } from '../parts/subset.tsx'
import { corrected, useViewCount, type ViewCount } from '../parts/viewed-subsets.ts'

/** Number of this subset among those viewed, and the accuracies in it. */
export function SubsetSection({
  run,
  filter,
  revision,
  open,
}: {
  readonly run: string
  readonly filter: ItemsFilter
  readonly revision: number
  readonly open: boolean
}) {
  const viewCount = useViewCount(run, subsetKey(filter))
  const title = `Subset ${viewCount.number} of ${viewCount.of} that this browser viewed in this run`
  if (!isSubset(filter))
    return <p class="note">{title}. It selects by outcome or response, so accuracies in it are not estimates.</p>
  if (isExport()) return <p class="note">{title}. Run `touchstone view` on the folder to see the accuracies in it.</p>
  return (
    <details class="subset-statistics" open={open}>
      <summary>{title}: accuracy</summary>
      <SubsetStatistics run={run} filter={filter} revision={revision} viewCount={viewCount} />
    </details>
  )
}

function SubsetStatistics({
  run,
  filter,
  revision,
  viewCount,
}: {
  readonly run: string
  readonly filter: ItemsFilter
  readonly revision: number
  readonly viewCount: ViewCount
}) {
  const query = new URLSearchParams(parametersOf(filter))
  query.set('views', String(viewCount.of))
  const state = useRunDocument(run, subsetAndRest, query, revision)
  const lines = useRunDocument(run, references, state.kind === 'ready' ? parametersOf(subsetFilter(filter)) : null)
  return (
    <Loaded state={state}>
      {(shares) => (
        <>
          <SubsetTable
            run={run}
            shares={shares}
            name={subsetKey(filter)}
            viewCount={viewCount}
            marks={marksOfOne(lines)}
          />
          {shares.models.length === 0 ? null : <ReferenceLegend state={lines} />}
        </>
      )}
    </Loaded>
  )
}

function SubsetTable({
  run,
  shares: { models, views },
  name,
  viewCount,
  marks,
}: {
  readonly run: string
  readonly shares: SubsetAndRest
  readonly name: string
  readonly viewCount: ViewCount
  readonly marks: readonly IntervalMark[]
}) {
  const p = useMemo(
    () =>
      corrected(
        run,
        name,
        Object.fromEntries(models.flatMap(({ model, gap }) => (gap === null ? [] : [[model, gap.p]]))),
      ),
    [run, name, models],
  )
  return (
    <Scroll label="Accuracy of the models on these items">
      <table class="overview">
        <caption>
          {viewCount.of === 1
            ? 'Accuracy with 95 % intervals.'
            : `Accuracy with ${confidenceText(views)} intervals (95 % jointly over ${plural(views, 'subset')}); p adjusted by Holm over the ${plural(views, 'subset')}.`}{' '}
          Subset − rest: the rest are all other items that have these features.
        </caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Subset</th>
            <th scope="col">Subset − rest</th>
            <th scope="col">p{viewCount.of === 1 ? '' : ' (Holm)'}</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, inside, gap }) => (
            <tr key={model}>
              <th scope="row">{modelName(model)}</th>
              <td>
                {inside === null ? (
                  'no graded response'
                ) : (
                  <Interval estimate={{ ...inside.share, groups: inside.groups }} marks={marks} label={model} />
                )}
              </td>
              <td>
                {gap === null ? (
                  'fewer than two groups in subset or rest'
                ) : (
                  <Interval
                    estimate={gap.difference}
                    from={-1}
                    hollow={(p[model] ?? 1) >= 0.05}
                    label="Subset − rest"
                  />
                )}
              </td>
              <td class="right">{gap === null ? '–' : formatP(p[model] ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

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
import { formatP, modelName, plural } from '../parts/format.ts'
import { Interval, type IntervalMark } from '../parts/interval.tsx'
import { marksOfOne, ReferenceNote } from '../parts/references.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Loaded } from '../parts/state.tsx'
import { confidenceText, subsetKey } from '../parts/subset.tsx'
import { corrected, useViewCount, type ViewCount } from '../parts/viewed-subsets.ts'

/** Which subset of items this is of those looked at, and what the models do on them. */
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
  const said = `Subset ${viewCount.number} of ${viewCount.of} that this browser looked at in this run`
  if (!isSubset(filter))
    return <p class="note">{said}. It goes by what came out or was said: shares among these items are no estimates.</p>
  if (isExport())
    return <p class="note">{said}. `touchstone view` on the folder works out how the models do on them.</p>
  return (
    <details class="subset-statistics" open={open}>
      <summary>{said}: how the models do on it</summary>
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
          {shares.models.length === 0 ? null : <ReferenceNote state={lines} />}
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
    <Scroll label="The models on these items">
      <table class="overview">
        <caption>
          {viewCount.of === 1
            ? 'Accuracy with 95 % intervals.'
            : `Accuracy with intervals of ${confidenceText(views)}: so wide that those of all ${plural(views, 'subset')} hold together with 95 %; p by Holm over the ${plural(views, 'subset')}.`}{' '}
          Inside less outside compares with all other items that have these features.
        </caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">These items, 0 to 1</th>
            <th scope="col">Inside less outside, −1 to 1</th>
            <th scope="col">p{viewCount.of === 1 ? '' : ' (Holm)'}</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, inside, gap }) => (
            <tr key={model}>
              <th scope="row">{modelName(model)}</th>
              <td>
                {inside === null ? (
                  'nothing graded'
                ) : (
                  <Interval estimate={inside.share} groups={inside.groups} marks={marks} label={model} />
                )}
              </td>
              <td>
                {gap === null ? (
                  'fewer than two groups on a side'
                ) : (
                  <Interval
                    estimate={gap.difference}
                    from={-1}
                    hollow={(p[model] ?? 1) >= 0.05}
                    label="Inside less outside"
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

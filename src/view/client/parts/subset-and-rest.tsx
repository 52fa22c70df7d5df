import { useMemo } from 'preact/hooks'
import { type ItemsFilter, isSubset, parametersOf, references, subsetAndRest, subsetFilter } from '../../api/index.ts'
import { isExport, useRunDocument } from '../documents.ts'
import { ModelName } from './controls.tsx'
import { plural, pValue } from './format.ts'
import { Grid } from './grid.tsx'
import { Interval } from './interval.tsx'
import { colourOf } from './names.ts'
import { marksOfOne, ReferenceLegend } from './references.tsx'
import { Loaded } from './state.tsx'
import { confidenceText, subsetKey } from './subset.tsx'
import { corrected, useViewCount, type ViewCount } from './viewed-subsets.ts'

interface SubsetProps {
  readonly run: string
  readonly filter: ItemsFilter
  readonly revision: number
  readonly open: boolean
}

/** Number of this subset among those viewed, and the accuracies in it. */
export function SubsetSection({ run, filter, revision, open }: SubsetProps) {
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

function SubsetStatistics({ run, filter, revision, viewCount }: Omit<SubsetProps, 'open'> & { viewCount: ViewCount }) {
  const query = new URLSearchParams(parametersOf(filter))
  query.set('views', String(viewCount.of))
  const state = useRunDocument(run, subsetAndRest, query, revision)
  const lines = useRunDocument(run, references, state.kind === 'ready' ? parametersOf(subsetFilter(filter)) : null)
  const name = subsetKey(filter)
  const p = useMemo(() => {
    if (state.kind !== 'ready') return {}
    const known = state.value.models.flatMap(({ model, gap }) => (gap === null ? [] : [[model, gap.p]]))
    return corrected(run, name, Object.fromEntries(known))
  }, [run, name, state])
  if (state.kind !== 'ready') return <Loaded state={state}>{() => null}</Loaded>
  const { models, views } = state.value
  const marks = marksOfOne(lines)
  return (
    <>
      <Grid
        label="Accuracy of the models on these items"
        caption={`${
          views === 1
            ? 'Accuracy with 95 % intervals.'
            : `Accuracy with ${confidenceText(views)} intervals (95 % jointly over ${plural(views, 'subset')}); p adjusted by Holm over the ${plural(views, 'subset')}.`
        } Subset − rest: the rest are all other items that have these features.`}
        rows={models}
        keyOf={({ model }) => model}
        columns={({ numeric, rowHead, text }) => [
          rowHead('Model', ({ model }) => <ModelName model={model} />),
          text('Subset', ({ model, inside }) =>
            inside === null ? (
              'no graded response'
            ) : (
              <Interval
                estimate={{ ...inside.share, groups: inside.groups }}
                marks={marks}
                label={model}
                colour={colourOf(model)}
              />
            ),
          ),
          text('Subset − rest', ({ model, gap }) =>
            gap === null ? (
              'fewer than two groups in subset or rest'
            ) : (
              <Interval estimate={gap.difference} from={-1} hollow={(p[model] ?? 1) >= 0.05} label="Subset − rest" />
            ),
          ),
          numeric(views === 1 ? 'p' : 'p (Holm)', ({ model, gap }) => (gap === null ? '–' : pValue(p[model] ?? null))),
        ]}
      />
      {models.length === 0 ? null : (
        <p class="note legend">
          <ReferenceLegend state={lines} />
        </p>
      )}
    </>
  )
}

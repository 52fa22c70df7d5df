import { useMemo } from 'preact/hooks'
import {
  blindDocument,
  type CutDocument,
  choiceOf,
  cutDocument,
  type ItemsFilter,
  isCut,
  parametersOf,
} from '../../api/index.ts'
import { isExport, useDocument } from '../documents.ts'
import { BlindNote, marksOfOne } from '../parts/blind.tsx'
import { formatP, modelName, plural } from '../parts/format.ts'
import { Interval, type IntervalMark } from '../parts/interval.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Loaded } from '../parts/state.tsx'
import { confidenceText, cutKey } from '../parts/subset.tsx'
import { corrected, useTurn, type ViewCount } from '../parts/viewed-subsets.ts'

/** Which choice of items this is of those looked at, and what the models do on them. */
export function Cut({
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
  const turn = useTurn(run, cutKey(filter))
  const said = `Choice ${turn.number} of ${turn.of} that this browser looked at in this run`
  if (!isCut(filter))
    return <p class="note">{said}. It goes by what came out or was said: shares among these items are no estimates.</p>
  if (isExport())
    return <p class="note">{said}. `touchstone view` on the folder works out how the models do on them.</p>
  return (
    <details class="cut" open={open}>
      <summary>{said}: how the models do on it</summary>
      <CutStatistics run={run} filter={filter} revision={revision} turn={turn} />
    </details>
  )
}

function CutStatistics({
  run,
  filter,
  revision,
  turn,
}: {
  readonly run: string
  readonly filter: ItemsFilter
  readonly revision: number
  readonly turn: ViewCount
}) {
  const query = new URLSearchParams(parametersOf(filter))
  query.set('looks', String(turn.of))
  const state = useDocument(cutDocument, `/api/runs/${run}/cut?${query}`, revision)
  const blind = useDocument(
    blindDocument,
    state.kind === 'ready' ? `/api/runs/${run}/blind?${new URLSearchParams(parametersOf(choiceOf(filter)))}` : null,
  )
  return (
    <Loaded state={state}>
      {(cut) => (
        <>
          <CutTable run={run} cut={cut} name={cutKey(filter)} turn={turn} marks={marksOfOne(blind)} />
          {cut.models.length === 0 ? null : <BlindNote state={blind} />}
        </>
      )}
    </Loaded>
  )
}

function CutTable({
  run,
  cut: { models, looks },
  name,
  turn,
  marks,
}: {
  readonly run: string
  readonly cut: CutDocument
  readonly name: string
  readonly turn: ViewCount
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
      <table class="board">
        <caption>
          {turn.of === 1
            ? 'Accuracy with 95 % intervals.'
            : `Accuracy with intervals of ${confidenceText(looks)}: so wide that those of all ${plural(looks, 'choice')} hold together with 95 %; p by Holm over the ${plural(looks, 'choice')}.`}{' '}
          Inside less outside compares with all other items that have these features.
        </caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">These items, 0 to 1</th>
            <th scope="col">Inside less outside, −1 to 1</th>
            <th scope="col">p{turn.of === 1 ? '' : ' (Holm)'}</th>
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

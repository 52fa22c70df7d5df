import { useState } from 'preact/hooks'
import type { RunSummary } from '../../../api/index.ts'
import { ModelName, TaskName, Troubles } from '../../parts/controls.tsx'
import { plural } from '../../parts/format.ts'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Axis, isFew, QUARTERS, Share, Track } from '../../parts/interval.tsx'
import { colourOf, modelName } from '../../parts/names.ts'
import { marksOf, ReferenceLegend, useReferences } from '../../parts/references.tsx'
import { confidenceText, type Subset, subsetParameters } from '../../parts/subset.tsx'
import { type AccuracyRow, numberOf, type Pair } from '../../parts/tables.ts'
import { linkTo, type Route } from '../../routing.ts'

export interface MatrixProps {
  readonly route: Route
  readonly run: RunSummary
  readonly rows: readonly AccuracyRow[]
  readonly pairs: readonly Pair[]
  readonly subset: Subset | null
}

/** Models in the order of their wins, then of their mean accuracy. */
export function ranked(rows: readonly AccuracyRow[], pairs: readonly Pair[]): readonly string[] {
  const wins = (model: string): number => pairs.filter(({ winner }) => winner === model).length
  const mean = (own: readonly AccuracyRow[]): number =>
    own.reduce((sum, { accuracy }) => sum + accuracy.value, 0) / own.length
  return [...Map.groupBy(rows, ({ model }) => model)]
    .map(([model, own]) => ({ model, wins: wins(model), mean: mean(own) }))
    .sort((a, b) => b.wins - a.wins || b.mean - a.mean)
    .map(({ model }) => model)
}

/** More models have no column each but a line beside their mark. */
const MAX_COLUMNS = 4

/** Conditions x models, all on one axis. */
export function Matrix({ route, run, rows, pairs, subset, views }: MatrixProps & { readonly views: number }) {
  const [sort, setSort] = useState<string | null>(null)
  const references = useReferences(run, rows, subset)
  const models = ranked(rows, pairs)
  const inLines = models.length > MAX_COLUMNS
  const conditions = [...Map.groupBy(rows, ({ where }) => where)].flatMap(([where, own]) =>
    own[0] === undefined ? [] : [{ where, own, first: own[0] }],
  )
  const value = (own: readonly AccuracyRow[]): number => own.find(({ model }) => model === sort)?.accuracy.value ?? -1
  const sorted = sort === null ? conditions : conditions.toSorted((a, b) => value(b.own) - value(a.own))
  const kept = subsetParameters(route).filter(([name]) => name !== 'task')
  const cellOf = (own: readonly AccuracyRow[], model: string) => {
    const row = own.find((one) => one.model === model)
    if (row === undefined) return '–'
    return (
      <>
        <Share estimate={row.accuracy} bold={pairs.length > 0 && bestOf(own, pairs).includes(model)} />
        <Troubles
          run={run.id}
          count={(outcome) => numberOf(row.row, outcome) ?? 0}
          of={numberOf(row.row, 'planned') ?? 0}
          kept={[['task', row.task], ['model', model], ...kept]}
          few={false}
        />
      </>
    )
  }
  return (
    <section>
      <Grid
        kind="matrix"
        label="Accuracy by task and model"
        rows={sorted}
        keyOf={({ where }) => where}
        columns={({ marks, rowHead, text }) => [
          rowHead(<h2>{run.tasks.length > 1 ? 'Accuracy by task' : 'Accuracy'}</h2>, ({ where, first }) => (
            <>
              <a href={linkTo(['r', run.id, 'by-feature'], [['task', first.task], ...kept])}>
                <TaskName task={where || first.task} />
              </a>
              <small>
                {' '}
                {plural(first.accuracy.n, 'item')}
                {(first.accuracy.groups ?? first.accuracy.n) < first.accuracy.n
                  ? ` · ${plural(first.accuracy.groups ?? 0, 'group')}`
                  : ''}
              </small>
            </>
          )),
          marks(
            <>
              % correct
              <Axis ticks={QUARTERS} />
            </>,
            ({ own, first }) => (
              <Track
                rows={models.flatMap((model) =>
                  own
                    .filter((row) => row.model === model)
                    .map(({ accuracy }) => ({ label: modelName(model), estimate: accuracy, colour: colourOf(model) })),
                )}
                marks={marksOf(references, first)}
                {...(inLines ? { step: 20 } : {})}
              />
            ),
          ),
          inLines &&
            text('Models', ({ own }) => (
              <ul class="lines">
                {models.map((model) => (
                  <li key={model}>
                    <ModelName model={model} provider={false} />
                    <span>{cellOf(own, model)}</span>
                  </li>
                ))}
              </ul>
            )),
          ...(inLines ? [] : models).map(
            (model): Column<(typeof sorted)[number]> => ({
              head: (
                <button type="button" onClick={() => setSort(sort === model ? null : model)} title="sort by this model">
                  <ModelName model={model} provider={false} />
                </button>
              ),
              kind: 'right',
              name: modelName(model),
              sorted: sort === model,
              cell: ({ own }) => cellOf(own, model),
            }),
          ),
          pairs.length > 0 &&
            !inLines &&
            text('Best', ({ own, first }) => <Best first={first} best={bestOf(own, pairs)} />),
        ]}
      />
      <p class="note legend">
        {pairs.length > 0 && (
          <span>
            <b>Bold</b>: no model is significantly better
          </span>
        )}
        <span>Bars: {confidenceText(views)} CI, dotted with fewer than 10 groups</span>
        <ReferenceLegend state={references} />
      </p>
    </section>
  )
}

function Best({ first, best }: { first: AccuracyRow; best: readonly string[] }) {
  if (isFew(first.accuracy)) return <small>too few groups</small>
  const [only, other] = best
  return only !== undefined && other === undefined ? (
    <ModelName model={only} provider={false} />
  ) : (
    <small>no clear difference</small>
  )
}

/** The models of a condition that none is significantly better than. */
const bestOf = (rows: readonly AccuracyRow[], pairs: readonly Pair[]): readonly string[] =>
  rows.flatMap(({ model, where }) => {
    const own = pairs.filter((pair) => pair.where === where && (pair.a === model || pair.b === model))
    return own.some(({ winner }) => winner !== null && winner !== model) ? [] : [model]
  })

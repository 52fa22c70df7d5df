import { useState } from 'preact/hooks'
import type { ShownEstimate, TokenMeasure, TokensDocument } from '../../api/index.ts'
import { measureWords } from '../parts/filter-words.ts'
import { formatInteger, formatNumber, visible } from '../parts/format.ts'
import { modelName } from '../parts/models.ts'
import { Scroll } from '../parts/scroll.tsx'
import { confidenceText } from '../parts/subset.tsx'
import { linkTo } from '../routing.ts'

const columns: readonly TokenMeasure[] = ['prompt', 'answer', 'reasoning', 'seconds', 'usd']

type Means = { readonly [M in TokenMeasure]: ShownEstimate | number | null }

const meanWords = (mean: ShownEstimate | number | null): string => {
  if (mean === null) return '–'
  return typeof mean === 'number'
    ? formatNumber(mean)
    : `${formatNumber(mean.value)} [${formatNumber(mean.low)}, ${formatNumber(mean.high)}]`
}

const MeanCells = ({ means, shown }: { readonly means: Means; readonly shown: readonly TokenMeasure[] }) => (
  <>
    {shown.map((measure) => {
      const mean = means[measure]
      return (
        <td key={measure} class="right" {...(typeof mean === 'number' || mean === null ? {} : { title: mean.method })}>
          {meanWords(mean)}{' '}
          {typeof mean === 'number' || mean === null ? null : <small>n={formatInteger(mean.n)}</small>}
        </td>
      )
    })}
  </>
)

/** Measures of which something is known: the others have no column. */
const knownOf = (all: readonly Means[]): readonly TokenMeasure[] =>
  columns.filter((measure) => all.some((means) => means[measure] !== null))

const Heads = ({ shown }: { readonly shown: readonly TokenMeasure[] }) => (
  <>
    {shown.map((measure) => (
      <th key={measure} scope="col" class="right">
        {measureWords[measure]}
      </th>
    ))}
  </>
)

export function Configs({ configs, views }: Pick<TokensDocument, 'configs'> & { readonly views: number }) {
  const shown = knownOf(configs.map(({ means }) => means))
  const paid = configs.some((one) => one.paid !== null)
  return (
    <Scroll label="Means by config">
      <table class="data">
        <caption>
          Means of a response, by config, style and model, with {confidenceText(views)} intervals over groups of items;
          n: responses for which it is known
        </caption>
        <thead>
          <tr>
            <th scope="col">config</th>
            <th scope="col">style</th>
            <th scope="col">model</th>
            <th scope="col" class="right">
              cells
            </th>
            <th scope="col" class="right">
              groups
            </th>
            <Heads shown={shown} />
            {paid ? (
              <th scope="col" class="right">
                total cost
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {configs.map((one) => (
            <tr key={JSON.stringify([one.task, one.config, one.style, one.model])}>
              <td>
                {visible(one.task)} <small>{visible(one.config)}</small>
              </td>
              <td>{visible(one.style)}</td>
              <td>{modelName(one.model)}</td>
              <td class="right">{formatInteger(one.cells)}</td>
              <td class="right">{formatInteger(one.groups)}</td>
              <MeanCells means={one.means} shown={shown} />
              {paid ? <td class="right">{one.paid === null ? '–' : `$${formatNumber(one.paid)}`}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** Items listed at first. */
const FEW_ITEMS = 20

export function Dearest({
  dearest,
  measure,
  run,
}: {
  readonly dearest: TokensDocument['dearest']
  readonly measure: TokenMeasure
  readonly run: string
}) {
  const [all, setAll] = useState(false)
  const shown = knownOf(dearest.flatMap(({ models }) => models.map(({ means }) => means)))
  const items = all ? dearest : dearest.slice(0, FEW_ITEMS)
  return (
    <>
      <Scroll label="Items that took most">
        <table class="data">
          <caption>
            {items.length === 1 ? 'The item' : `The ${formatInteger(items.length)} items`} with the most{' '}
            {measureWords[measure]}: what was counted of each, the mean where a model was asked more than once
          </caption>
          <thead>
            <tr>
              <th scope="col">item</th>
              <th scope="col">model</th>
              <Heads shown={shown} />
            </tr>
          </thead>
          <tbody>
            {items.flatMap(({ item, index, task, models }) =>
              models.map(({ model, cells, means }, i) => (
                <tr key={`${item} ${model}`}>
                  {i === 0 ? (
                    <th scope="row" rowSpan={models.length}>
                      <a href={linkTo(['r', run, 'item'], [['id', item]])}>#{index}</a> <small>{visible(task)}</small>
                    </th>
                  ) : null}
                  <td>
                    {modelName(model)} {cells > 1 ? <small>n={formatInteger(cells)}</small> : null}
                  </td>
                  <MeanCells means={means} shown={shown} />
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
      {items.length < dearest.length ? (
        <button type="button" onClick={() => setAll(true)}>
          All {formatInteger(dearest.length)} that took most
        </button>
      ) : null}
    </>
  )
}

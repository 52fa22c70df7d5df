import type { TokenMeasure, TokensDocument } from '../../api/index.ts'
import { measureWords } from '../parts/filter-words.ts'
import { formatInteger, formatNumber } from '../parts/format.ts'
import { Interval } from '../parts/interval.tsx'
import { modelName } from '../parts/models.ts'
import { Scroll } from '../parts/scroll.tsx'
import { confidenceText } from '../parts/subset.tsx'

/** Do right answers take more tokens than wrong ones? One line a model and outcome, on one axis. */
export function Outcomes({
  outcomes,
  what,
  views,
}: {
  readonly outcomes: TokensDocument['outcomes']
  readonly what: string
  readonly views: number
}) {
  const most = Math.max(...outcomes.map(({ mean }) => mean.high), 1e-9)
  const models = [...Map.groupBy(outcomes, ({ model }) => model)]
  return (
    <section>
      <h2>Mean {what} of correct and incorrect responses</h2>
      <Scroll label="Means by outcome">
        <table class="overview">
          <caption>
            Of the answers for which it is known, with {confidenceText(views)} intervals over groups of items, from 0 to{' '}
            {formatNumber(most)}. No prediction: unparsed, truncated or refused. Errors are excluded.
          </caption>
          <thead>
            <tr>
              <th scope="col">model</th>
              <th scope="col">outcome</th>
              <th scope="col">mean [{confidenceText(views)}], n</th>
            </tr>
          </thead>
          <tbody>
            {models.flatMap(([model, own]) =>
              own.map(({ outcome, mean, groups }, i) => (
                <tr key={`${model} ${outcome}`}>
                  {i === 0 ? (
                    <th scope="row" rowSpan={own.length}>
                      {modelName(model)}
                    </th>
                  ) : null}
                  <td>
                    {SIGN[outcome]} {outcome}
                  </td>
                  <td>
                    <Interval
                      estimate={{ ...mean, groups }}
                      to={most}
                      words={formatNumber}
                      label={`${modelName(model)}, ${outcome}`}
                    />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

const SIGN = { correct: '✓', incorrect: '✗', 'no prediction': '?' } as const

const WIDTH = 264
const HEIGHT = 40

/** One histogram a model, on one axis. */
export function Spread({
  spread: { edges, models },
  measure,
}: {
  readonly spread: NonNullable<TokensDocument['spread']>
  readonly measure: TokenMeasure
}) {
  const bars = edges.length - 1
  const wide = WIDTH / Math.max(1, bars)
  return (
    <Scroll label="Distributions">
      <table class="data spread">
        <caption>
          Responses by {measureWords[measure]}: from 0 to {formatNumber(edges.at(-1) ?? 0)},{' '}
          {measure === 'usd' || measure === 'seconds' ? 'linear bins' : 'logarithmic bins'}
        </caption>
        <thead>
          <tr>
            <th scope="col">model</th>
            <th scope="col">distribution</th>
            <th scope="col" class="right">
              10 %
            </th>
            <th scope="col" class="right">
              median
            </th>
            <th scope="col" class="right">
              90 %
            </th>
            <th scope="col" class="right">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, n, low, middle, high, bins }) => {
            const most = Math.max(1, ...bins)
            return (
              <tr key={model}>
                <th scope="row">{modelName(model)}</th>
                <td>
                  <svg
                    class="bars"
                    width={WIDTH}
                    height={HEIGHT}
                    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                    role="img"
                    aria-label={`${modelName(model)}: median ${formatNumber(middle)}, 10th to 90th percentile ${formatNumber(low)} to ${formatNumber(high)}`}
                  >
                    {bins.map((count, i) => {
                      const tall = ((HEIGHT - 2) * count) / most
                      return (
                        <rect key={`${i}`} x={i * wide} y={HEIGHT - 1 - tall} width={wide - 1} height={tall}>
                          <title>{`${formatNumber(edges[i] ?? 0)} to ${formatNumber(edges[i + 1] ?? 0)}: ${formatInteger(count)}`}</title>
                        </rect>
                      )
                    })}
                    <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
                  </svg>
                </td>
                <td class="right">{formatNumber(low)}</td>
                <td class="right">{formatNumber(middle)}</td>
                <td class="right">{formatNumber(high)}</td>
                <td class="right">{formatInteger(n)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

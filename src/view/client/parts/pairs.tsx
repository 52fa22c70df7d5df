import type { ShownEstimate, ShownTable } from '../../api/index.ts'
import { linkTo, type Route } from '../routing.ts'
import { formatInteger, formatNumber, modelName, plural, small, visible } from './format.ts'
import { Interval } from './interval.tsx'
import { Scroll } from './scroll.tsx'
import { confidenceText, subsetParameters } from './subset.tsx'
import { estimateOf, numberOf, textOf } from './tables.ts'
import { adjustP } from './viewed-subsets.ts'

/** Most pairs listed for one condition. */
const PAIRS = 150
/** Most pairs shown at once; beyond, each condition is folded. */
const SEEN = 24

interface Pair {
  readonly a: string
  readonly b: string
  readonly where: string
  readonly difference: ShownEstimate
  /** Adjusted for all pairs and all subsets viewed. */
  readonly holm: number | null
  readonly q: number | null
  readonly needed: number | null
}

const resolved = ({ holm }: Pair): boolean => holm !== null && holm < 0.05

function pairsOf({ rows }: ShownTable, views: number): readonly Pair[] {
  const varying = ['task', 'config', 'style'].filter((key) => new Set(rows.map((row) => textOf(row, key))).size > 1)
  return rows.flatMap((row) => {
    const difference = estimateOf(row['difference'])
    if (difference === null) return []
    return {
      a: textOf(row, 'a'),
      b: textOf(row, 'b'),
      where: varying
        .map((key) => textOf(row, key))
        .filter(Boolean)
        .join(', '),
      difference,
      holm: adjustP(numberOf(row, 'holm'), views),
      q: numberOf(row, 'powerRatio'),
      needed: numberOf(row, 'itemsNeeded'),
    }
  })
}

interface PairsProps {
  readonly route: Route
  readonly run: string
  readonly table: ShownTable
  /** Choices of items that p is corrected for. */
  readonly views: number
}

/** All pairs of models on shared items; several conditions are folded with their count of significant pairs. */
export function Pairs({ route, run, table, views }: PairsProps) {
  const pairs = pairsOf(table, views)
  if (pairs.length === 0) return null
  const sets = [...Map.groupBy(pairs, ({ where }) => where)]
  return (
    <section>
      <h2>Pairwise differences</h2>
      <p class="note">
        Difference A − B on the items that both answered, with {confidenceText(views)} intervals; p adjusted by Holm
        over all {formatInteger(pairs.length)} pairs
        {views === 1 ? '' : `, times ${plural(views, 'subset')} of items`}, and the verdict by p. Power ratio q: shared
        items / items needed for 80 % power at this difference after adjustment; items still needed: until q is 1.
      </p>
      {sets.length === 1 || pairs.length <= SEEN ? (
        <PairTable route={route} run={run} pairs={pairs} label="Differences between models" />
      ) : (
        sets.map(([where, all]) => (
          <details key={where}>
            <summary>
              {visible(where)}: {all.filter(resolved).length} of {plural(all.length, 'pair')} significant
            </summary>
            <PairTable route={route} run={run} pairs={all} label={`Differences between models, ${where}`} />
          </details>
        ))
      )}
    </section>
  )
}

interface PairTableProps {
  readonly route: Route
  readonly run: string
  readonly pairs: readonly Pair[]
  readonly label: string
}

function PairTable({ route, run, pairs, label }: PairTableProps) {
  const one = new Set(pairs.map(({ where }) => where)).size === 1
  const shown = pairs.length > PAIRS ? pairs.toSorted((a, b) => (a.holm ?? 1) - (b.holm ?? 1)).slice(0, PAIRS) : pairs
  return (
    <>
      {shown.length < pairs.length ? (
        <p class="note">
          The {formatInteger(shown.length)} of {formatInteger(pairs.length)} with the least p; any two are on the page
          “compare”.
        </p>
      ) : null}
      <Scroll label={label}>
        <table class="overview">
          <thead>
            <tr>
              <th scope="col">A against B</th>
              <th scope="col">A − B, from −1 to 1</th>
              <th scope="col">Verdict</th>
              <th scope="col">p (Holm)</th>
              <th scope="col">q</th>
              <th scope="col">Items still needed</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((pair) => {
              const { a, b, where, difference, holm, q, needed } = pair
              return (
                <tr key={JSON.stringify([a, b, where])}>
                  <th scope="row">
                    <a href={linkTo(['r', run, 'compare'], [['a', a], ['b', b], ...subsetParameters(route)])}>
                      {modelName(a)} − {modelName(b)}
                    </a>{' '}
                    {one ? null : <small>{visible(where)}</small>}
                  </th>
                  <td>
                    <Interval estimate={difference} from={-1} label={`${a} minus ${b}`} />
                  </td>
                  <td>
                    {resolved(pair)
                      ? `✓ ${modelName(difference.value > 0 ? a : b)} is better`
                      : '? no clear difference'}
                  </td>
                  <td class="right">{holm === null ? '–' : holm < 0.001 ? small(holm) : holm.toFixed(3)}</td>
                  <td class="right">{q === null ? '–' : formatNumber(q)}</td>
                  <td class="right">{needed === null ? '–' : formatInteger(needed)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}

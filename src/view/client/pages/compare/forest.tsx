import { useMemo } from 'preact/hooks'
import type { CompareDocument } from '../../../api/index.ts'
import { without } from '../../parts/filter-words.ts'
import { formatInteger, formatP, formatValue, plural, points, pValue, visible } from '../../parts/format.ts'
import { Grid } from '../../parts/grid.tsx'
import { Points, Track } from '../../parts/interval.tsx'
import { colourOf } from '../../parts/names.ts'
import { SeriesPlot } from '../../parts/plot.tsx'
import { Empty } from '../../parts/state.tsx'
import { confidenceText, subsetParameters } from '../../parts/subset.tsx'
import { adjustP } from '../../parts/viewed-subsets.ts'
import { linkTo, type Route } from '../../routing.ts'

export const formatEValue = (e: number): string =>
  e >= 1e6 ? 'over a million' : e >= 100 ? formatInteger(Math.round(e)) : e.toFixed(2)

/** An e-value from here on shows it with an error of 5 %, both sides together. */
const E_VALUE_THRESHOLD = 2 / 0.05

/** E-values below this are drawn here: no difference is seen any more. */
const MIN = 0.01

type Found = NonNullable<CompareDocument['found']>

export interface Sides {
  readonly a: string
  readonly b: string
  /** The run of B; null: the same. */
  readonly with: string | null
}

export interface FoundProps {
  readonly route: Route
  readonly run: string
  readonly found: Found
  readonly names: CompareDocument['names']
  readonly sides: Sides
}

/** A difference as text, and how far its axis should reach. */
export const reachOf = (differences: readonly { readonly low: number; readonly high: number }[]): number =>
  Math.min(1, Math.ceil(4 * Math.max(0.1, ...differences.flatMap(({ low, high }) => [-low, high]))) / 4)

/** E-values over the groups; unlike p they are valid at any time. @param views - subsets of items viewed: e is divided by their number. */
export function Evidence({
  found: { overall, evidence },
  names,
  views,
}: Pick<FoundProps, 'found' | 'names'> & { readonly views: number }) {
  const stake = <E extends { readonly a: number; readonly b: number }>(one: E): E => ({
    ...one,
    a: one.a / views,
    b: one.b / views,
  })
  const { a, b, units, unit, path } = stake(evidence)
  // On a logarithmic scale; the line is what decides.
  const points = useMemo(
    () =>
      (['a', 'b'] as const).flatMap((side) =>
        [{ units: 0, a: 1, b: 1 }, ...path.map(stake)].map((step) => {
          const value = Math.max(MIN, step[side])
          return { series: names[side], x: step.units, value, low: value, high: value, title: formatEValue(step[side]) }
        }),
      ),
    [evidence],
  )
  const references = useMemo(
    () => [{ dash: '6 4', points: [0, path.at(-1)?.units ?? 1].map((x) => ({ x, y: E_VALUE_THRESHOLD })) }],
    [evidence],
  )
  const better = a >= E_VALUE_THRESHOLD ? names.a : b >= E_VALUE_THRESHOLD ? names.b : null
  return (
    <>
      <p>
        <Points estimate={overall.difference} bold /> points on all {plural(overall.items, 'shared item')} together,{' '}
        {formatP(adjustP(overall.p, views))}
      </p>
      <p>
        e = <b>{formatEValue(a)}</b> that {visible(names.a)} is better, <b>{formatEValue(b)}</b> that {visible(names.b)}{' '}
        is: {better === null ? 'Not decided' : `✓ ${visible(better)} is better (valid at any time)`}
      </p>
      <SeriesPlot
        x={unit === 'item' ? 'items of one group' : 'groups of items'}
        y="e-value"
        log="y"
        dense
        points={points}
        references={references}
        height={220}
        label={`E-values over ${units} ${unit}s; at the end ${formatEValue(a)} that A is better and ${formatEValue(b)} that B is`}
      />
      <p class="note">
        p is valid for one analysis at a planned number of items. E-values are valid after any item, however often they
        are read: {E_VALUE_THRESHOLD} or more (the line) is wrong in at most 5 % of comparisons. They use{' '}
        {plural(units, unit)} in planned order.
        {views === 1 ? '' : ` p is multiplied by, and e divided by, the ${plural(views, 'subset')} of items.`}
        {unit === 'group' ? '' : ' All items belong to one group: the result says nothing about other groups.'}
      </p>
    </>
  )
}

/** The difference at every level of every feature; significant tasks first. */
export function Levels(props: FoundProps & { readonly views: number }) {
  const { found, names, sides, views } = props
  const levels = found.levels.map((level) => ({ ...level, holm: adjustP(level.holm, views) }))
  if (levels.length === 0)
    return (
      <Empty>
        No level of a feature has {found.fewest} shared items in two groups. Run more items to see where the models
        differ.
      </Empty>
    )
  const reach = reachOf(levels.map(({ difference }) => difference))
  const least = (own: Found['levels']): number => Math.min(...own.map(({ holm }) => holm))
  const byTask = [...Map.groupBy(levels, ({ task }) => task)].sort(([, x], [, y]) => least(x) - least(y))
  return (
    <>
      <p class="note">
        {visible(names.a)} − {visible(names.b)} at each level, with {confidenceText(views)} intervals; the dashed line
        is the whole task. p is adjusted by Holm over all levels; filled marks are significant.
      </p>
      {byTask.map(([task, own]) => {
        const whole = found.tasks.find((one) => one.task === task)?.difference.value
        const lines =
          whole === undefined ? [] : [{ kind: 'all' as const, value: whole, words: `the whole task ${points(whole)}` }]
        return (
          <Grid
            key={task}
            kind="forest"
            label={`Differences by feature, ${visible(task)}`}
            caption={visible(task)}
            rows={own}
            keyOf={({ name, level }) => `${name} ${level}`}
            rowKind={({ name }, at) => (own[at - 1]?.name === name ? '' : 'first')}
            columns={({ marks, numeric, right, rowHead, text }) => [
              rowHead('Feature', ({ name, feature }, at) =>
                own[at - 1]?.name === name ? <span class="hidden">{visible(feature)}</span> : visible(feature),
              ),
              text('Level', (level) => {
                const to = sides.with === null ? itemsLink(props, level) : null
                return to === null ? formatValue(level.level, 40) : <a href={to}>{formatValue(level.level, 40)}</a>
              }),
              marks(`from ${points(-reach)} to ${points(reach)}`, ({ feature, level, difference, holm }) => (
                <Track
                  rows={[
                    {
                      label: `${feature} ${level}, A minus B`,
                      estimate: difference,
                      colour: colourOf(sides.a),
                      hollow: holm >= 0.05,
                    },
                  ]}
                  from={-reach}
                  to={reach}
                  marks={lines}
                  words={points}
                />
              )),
              right('Difference', ({ difference, holm }) => <Points estimate={difference} bold={holm < 0.05} />),
              numeric('Only A, only B', ({ onlyA, onlyB }) => `${formatInteger(onlyA)}, ${formatInteger(onlyB)}`),
              numeric('p', ({ holm }) => pValue(holm)),
            ]}
          />
        )
      })}
    </>
  )
}

/** Items of a level on which the two models differ; null: the level is a range that no filter names. */
function itemsLink({ route, run, sides }: FoundProps, { task, name, level }: Found['levels'][number]): string | null {
  if (level.includes('..')) return null
  const value = level === 'yes' ? 'true' : level === 'no' ? 'false' : level
  // Of several values of a feature any will do: what was selected of this one holds the level.
  const kept = subsetParameters(route).filter(
    ([part, condition]) => part !== 'task' && !(part === 'feature' && without([condition], name).length === 0),
  )
  return linkTo(
    ['r', run, 'items'],
    [['task', task], ['feature', `${name}=${value}`], ['a', sides.a], ['b', sides.b], ['pair', 'differ'], ...kept],
  )
}

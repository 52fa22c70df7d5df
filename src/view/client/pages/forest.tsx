import type { CompareDocument, ShownEffect, ShownEstimate } from '../../api/index.ts'
import { E_VALUE_THRESHOLD, EvidencePath, formatEValue } from '../parts/evidence.tsx'
import { without } from '../parts/filter-words.ts'
import { formatInteger, formatP, formatShare, formatValue, modelName, plural, visible } from '../parts/format.ts'
import { Interval } from '../parts/interval.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty } from '../parts/state.tsx'
import { confidenceText, subsetParameters } from '../parts/subset.tsx'
import { adjustP } from '../parts/viewed-subsets.ts'
import { linkTo, type Route } from '../routing.ts'

type Found = NonNullable<CompareDocument['found']>
type Level = Found['levels'][number]

/** A difference the other way round. */
export const negate = ({ value, low, high, ...rest }: ShownEstimate): ShownEstimate => ({
  ...rest,
  value: 0 - value,
  low: 0 - high,
  high: 0 - low,
})

/** A comparison the other way round. */
export function swapSides({ overall, evidence, tasks, levels, fewest }: Found): Found {
  const side = <E extends { readonly a: number; readonly b: number }>(one: E) => ({ ...one, a: one.b, b: one.a })
  return {
    overall: turnedEffect(overall),
    evidence: { ...side(evidence), path: evidence.path.map(side) },
    tasks: tasks.map(turnedEffect),
    levels: levels.map(turnedEffect),
    fewest,
  }
}

/** A comparison in a subset, adjusted for all subsets viewed: p is multiplied by their number, e-values are divided by it. */
export function adjustForViews(found: Found, views: number): Found {
  const effect = <E extends ShownEffect>(one: E): E => ({ ...one, p: adjustP(one.p, views) })
  const stake = <E extends { readonly a: number; readonly b: number }>(one: E): E => ({
    ...one,
    a: one.a / views,
    b: one.b / views,
  })
  return {
    ...found,
    overall: effect(found.overall),
    evidence: { ...stake(found.evidence), path: found.evidence.path.map(stake) },
    tasks: found.tasks.map(effect),
    levels: found.levels.map((level) => ({ ...effect(level), holm: adjustP(level.holm, views) })),
  }
}

const turnedEffect = <E extends ShownEffect>(one: E): E => ({
  ...one,
  accuracyA: one.accuracyB,
  accuracyB: one.accuracyA,
  difference: negate(one.difference),
  onlyA: one.onlyB,
  onlyB: one.onlyA,
})

interface SideNames {
  readonly a: string
  readonly b: string
  /** Choices of items that the numbers are corrected for. */
  readonly views: number
}

/** E-values over the groups; unlike p they are valid at any time. */
export function Evidence({ found, a, b, views }: { readonly found: Found } & SideNames) {
  const { overall, evidence } = found
  const better = evidence.a >= E_VALUE_THRESHOLD ? a : evidence.b >= E_VALUE_THRESHOLD ? b : null
  return (
    <section>
      <h2>Sequential evidence</h2>
      <p>
        <Interval estimate={overall.difference} from={-1} label="A minus B on all shared items" /> {formatP(overall.p)}
      </p>
      <p>
        e = <b>{formatEValue(evidence.a)}</b> that {modelName(a)} is better, <b>{formatEValue(evidence.b)}</b> that{' '}
        {modelName(b)} is: {better === null ? 'Not decided' : `✓ ${modelName(better)} is better (valid at any time)`}
      </p>
      <EvidencePath
        path={evidence.path}
        units={evidence.unit === 'item' ? 'items of one group' : 'groups of items'}
        label={`E-values over ${evidence.units} ${evidence.unit}s; at the end ${formatEValue(evidence.a)} that A is better and ${formatEValue(evidence.b)} that B is`}
      />
      <p class="note">
        All {plural(overall.items, 'shared item')} together
        {views === 1 ? '' : `; p is multiplied by, and e divided by, the ${plural(views, 'subset')} of items`}. p is
        valid for one analysis at a planned number of items. E-values are valid after any item, however often they are
        read: {E_VALUE_THRESHOLD} or more (the line) is wrong in at most 5 % of comparisons. They use{' '}
        {plural(evidence.units, evidence.unit)} in planned order; A is solid, B is dashed.
      </p>
      {evidence.unit === 'group' ? null : (
        <p class="note">All items belong to one group: the result says nothing about other groups.</p>
      )}
    </section>
  )
}

/** The difference at every level of every feature, as one forest plot per task; significance by Holm over all of them. */
export function Forest({
  route,
  run,
  found,
  a,
  b,
  views,
}: { readonly route: Route; readonly run: string; readonly found: Found } & SideNames) {
  const { levels, tasks, fewest } = found
  if (levels.length === 0)
    return (
      <section>
        <h2>By feature</h2>
        <Empty>
          No level of a feature has {fewest} shared items in two groups. Run more items to see where the models differ.
        </Empty>
      </section>
    )
  const left = levels.filter(({ holm }) => holm < 0.05).length
  const byTask = [...Map.groupBy(levels, ({ task }) => task)]
  return (
    <section>
      <h2>By feature</h2>
      <p class="note">
        {modelName(a)} − {modelName(b)} at each level; the dashed line is the whole task.{' '}
        {plural(levels.length, 'level')} of at least {fewest} shared items {levels.length === 1 ? 'was' : 'were'}{' '}
        tested; p is adjusted by Holm over all of them.{' '}
        {left === 0 ? 'None is' : `${formatInteger(left)} ${left === 1 ? 'is' : 'are'}`} significant (filled dots).
        Intervals are {confidenceText(views)} per level.
      </p>
      {byTask.map(([task, own]) => (
        <details key={task} open={byTask.length < 3 || own.some(({ holm }) => holm < 0.05)}>
          <summary>
            {visible(task)}: {plural(own.length, 'level')},{' '}
            {formatInteger(own.filter(({ holm }) => holm < 0.05).length)} significant
          </summary>
          <TaskForest
            levels={own}
            whole={tasks.find((one) => one.task === task) ?? null}
            link={(level) => itemsLink(route, run, level, a, b)}
          />
        </details>
      ))}
    </section>
  )
}

/** Half width of the axis, in tenths, so that every interval fits. */
const reachOf = (levels: readonly Level[]): number =>
  Math.min(1, Math.ceil(10 * Math.max(...levels.flatMap(({ difference: { low, high } }) => [-low, high, 0.1]))) / 10)

function TaskForest({
  levels,
  whole: all,
  link,
}: {
  readonly levels: readonly Level[]
  readonly whole: ShownEffect | null
  readonly link: (level: Level) => string | null
}) {
  const reach = reachOf(levels)
  const value = all?.difference.value ?? null
  const marks =
    value === null ? [] : [{ kind: 'all' as const, value, words: `the task as a whole ${formatShare(value)}` }]
  return (
    <Scroll label={`Differences by feature, ${visible(levels[0]?.task ?? '')}`}>
      <table class="overview forest">
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Level</th>
            <th scope="col">
              A − B, from −{reach} to {reach}
            </th>
            <th scope="col">Only A, only B right</th>
            <th scope="col">p (Holm)</th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level, number) => {
            const { feature, name, level: at, difference, onlyA, onlyB, holm } = level
            const first = levels[number - 1]?.name !== name
            const to = link(level)
            return (
              <tr key={`${name} ${at}`} class={first ? 'first' : ''}>
                <th scope="row">{first ? visible(feature) : <span class="hidden">{visible(feature)}</span>}</th>
                <td>{to === null ? formatValue(at, 40) : <a href={to}>{formatValue(at, 40)}</a>}</td>
                <td>
                  <Interval
                    estimate={difference}
                    from={-reach}
                    to={reach}
                    marks={marks}
                    hollow={holm >= 0.05}
                    label={`${feature} ${at}, A minus B`}
                  />
                </td>
                <td class="right">
                  {formatInteger(onlyA)}, {formatInteger(onlyB)}
                </td>
                <td class="right">{formatP(holm)}</td>
              </tr>
            )
          })}
        </tbody>
        {all === null ? null : (
          <tfoot>
            <tr>
              <th scope="row">The task</th>
              <td>all</td>
              <td>
                <Interval estimate={all.difference} from={-reach} to={reach} label="The task as a whole, A minus B" />
              </td>
              <td class="right">
                {formatInteger(all.onlyA)}, {formatInteger(all.onlyB)}
              </td>
              <td class="right">{formatP(all.p)} alone</td>
            </tr>
          </tfoot>
        )}
      </table>
    </Scroll>
  )
}

/** Items of a level on which the two models differ; null: the level is a range that no filter names. */
function itemsLink(route: Route, run: string, { task, name, level }: Level, a: string, b: string): string | null {
  if (level.includes('..')) return null
  const value = level === 'yes' ? 'true' : level === 'no' ? 'false' : level
  // Of several values of a feature any will do: what was selected of this one holds the level.
  const kept = subsetParameters(route).filter(
    ([part, condition]) => part !== 'task' && !(part === 'feature' && without([condition], name).length === 0),
  )
  return linkTo(
    ['r', run, 'items'],
    [['task', task], ['feature', `${name}=${value}`], ['a', a], ['b', b], ['pair', 'differ'], ...kept],
  )
}

import { column, splitCamelCase, type Table } from '../../core/index.ts'
import {
  describeDifference,
  type RunComparison,
  type RunMeasureComparison,
  type SetupDifference,
} from '../../lab/index.ts'
import { type Comparison, inTwo, MIN_SHARED } from '../../report/index.ts'
import type { compareFlags, FlagsOf } from '../command-flags.ts'
import { foldersOf, labOf } from '../lab.ts'
import { type Context, exits, plural, print, printJson, printText } from '../output.ts'
import { printTable } from '../run-output.ts'

export default async function compare(
  context: Context,
  { json, plugins, ...request }: FlagsOf<typeof compareFlags>,
  ...paths: readonly string[]
): Promise<void> {
  const [a = '', b] = await foldersOf(context, paths, { plugins })
  const lab = await labOf({ plugins })
  const runs = b === undefined ? ([a] as const) : ([a, b] as const)
  // Of logs whose scores lie between 0 and 1 the means are compared, also where no metric is named.
  const found: RunComparison | RunMeasureComparison = await lab.compare(runs, request)
  if ('effects' in found) return json ? printJson(context, found) : printMetric(context, found)
  if (found.margin !== null && found.margin.state !== 'non-inferior') context.process.exitCode = exits.failed
  if (json) printJson(context, found)
  else printComparison(context, found)
}

function printMetric(context: Context, { a, b, metric, effects, setupDifferences }: RunMeasureComparison): void {
  const columns = [
    column.text('task', 'Task'),
    ...(effects.some(({ kind }) => kind !== null) ? [column.text('kind', 'Kind')] : []),
    column.number('strings', 'Items'),
    column.number('meanA', 'A'),
    column.number('meanB', 'B'),
    column.estimate('difference', 'A − B', null),
    column.text('verdict', ''),
  ]
  const rows = effects.map((effect) => ({ ...effect }))
  print(context, `A  ${a}`, `B  ${b}`, ...differenceLines(setupDifferences), '', `Mean ${splitCamelCase(metric)}`)
  printTable(context, { id: 'effects', title: metric, columns, rows })
}

/** Other differences between the sides, before any number. */
const differenceLines = (unlike: readonly SetupDifference[]): string[] =>
  unlike.length === 0 ? [] : ['', 'Not the same on both sides:', ...unlike.map((one) => `  ${describeDifference(one)}`)]

function printComparison(context: Context, found: RunComparison): void {
  const { a, b, short, verdict, overall, unit, unpaired, sequential, tasks, acrossTasks, byFeature, margin } = found
  const { title, detail } = inTwo(verdict.text)
  const sentences = [title, ...(detail === '' ? [] : [detail])]
  printText(context, `A  ${a}`, `B  ${b}`, ...differenceLines(found.setupDifferences), '', ...sentences)
  if (margin !== null) printText(context, margin.text)
  printText(context, '')
  const rows = tasks.length > 1 ? [{ task: 'all items', ...overall }, ...tasks] : tasks
  const difference = headingOf(short)
  printTable(
    context,
    table(
      'effects',
      rows.map((row) => withWord(row, short)),
      { unit, difference },
    ),
  )
  if (unit === 'pair') printText(context, 'A pair is one item, prompt style and model', '')
  if (unpaired.a + unpaired.b > 0) printText(context, `Unpaired: ${unpairedText(unpaired, unit)}`, '')
  const least = `${MIN_SHARED} shared ${unit}s`
  if (byFeature.length === 0) printText(context, `By feature: no level has ${least}`, '')
  else {
    const holm = `Holm over ${plural(found.comparisons, 'level')}`
    printText(context, `Largest differences by feature (levels of at least ${least}; smallest p first; ${holm})`)
    printTable(context, table('levels', byFeature, { unit, difference, features: true }))
  }
  if (acrossTasks !== null) printText(context, acrossTasksLine(acrossTasks), '')
  // Those of a judge's labels say nothing of what people say.
  if (!overall.difference.method.startsWith(CORRECTED)) printText(context, sequentialLine(sequential))
}

const CORRECTED = 'prediction-powered'

/** Longest heading of a difference. */
const MAX_HEADING = 40

function headingOf({ a, b }: Comparison['short']): string {
  const heading = `${a} − ${b}`
  return heading.length > MAX_HEADING ? 'A − B' : heading
}

/** A row with its verdict in one word. */
const withWord = ({ verdict, ...row }: Comparison['tasks'][number], short: Comparison['short']) => ({
  ...row,
  word:
    verdict.winner !== null
      ? `${short[verdict.winner]} better`
      : verdict.kind === 'inconclusive'
        ? 'no clear difference'
        : verdict.kind.replaceAll('-', ' '),
})

/** Items that only one side has. */
const unpairedText = ({ a, b }: Comparison['unpaired'], unit: Comparison['unit']): string =>
  [...(a === 0 ? [] : [`${plural(a, 'item')} only in A`]), ...(b === 0 ? [] : [`${plural(b, 'item')} only in B`])]
    .join(', ')
    .concat(unit === 'pair' ? ', counted per style and model' : '')

/** E-values are valid at any time; p only for one planned analysis. */
function sequentialLine({ units, unit, a, b }: Comparison['sequential']): string {
  const e = (value: number): string => (value >= 1000 ? value.toExponential(1) : value.toFixed(2))
  return `e-values after ${plural(units, unit)} (valid at any time; 40 = error 5 %): A better ${e(a)}, B better ${e(b)}`
}

/** What the mean over tasks, which stands in the verdict, says of further tasks. */
function acrossTasksLine({ effect, p, tau: between, prediction }: NonNullable<Comparison['acrossTasks']>): string {
  const to3 = (value: number): string => value.toFixed(3)
  const further =
    prediction.kind === 'interval'
      ? `prediction interval for a new task [${to3(prediction.low)}, ${to3(prediction.high)}]`
      : 'no prediction interval: two tasks are too few'
  const spread = `SD between tasks (tau) ${to3(between.value)} [${to3(between.low)}, ${to3(between.high)}]`
  return `Tasks in general, of which these ${effect.n} are a sample: p = ${p < 0.001 ? p.toExponential(1) : to3(p)}; ${spread}; ${further}`
}

const table = (
  id: string,
  rows: Table['rows'],
  {
    unit,
    difference,
    features = false,
  }: { readonly unit: Comparison['unit']; readonly difference: string; readonly features?: boolean },
): Table => ({
  id,
  title: id,
  columns: [
    column.text('task', 'Task'),
    ...(features ? [column.text('feature', 'Feature'), column.text('level', 'Level')] : []),
    column.number('items', unit === 'item' ? 'Items' : 'Pairs'),
    column.share('accuracyA', 'A'),
    column.share('accuracyB', 'B'),
    column.estimate('difference', difference),
    column.number('onlyA', 'Only A'),
    column.number('onlyB', 'Only B'),
    column.number('p', 'p'),
    column.number('holm', 'p (Holm)'),
    ...(features ? [] : [column.text('word', 'Verdict')]),
  ],
  rows,
})

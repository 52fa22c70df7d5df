import { buildCommand } from '@stricli/core'
import { column, splitCamelCase, type Table, UsageError } from '../../core/index.ts'
import type { RunComparison, RunMeasureComparison, Unlike } from '../../lab/index.ts'
import { unlikeWords } from '../../lab/unlike.ts'
import type { Comparison } from '../../report/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { labOf } from '../lab.ts'
import { between } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { foldersOf } from '../stored.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly model?: readonly string[]
  readonly style?: readonly string[]
  readonly parser?: string
  readonly measure?: string
  readonly where?: string
  readonly margin?: number
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const compare = buildCommand<Flags, string[], Context>({
  docs: {
    brief: 'Two runs, models or styles on the items that both were asked',
    fullDescription:
      'touchstone compare RUN_A RUN_B, or touchstone compare RUN --model A --model B, or --style A --style B: B - A with an ' +
      'interval over groups, where it is largest, and how many items would resolve it. With --margin 0.02 the exit code is 0 only ' +
      'where B is shown to be worse by less than two points: for continuous integration. Scored strings are compared by --measure natsPerTerminal ' +
      'and the like.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'One run folder, or two', parse: text, placeholder: 'run' },
      minimum: 1,
      maximum: 2,
    },
    flags: {
      model: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'Once: of both runs; twice: A and B',
      },
      style: { kind: 'parsed', parse: text, optional: true, variadic: true, brief: 'Once: of both; twice: A and B' },
      parser: { kind: 'parsed', parse: text, optional: true, brief: 'Whose verdicts count; left out: strict' },
      measure: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Compare scored strings by this, e.g. natsPerTerminal',
      },
      where: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'A SQL condition over the columns of the rows, such as "feature_length > 7"',
      },
      margin: {
        kind: 'parsed',
        parse: between(0, 1, 0.02),
        optional: true,
        brief: 'How much worse B may be, e.g. 0.02; else exit code 1',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, ...folders) {
    const [a, b] = await foldersOf(this, folders, flags.plugin)
    if (a === undefined) throw new UsageError('name a run folder, or two')
    const lab = await labOf(flags)
    const runs = b === undefined ? ([a] as const) : ([a, b] as const)
    const sides = {
      ...(flags.model === undefined ? {} : { models: flags.model }),
      ...(flags.style === undefined ? {} : { styles: flags.style }),
      ...(flags.where === undefined ? {} : { where: flags.where }),
    }
    if (flags.measure !== undefined) {
      if (flags.parser !== undefined || flags.margin !== undefined)
        throw new UsageError(
          '--measure is of scored strings, which have no parser, and what is worse depends on the measure: leave out --parser and --margin',
        )
      const measured = await lab.compareMeasure(runs, { ...sides, measure: flags.measure })
      return flags.json ? printJson(this, measured) : printMeasured(this, measured)
    }
    const found = await lab.compare(runs, {
      ...sides,
      ...(flags.parser === undefined ? {} : { parser: flags.parser }),
      ...(flags.margin === undefined ? {} : { margin: flags.margin }),
    })
    if (found.margin !== null && found.margin.state !== 'non-inferior') this.process.exitCode = exits.failed
    if (flags.json) return printJson(this, found)
    await printComparison(this, found)
  },
})

async function printMeasured(context: Context, { a, b, metric, effects, unlike }: RunMeasureComparison) {
  const { plainTable } = await import('../../report/index.ts')
  const columns = [
    column.text('task', 'Task'),
    ...(effects.some(({ kind }) => kind !== null) ? [column.text('kind', 'Kind')] : []),
    column.number('strings', 'Strings'),
    column.number('meanA', 'A'),
    column.number('meanB', 'B'),
    column.estimate('difference', 'B - A', null),
    column.text('verdict', ''),
  ]
  const rows = effects.map((effect) => ({ ...effect }))
  print(
    context,
    `A  ${a}`,
    `B  ${b}`,
    ...unlikeLines(unlike),
    '',
    `Mean ${splitCamelCase(metric)}`,
    plainTable({ id: 'effects', title: metric, columns, rows }),
  )
}

/** What else a difference may be of, before anything is said of it. */
const unlikeLines = (unlike: readonly Unlike[]): string[] =>
  unlike.length === 0 ? [] : ['', 'Not the same on both sides:', ...unlike.map((one) => `  ${unlikeWords(one)}`)]

async function printComparison(context: Context, found: RunComparison) {
  const { a, b, overall, unit, unpaired, sequential, tasks, acrossTasks, byFeature, comparisons, margin, unlike } =
    found
  const { plainTable } = await import('../../report/index.ts')
  print(
    context,
    `A  ${a}`,
    `B  ${b}`,
    ...unlikeLines(unlike),
    '',
    plainTable(table('effects', tasks.length > 1 ? [{ task: 'all', ...overall }, ...tasks] : tasks, unit)),
  )
  if (unit === 'pair') print(context, 'A pair is of one item, style and model: an item may have several', '')
  if (unpaired.a + unpaired.b > 0) print(context, `Left out: ${aloneOf(unpaired, unit)}`, '')
  if (byFeature.length > 0)
    print(
      context,
      `Where they differ, least p first, of ${comparisons} ${comparisons === 1 ? 'level' : 'levels'} that Holm corrects for`,
      plainTable(table('levels', byFeature, unit, true)),
    )
  if (acrossTasks !== null) print(context, ...overTasks(acrossTasks), '')
  print(context, evidenceOf(sequential))
  if (sequential.unit === 'item')
    print(context, 'All items are of one group: this holds for that group, and tells nothing of others like it')
  print(context, verdictLine(found))
  if (margin !== null) print(context, `B is worse by less than ${margin.margin}: ${margin.state}`)
}

/** What holds on these items; where tasks like them say otherwise, that and why. */
function verdictLine({ overall, unit, verdict, verdictOverTasks }: Comparison): string {
  const { powerRatio, needed, items } = overall
  const more =
    powerRatio === null || needed === null
      ? ''
      : needed === 0
        ? ` (${powerRatio.toFixed(1)} times the items needed for a difference of this size)`
        : ` (${verdict === 'not resolved' ? '' : 'by a narrow margin: '}with ${needed} more ${unit}s a difference of this size would be seen in 80 % of runs)`
  if (verdictOverTasks === null || verdictOverTasks === verdict) return `${verdict}${more}`
  const other = verdictOverTasks === 'not resolved' ? 'it is not resolved who is' : verdictOverTasks
  return `${verdict} on these ${items} ${unit}s put together${more}; over tasks like these ${other}: there each task counts as one of many that could have been asked, however many ${unit}s it has`
}

/** What cannot be compared. */
const aloneOf = ({ a, b }: Comparison['unpaired'], unit: Comparison['unit']): string =>
  [
    [a, 'A'],
    [b, 'B'],
  ]
    .flatMap(([n, side]) => (n === 0 ? [] : [`${n} ${n === 1 ? 'item' : 'items'} that only ${side} answered`]))
    .join(', ')
    .concat(unit === 'pair' ? ', each counted once a style and model' : '')

/** E-values stand beside p, which holds for one look only. */
function evidenceOf({ units, unit, better, worse }: Comparison['sequential']): string {
  const e = (value: number): string => (value >= 1000 ? value.toExponential(1) : value.toFixed(2))
  return `Evidence that may be looked at at any time, of ${units} ${unit}s: e = ${e(better)} that B is better, ${e(worse)} that A is; 40 shows it with an error of 5 %`
}

/** What tasks say together, and what so few of them cannot. */
function overTasks({ effect, p, tau: between, prediction }: NonNullable<Comparison['acrossTasks']>): string[] {
  const to3 = (value: number): string => value.toFixed(3)
  const spread = `tasks differ by ${to3(between.value)} [${to3(between.low)}, ${to3(between.high)}] (standard deviation)`
  const further =
    prediction.kind === 'interval'
      ? `on a further task it lies in [${to3(prediction.low)}, ${to3(prediction.high)}]`
      : 'two tasks do not show how widely tasks differ: nothing can be said of a third'
  return [
    `Over ${effect.n} tasks, as a sample of tasks like them, B - A is ${to3(effect.value)} [${to3(effect.low)}, ${to3(effect.high)}], p = ${p < 0.001 ? p.toExponential(1) : to3(p)}`,
    `  ${spread}; ${further}`,
  ]
}

const table = (id: string, rows: Table['rows'], unit: Comparison['unit'], features = false): Table => ({
  id,
  title: id,
  columns: [
    column.text('task', 'Task'),
    ...(features ? [column.text('feature', 'Feature'), column.text('level', 'Level')] : []),
    column.number('items', unit === 'item' ? 'Items' : 'Pairs'),
    column.share('accuracyA', 'A'),
    column.share('accuracyB', 'B'),
    column.estimate('difference', 'B - A'),
    column.number('onlyA', 'Only A'),
    column.number('onlyB', 'Only B'),
    column.number('p', 'p'),
    ...(features ? [column.number('holm', 'p (Holm)')] : []),
  ],
  rows,
})

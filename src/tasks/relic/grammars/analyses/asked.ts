import { column, type Estimate, type Frame, memoizeWeak } from '../../../../core/index.ts'
import {
  correctness,
  type LinearFit,
  type LogisticFit,
  scores,
  systemsIn,
} from '../../../../libraries/statistics/index.ts'

/** Columns that every analysis of responses to tasks of the family reads. */
export const NEEDS = ['task', 'model', 'status', 'score', 'group', 'item']
export const arm = [column.text('task', 'Task'), column.text('model', 'Model')]

/** A response with what its item asks: rules to find, and the items of a chart to write down. */
export interface Asked {
  readonly row: number
  readonly group: number
  readonly item: number
  readonly right: number
  readonly rules: number
  readonly work: number
  /** Tokens, of baselines steps; NaN where neither is known. */
  readonly tokens: number
}

interface Arm {
  readonly task: string
  readonly model: string
  readonly asked: readonly Asked[]
}

/** The column of that name, else the other, where rows have it. */
function either(frame: Frame, name: string, other: string): Float64Array {
  const of = (one: string) => (frame.has(one) ? frame.number(one) : new Float64Array(frame.length).fill(Number.NaN))
  const [first, second] = [of(name), of(other)]
  return first.map((value, row) => (Number.isNaN(value) ? (second[row] as number) : value))
}

/** Test-time compute per row: counted tokens, for a baseline its steps; NaN where neither is known. */
export const tokensUsed = (frame: Frame): Float64Array => either(frame, 'output_tokens', 'steps')

/** Responses of each model to each task of the family, to items whose rules and work are known. */
export const armsOf: (frame: Frame) => readonly Arm[] = memoizeWeak((frame) => {
  const right = correctness(scores(frame))
  const work = either(frame, 'feature_work', 'feature_entries')
  const known = either(frame, 'feature_rules', 'feature_nonlexical')
  // Items of recognize count binary and lexical rules apart, the others all rules.
  const lexical = either(frame, 'feature_rules', 'feature_lexical')
  const rules = known.map((count, row) => (count === lexical[row] ? count : count + (lexical[row] as number)))
  const tokens = tokensUsed(frame)
  const [tasks, groups, items] = [frame.category('task'), frame.category('group'), frame.category('item')]
  return tasks.levels.flatMap((task, code) =>
    systemsIn(frame).flatMap(({ model, rows }) => {
      const asked = Array.from(rows, (row) => ({
        row,
        group: groups.codes[row] as number,
        item: items.codes[row] as number,
        right: right[row] as number,
        rules: rules[row] as number,
        work: work[row] as number,
        tokens: tokens[row] as number,
      })).filter((one) => tasks.codes[one.row] === code && !Number.isNaN(one.right) && one.work > 0 && one.rules > 0)
      return asked.length === 0 || !task.startsWith('relic/') ? [] : [{ task, model, asked }]
    }),
  )
})

export const inGroups = (asked: readonly Asked[]): readonly (readonly Asked[])[] => [
  ...Map.groupBy(asked, ({ group }) => group).values(),
]

/** Bands of rules (four times) and of work (doublings). */
export const bandOf = (value: number, base: number): { readonly at: number; readonly name: string } => {
  const at = Math.floor(Math.log2(value) / Math.log2(base))
  return { at, name: `${base ** at}–${base ** (at + 1) - 1}` }
}
export const cellOf = ({ rules, work }: Asked): string => `${bandOf(rules, 4).at} ${bandOf(work, 2).at}`

/** The slope of a variable of a fit. */
export function slopeOf(fit: LinearFit | LogisticFit, name: string, method: string): Estimate | null {
  const found = fit.coefficients.find((coefficient) => coefficient.name === name)
  return found === undefined ? null : { value: found.estimate, low: found.low, high: found.high, n: fit.n, method }
}

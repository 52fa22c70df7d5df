import { type Analysis, column, type Estimate, type Frame, optional, table } from '../../../core/index.ts'
import {
  allRows,
  bySystem,
  correctness,
  design,
  linear,
  logistic,
  scores,
  systems,
} from '../../../libraries/statistics/index.ts'

const { text, number, estimate } = column
const NEEDS = ['model', 'status', 'score', 'group', 'feature_work', 'feature_rules']

/**
 * Which dial hurts: the change of the log odds of a correct answer for twice the rules and twice the work, and the exponent
 * of tokens over work.
 */
export const dials = (task: string): Analysis => ({
  id: `relic/dials-${task}`,
  title: 'Rules to find against work to do',
  notes: [
    'Log odds: change of the log odds of a correct answer when rules or work double; both in one model.',
    'Exponent b of tokens = a work^b by log-log least squares: 1 for an exact reader, below 1 where effort falls behind.',
    'Intervals count grammars as independent.',
  ],
  needs: NEEDS,
  run(frame) {
    const right = correctness(scores(frame))
    const work = frame.number('feature_work')
    const tokens = frame.has('output_tokens') ? frame.number('output_tokens') : null
    const slopes = table(
      `relic/dials-${task}`,
      'What rules and work cost',
      [
        text('model', 'Model'),
        number('n', 'Responses'),
        optional(estimate('rules', 'Log odds, rules doubled', null)),
        optional(estimate('work', 'Log odds, work doubled', null)),
        optional(estimate('exponent', 'Exponent of tokens over work', null)),
      ],
      bySystem(systems(frame), allRows(frame)).flatMap(({ contestant, rows }) => {
        const known = rows.filter((row) => !Number.isNaN(right[row]!) && work[row]! > 0)
        const odds = logOdds(frame, known, right)
        const exponent = exponentOf(frame, known, tokens)
        const isEmpty = odds.work === null && exponent === null
        return isEmpty ? [] : [{ model: contestant, n: known.length, ...odds, exponent }]
      }),
    )
    return { tables: [slopes] }
  },
})

const none = { rules: null, work: null }

function logOdds(
  frame: Frame,
  rows: Int32Array,
  right: Float64Array,
): { rules: Estimate | null; work: Estimate | null } {
  const [rules, work] = ['feature_rules', 'feature_work'].map((name) =>
    Array.from(rows, (row) => Math.log2(frame.number(name)[row]!)),
  ) as [number[], number[]]
  const varies = new Set(rules).size > 1
  const variables = { work: { kind: 'numeric', values: work }, rules: { kind: 'numeric', values: rules } } as const
  const fit = logistic(
    design(variables, varies ? [['work'], ['rules']] : [['work']]),
    Array.from(rows, (row) => right[row]!),
    { clusters: clustersOf(frame, rows) },
  )
  if (fit.kind === 'unfit') return none
  const one = (name: string): Estimate | null => {
    const found = fit.coefficients.find((coefficient) => coefficient.name === name)
    return found === undefined
      ? null
      : {
          value: found.estimate,
          low: found.low,
          high: found.high,
          n: fit.n,
          method: `logistic regression, ${fit.errors}`,
        }
  }
  return { rules: one('rules'), work: one('work') }
}

function exponentOf(frame: Frame, rows: Int32Array, tokens: Float64Array | null): Estimate | null {
  if (tokens === null) return null
  const known = rows.filter((row) => tokens[row]! > 0)
  const work = Array.from(known, (row) => Math.log(frame.number('feature_work')[row]!))
  if (known.length < 10 || new Set(work).size < 4) return null
  const fit = linear(
    design({ work: { kind: 'numeric', values: work } }, [['work']]),
    Array.from(known, (row) => Math.log(tokens[row]!)),
    { clusters: clustersOf(frame, known) },
  )
  const slope = fit.kind === 'unfit' ? undefined : fit.coefficients[1]
  return slope === undefined
    ? null
    : {
        value: slope.estimate,
        low: slope.low,
        high: slope.high,
        n: known.length,
        method: 'least squares over grammars',
      }
}

const clustersOf = (frame: Frame, rows: Int32Array): Int32Array => {
  const { codes } = frame.category('group')
  return Int32Array.from(rows, (row) => codes[row]!)
}

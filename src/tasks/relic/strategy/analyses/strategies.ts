import { type Analysis, column, type Frame, figure, marksBy, table } from '../../../../core/index.ts'
import {
  analysisStream,
  clusterBootstrap,
  clustering,
  design,
  logistic,
  mean,
  sum,
  systemsIn,
  take,
} from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/tallies.ts'
import { strategies as named } from '../prompt.ts'
import { bands, byJudgedModel, numbersIn, rowsWith, shareOf } from './judgements.ts'

const UNPARSED = 'unparsed'
const LABELS = [...named, UNPARSED] as const

/**
 * Cohen's kappa of embedded judges with the 12,001 released judgements of o4-mini: over all, and of gpt-4.1-nano, gpt-4.1-mini
 * and gpt-4.1. `reader`: each grammar with weights fitted to other grammars.
 */
const MEASURED: {
  readonly [judge: string]: {
    readonly all: number
    readonly nano: number
    readonly mini: number
    readonly full: number
  }
} = {
  'baseline:reader': { all: 0.52, nano: 0.23, mini: 0.56, full: 0.43 },
  'baseline:checker': { all: 0.24, nano: 0.18, mini: 0.32, full: -0.07 },
  'baseline:published': { all: 0.37, nano: 0.09, mini: 0.48, full: 0.43 },
}

const { text, number, estimate } = column

/** Strategies of chains of thought, by the length of the string. */
export const strategies: Analysis = {
  id: 'relic/strategies',
  title: 'Strategies of chains of thought',
  source: { paper: PAPER, item: 'Figure 6 (bottom)' },
  notes: [
    'Shares of the judged responses, unparsed judgements included; CIs clustered by grammar. Equal numbers per judged model, length and class.',
    'Share by the trace checker: what can be proved of the same responses; a judge whose shares differ from it is wrong at least there.',
    'The paper counts code with the rules, and joins judgements by a number that restarts in each grammar; here they stay with their response.',
  ],
  needs: ['item', 'model', 'group', 'status', 'prediction', 'target', 'feature_respondent', 'feature_length'],
  run(frame, options) {
    const judges = systemsIn(frame)
    const sets = judges.flatMap(({ model: judge, rows }) =>
      byJudgedModel(frame, rows).map(([judgedModel, inside]) => ({ judge, judgedModel, rows: inside })),
    )
    const labelOf = labelsIn(frame)
    const hasLabel = new Map(
      LABELS.map((label) => [
        label,
        Float64Array.from({ length: frame.length }, (_, row) => Number(labelOf(row) === label)),
      ]),
    )
    const shareWith = (rows: Int32Array, label: (typeof LABELS)[number]) =>
      shareOf(frame, hasLabel.get(label) as Float64Array, rows)
    const { codes, levels } = frame.category('target')
    const checkedAs = (strategy: string) => {
      const code = levels.indexOf(strategy)
      return Float64Array.from(codes, (own) => Number(own === code && code >= 0))
    }
    const correct = numbersIn(frame, 'feature_right')
    const overall = table(
      'relic/strategies-overall',
      'Strategies, and their accuracy',
      [
        text('judge', 'Judge'),
        text('judgedModel', 'Judged model'),
        text('strategy', 'Strategy'),
        number('responses', 'Responses'),
        estimate('share', 'Share'),
        estimate('checked', 'Share by the trace checker'),
        estimate('accuracy', 'Accuracy (parsed only)'),
      ],
      sets.flatMap(({ rows, ...key }) =>
        LABELS.flatMap((strategy) => {
          const inside = rows.filter((row) => labelOf(row) === strategy)
          if (inside.length === 0) return []
          const accuracy = shareOf(frame, correct, rowsWith(frame, inside, 'feature_right'))
          const checked = shareOf(frame, checkedAs(strategy), rows)
          return [{ ...key, strategy, responses: inside.length, share: shareWith(rows, strategy), checked, accuracy }]
        }),
      ),
    )
    const byLength = table(
      'relic/strategies',
      'Strategies by length',
      [
        text('judge', 'Judge'),
        text('judgedModel', 'Judged model'),
        text('panel', 'Panel'),
        text('lengths', 'Lengths'),
        number('length', 'Middle', 'tokens'),
        text('strategy', 'Strategy'),
        estimate('share', 'Share'),
      ],
      sets.flatMap(({ rows, ...key }) => {
        const panel = judges.length === 1 ? key.judgedModel : `${key.judgedModel} (${key.judge})`
        const anyUnparsed = rows.some((row) => labelOf(row) === UNPARSED)
        return bands(frame, rows).flatMap(({ rows: inside, ...band }) =>
          LABELS.filter((label) => label !== UNPARSED || anyUnparsed).map((strategy) => ({
            ...key,
            panel,
            ...band,
            strategy,
            share: shareWith(inside, strategy),
          })),
        )
      }),
    )
    const shift = table(
      'relic/strategy-shift',
      'Work at which half of the responses are rule-based',
      [
        text('judge', 'Judge'),
        text('judgedModel', 'Judged model'),
        estimate('lookups', 'Look-ups of an exact chart', null),
        estimate('length', 'Length, tokens', null),
      ],
      frame.has('feature_lookups')
        ? sets.map(({ rows, ...key }) => ({
            ...key,
            ...Object.fromEntries(
              (['lookups', 'length'] as const).map((name) => [
                name,
                halfRuleBased(frame, rows, name, hasLabel.get('rule-based') as Float64Array, options.seed),
              ]),
            ),
          }))
        : [],
    )
    const measured = judges.flatMap(({ model: judge }) => {
      const kappa = MEASURED[judge]
      return kappa === undefined ? [] : [{ judge, ...kappa }]
    })
    const agreement = table(
      'relic/strategies-agreement',
      'Embedded judges against the released judgements of o4-mini (Cohen’s kappa)',
      [
        text('judge', 'Judge'),
        number('all', '12,001 responses'),
        number('nano', 'gpt-4.1-nano'),
        number('mini', 'gpt-4.1-mini'),
        number('full', 'gpt-4.1'),
      ],
      measured,
    )
    const kappas = measured.map(({ judge, all }) => `${judge}: kappa ${all} with o4-mini`).join('; ')
    const curve = figure(byLength, {
      id: 'relic/figure6-bottom',
      title: `Strategies by length${kappas === '' ? '' : ` (${kappas})`}`,
      x: { key: 'length', label: 'Length' },
      y: { key: 'share', label: 'Share of responses' },
      facet: 'panel',
      marks: marksBy('strategy', 'interval', 'line'),
    })
    return { tables: [overall, byLength, shift, ...(measured.length === 0 ? [] : [agreement])], figures: [curve] }
  },
}

/** Bins of a quantity over which the share is fitted. */
const BINS = 20

/** Where the share of rule-based responses passes one half, by logistic regression on log(1 + x); intervals by bootstrap over grammars. */
function halfRuleBased(frame: Frame, rows: Int32Array, name: string, isRuleBased: Float64Array, seed: number) {
  const values = frame.number(`feature_${name}`)
  const known = rowsWith(frame, rows, `feature_${name}`).toSorted(
    (a, b) => (values[a] as number) - (values[b] as number),
  )
  const bins = Array.from({ length: BINS }, (_, b) =>
    known.slice((b * known.length) / BINS, ((b + 1) * known.length) / BINS),
  ).filter((inside) => inside.length > 0)
  const x = bins.map((inside) => mean(Array.from(inside, (row) => Math.log1p(values[row] as number))))
  const greatest = Math.log1p(values[known.at(-1) as number] ?? 0)
  const { of, count } = clustering(take(frame.category('group').codes, known))
  const place = new Map([...known].map((row, at) => [row, of[at] as number]))
  const half = (counts: ArrayLike<number>): number | null => {
    const weights = bins.map((inside) => Array.from(inside, (row) => counts[place.get(row) as number] as number))
    const trials = weights.map((own) => sum(own))
    const right = weights.map((own, b) => sum(own.map((w, i) => w * (isRuleBased[bins[b]?.[i] as number] as number))))
    const used = trials.flatMap((n, b) => (n > 0 ? [b] : []))
    const at = (list: readonly number[]) => used.map((b) => list[b] as number)
    const fit = logistic(
      design({ x: { kind: 'numeric', values: at(x) } }, [['x']]),
      used.map((b) => (right[b] as number) / (trials[b] as number)),
      { trials: at(trials) },
    )
    const [start, slope] = fit.kind === 'unfit' ? [] : fit.coefficients.map(({ estimate: value }) => value)
    // The fit is not extrapolated beyond the largest observed value.
    return start === undefined || slope === undefined || slope >= 0
      ? null
      : Math.max(0, Math.expm1(Math.min(-start / slope, greatest)))
  }
  return clusterBootstrap(count, known.length, half, {
    stream: analysisStream(seed, `relic/strategy-shift/${name}`),
    draws: 100,
  })
}

/** The label of each row; `unparsed` where the judgement was not parsed. */
function labelsIn(frame: Frame): (row: number) => string {
  const [state, answer] = [frame.category('status'), frame.category('prediction')]
  const graded = state.levels.indexOf('graded')
  return (row) => (state.codes[row] === graded ? (answer.levels[answer.codes[row] as number] ?? UNPARSED) : UNPARSED)
}

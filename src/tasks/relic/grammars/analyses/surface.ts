import { type Analysis, column, figure, heatMarks, marksBy, optional, table } from '../../../../core/index.ts'
import { design, logistic, mean } from '../../../../libraries/statistics/index.ts'
import { type Asked, arm, armsOf, bandOf, cellOf, NEEDS, slopeOf } from './asked.ts'

const { text, number, share, estimate } = column

/** Numbers of rules at which the table gives the work with even odds of a correct answer. */
const AT_RULES = [100, 1000] as const

/** Which dial hurts: the surface of accuracy over rules to find and work to do. */
export const surface: Analysis = {
  id: 'relic/surface',
  title: 'Rules to find against work to do',
  notes: [
    'Log odds: change of the log odds of a correct answer when rules (retrieval) or work (composition) double; both in one logistic model. Intervals count grammars as independent.',
    'Work at even odds: where that model gives one half, within the work that was asked.',
  ],
  needs: NEEDS,
  run(frame) {
    const arms = armsOf(frame).map((one) => ({ ...one, fit: logOdds(one.asked) }))
    const slopes = table(
      'relic/dials',
      'What rules and work cost',
      [
        ...arm,
        number('n', 'Responses'),
        optional(estimate('rules', 'Log odds, rules doubled', null)),
        optional(estimate('work', 'Log odds, work doubled', null)),
        ...AT_RULES.map((rules) => optional(number(`at${rules}`, `Work at even odds, ${rules} rules`, 'items'))),
      ],
      arms.map(({ task, model, asked, fit }) => ({
        task,
        model,
        n: asked.length,
        rules: fit?.rules ?? null,
        work: fit?.work ?? null,
        ...Object.fromEntries(AT_RULES.map((rules) => [`at${rules}`, fit?.evenAt(rules) ?? null])),
      })),
    )
    const several = new Set(arms.map(({ task }) => task)).size > 1
    const cells = table(
      'relic/surface',
      'Accuracy by rules and work',
      [
        ...arm,
        text('panel', 'Panel'),
        text('rules', 'Rules'),
        text('work', 'Work'),
        number('n', 'Responses'),
        share('accuracy', 'Accuracy'),
      ],
      arms
        .filter(({ fit }) => fit !== null)
        .flatMap(({ task, model, asked }) =>
          [...Map.groupBy(asked, cellOf).values()].map((inside) => ({ task, model, inside })),
        )
        .toSorted((a, b) => a.inside[0]!.rules - b.inside[0]!.rules)
        .toSorted((a, b) => bandOf(a.inside[0]!.work, 2).at - bandOf(b.inside[0]!.work, 2).at)
        .map(({ task, model, inside }) => ({
          task,
          model,
          panel: several ? `${task.slice('relic/'.length)}, ${model}` : model,
          rules: bandOf(inside[0]!.rules, 4).name,
          work: bandOf(inside[0]!.work, 2).name,
          n: inside.length,
          accuracy: mean(inside.map(({ right }) => right)),
        })),
    )
    const contour = table(
      'relic/contour',
      'Work at which a model is as often right as wrong',
      [...arm, number('rules', 'Rules'), number('work', 'Work at even odds', 'items')],
      arms.flatMap(({ task, model, asked, fit }) => {
        const [least, most] = extremes(asked.map(({ rules }) => rules))
        return Array.from({ length: 9 }, (_, k) => least * (most / least) ** (k / 8)).flatMap((rules) => {
          const work = fit?.evenAt(rules) ?? null
          return work === null || most <= least ? [] : [{ task, model, rules: Math.round(rules), work }]
        })
      }),
    )
    const log = (key: string) => ({ key, scale: 'log' }) as const
    return {
      tables: [slopes, cells, contour],
      figures: [
        figure(contour, { x: log('rules'), y: log('work'), facet: 'task', marks: marksBy('model', 'line') }),
        figure(cells, {
          x: { key: 'work', scale: 'category' },
          y: { key: 'rules', scale: 'category' },
          facet: 'panel',
          marks: heatMarks('accuracy'),
        }),
      ],
    }
  },
}

const extremes = (values: readonly number[]): readonly [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )

function logOdds(asked: readonly Asked[]) {
  const varies = new Set(asked.map(({ rules }) => rules)).size > 1
  const values = (of: (one: Asked) => number) =>
    ({ kind: 'numeric', values: asked.map((one) => Math.log2(of(one))) }) as const
  const variables = { work: values(({ work }) => work), rules: values(({ rules }) => rules) }
  const fit = logistic(
    design(variables, varies ? [['work'], ['rules']] : [['work']]),
    asked.map(({ right }) => right),
    { clusters: Int32Array.from(asked, ({ group }) => group) },
  )
  if (fit.kind === 'unfit') return null
  const [rules, work] = ['rules', 'work'].map((name) => slopeOf(fit, name, `logistic regression, ${fit.errors}`))
  const [least, most] = extremes(asked.map((item) => item.work))
  const evenAt = (count: number): number | null => {
    const even =
      2 ** (-((fit.coefficients[0]?.estimate ?? 0) + (rules?.value ?? 0) * Math.log2(count)) / (work?.value ?? 0))
    return even >= least && even <= most ? Math.round(even) : null
  }
  return { rules, work, evenAt }
}

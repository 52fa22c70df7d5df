import { type Analysis, column, figure, marksBy, table } from '../../../core/index.ts'
import { atDistance, matchedAuc } from './auc-of.ts'
import { curvesOf, language, needs, outsideDistances, pointsOf, seriesIn } from './contexts.ts'
import { languageLoss } from './losses.ts'

/** How in-context learning is acquired: series of checkpoints, against training steps and examples. */
export const acquisition: Analysis = {
  id: 'proficiency/acquisition',
  title: 'Acquisition over checkpoints',
  notes: [
    'Series: models named NAME@STEP (tiny:40k@320), or with the attribute step. Each is scored in context like any other model.',
    'Loss of the language in nats per string; length-matched AUC at the smallest distance. Figures: the fewest and the most examples.',
  ],
  needs,
  run(frame) {
    const stepOf = seriesIn(frame, 'step', /^(?<series>.+)@(?<value>\d+)$/u)
    const curves = curvesOf(frame).filter(({ model }) => stepOf(model) !== null)
    const [distance] = outsideDistances(curves)
    const endsOf = new Map(
      curves.map(({ model, language: of, byK }) => [
        `${model}\n${of}`,
        [Math.min(...byK.keys()), Math.max(...byK.keys())],
      ]),
    )
    const rows = pointsOf(curves).flatMap(({ model, language: of, k, contexts }) => {
      const found = stepOf(model)
      if (found === null) return []
      const { series, value: step } = found
      return [
        {
          series,
          language: of,
          step,
          drawn: endsOf.get(`${model}\n${of}`)?.includes(k) === true ? step : null,
          k,
          line: `${series}, ${k} ${k === 1 ? 'example' : 'examples'}`,
          nats: languageLoss(contexts, 'string'),
          ...matchedAuc(contexts, atDistance(distance ?? '')),
        },
      ]
    })
    if (new Set(rows.map(({ step }) => step)).size < 2) return { tables: [] }
    const steps = table(
      'proficiency/acquisition',
      'Loss and AUC by training steps and examples in context',
      [
        column.text('series', 'Series'),
        language,
        column.number('step', 'Step'),
        column.number('k', 'Examples'),
        column.estimate('nats', 'Loss per string', 'nats'),
        column.estimate('matched', 'Length-matched AUC at the smallest distance', 'share'),
        column.number('pairs', 'Pairs of equal length'),
      ],
      rows.sort((a, b) => a.step - b.step),
    )
    const curveOf = (key: 'nats' | 'matched', label: string) =>
      figure(steps, {
        id: `${steps.id}-${key}`,
        title: `${label} by training steps`,
        x: { key: 'drawn', label: 'Step', scale: 'log' },
        y: { key, label },
        facet: 'language',
        marks: marksBy('line', 'line', 'point'),
      })
    return {
      tables: [steps],
      figures: [curveOf('nats', 'Loss per string'), curveOf('matched', 'Length-matched AUC')],
    }
  },
}

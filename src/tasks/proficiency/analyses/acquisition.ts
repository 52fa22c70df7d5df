import type { Analysis, Figure, Frame } from '../../../core/index.ts'
import { atDistance } from './auc-of.ts'
import { curvesOf, distancesOf, estimate, lossOf, needs, number, text } from './cells.ts'
import { languageLoss } from './language-loss.ts'
import { matchedAuc, matchedCells } from './matched.ts'

/** How learning in context is acquired: series of checkpoints, against steps of training and examples. */
export const acquisition: Analysis = {
  id: 'proficiency/acquisition',
  title: 'Acquisition over checkpoints',
  notes: [
    'A series of checkpoints is a row of models named NAME@STEP, such as tiny:40k@320, or that differ in the attribute step. Each is scored in context as any other model: what grows over the steps is what it makes of the examples.',
    'Loss of the language in nats a string; length-matched AUC at the smallest distance of the run. The drawings have the fewest and the most examples asked.',
  ],
  needs,
  run(frame) {
    const stepOf = stepsOf(frame)
    const curves = curvesOf(frame).filter(({ model }) => stepOf(model) !== null)
    const [distance] = distancesOf(curves).filter((d) => d !== '0')
    const rows = curves.flatMap(({ model, language, byK }) => {
      const { series, step } = stepOf(model) as Place
      const ends = [Math.min(...byK.keys()), Math.max(...byK.keys())]
      return [...byK].map(([k, contexts]) => ({
        series,
        language,
        step,
        drawn: ends.includes(k) ? step : null,
        k,
        line: `${series}, ${k} ${k === 1 ? 'example' : 'examples'}`,
        nats: languageLoss(contexts, 'string'),
        ...(distance === undefined
          ? { matched: null, pairs: 0 }
          : matchedCells(matchedAuc(contexts, atDistance(distance), (s) => -lossOf(s)))),
      }))
    })
    if (new Set(rows.map(({ step }) => step)).size < 2) return { tables: [] }
    rows.sort((a, b) => a.step - b.step)
    return {
      tables: [
        {
          id,
          title: 'Loss and AUC by steps of training and examples in context',
          columns: [
            text('series', 'Series'),
            text('language', 'Language'),
            number('step', 'Step'),
            number('k', 'Examples'),
            estimate('nats', 'Loss a string', 'nats'),
            estimate('matched', 'Length-matched AUC at the smallest distance', 'share'),
            number('pairs', 'Pairs of equal length'),
          ],
          rows,
        },
      ],
      figures: [shape('nats', 'Loss a string', 'nats'), shape('matched', 'Length-matched AUC', 'share')],
    }
  },
}

const id = 'proficiency/acquisition'

const shape = (y: 'nats' | 'matched', label: string, unit: string): Figure => ({
  id: `${id}-${y}`,
  title: `${label} by steps of training`,
  table: id,
  x: { key: 'drawn', label: 'Step', scale: 'log' },
  y: { key: y, label, unit },
  facet: 'language',
  marks: [
    { kind: 'line', series: 'line' },
    { kind: 'point', series: 'line' },
  ],
})

interface Place {
  readonly series: string
  readonly step: number
}

/** The series and the step of a model, by the attribute `step` or by its name; null for one without. */
function stepsOf(frame: Frame): (model: string) => Place | null {
  const given = new Map<string, number>()
  if (frame.has('attribute_step')) {
    const models = frame.category('model')
    const steps = frame.number('attribute_step')
    for (let row = 0; row < frame.length; row++)
      if (!Number.isNaN(steps[row] as number))
        given.set(models.levels[models.codes[row] as number] as string, steps[row] as number)
  }
  return (model) => {
    const known = given.get(model)
    if (known !== undefined) return { series: model.replace(/[-:@_]?\d+$/u, ''), step: known }
    const found = /^(?<series>.+)@(?<step>\d+)$/u.exec(model)?.groups
    return found === undefined ? null : { series: found['series'] as string, step: Number(found['step']) }
  }
}

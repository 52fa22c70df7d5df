import { type Analysis, figure, marksBy, table } from '../../../core/index.ts'
import { positionClasses } from '../positions.ts'
import { curvesOf, EXAMPLES_AXIS, language, model, needs, number, pointCells, pointsOf, text } from './contexts.ts'
import { lossAt } from './edit-places.ts'

/** What was learnt: the loss by place in the derivation, above the loss of the language itself. */
export const positions: Analysis = {
  id: 'proficiency/positions',
  title: 'Loss by place in the derivation',
  notes: [
    'Places: within a lowest constituent; start of one (word), of its parent (phrase), of a higher one (clause); decided by an earlier choice (agreement); end.',
    'Floor: loss of the language itself there. Excess: loss above it; nats per token of the grammar, over all strings of the language.',
  ],
  needs: [...needs, 'metric_withinNats'],
  run(frame) {
    const rows = pointsOf(curvesOf(frame)).flatMap((point) => {
      const inside = point.contexts.flatMap(({ strings }) => strings.filter((s) => s.distance === '0'))
      return positionClasses.flatMap((place) => {
        const found = lossAt(frame, place, inside)
        if (found === null) return []
        const { nats, floor, count } = found
        const losses = { loss: nats / count, floor: floor / count, excess: (nats - floor) / count }
        return [{ ...pointCells(point), place, count, ...losses }]
      })
    })
    const byPlace = table(
      'proficiency/positions',
      'Loss, floor and excess by place',
      [
        model,
        language,
        number('examples', 'Examples'),
        text('place', 'Place'),
        number('count', 'Tokens'),
        number('loss', 'Loss', 'nats'),
        number('floor', 'Floor', 'nats'),
        number('excess', 'Excess', 'nats'),
      ],
      rows,
    )
    const curve = figure(byPlace, {
      title: 'Excess loss by place',
      x: EXAMPLES_AXIS,
      y: 'excess',
      facet: 'panel',
      marks: marksBy('place', 'line', 'point'),
    })
    return { tables: [byPlace], figures: [curve] }
  },
}

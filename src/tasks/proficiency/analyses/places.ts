import { type Analysis, column, type Frame, marksBy } from '../../../core/index.ts'
import { positionClasses } from '../positions.ts'
import { AUC_COLUMNS, aucCells, type Outside } from './auc-of.ts'
import { alongExamples, curvesOf, needs, pointCells, pointsOf, type ScoredString } from './contexts.ts'

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
    return alongExamples(
      ['proficiency/positions', 'Loss, floor and excess by place'],
      [
        column.text('place', 'Place'),
        column.number('count', 'Tokens'),
        column.number('loss', 'Loss', 'nats'),
        column.number('floor', 'Floor', 'nats'),
        column.number('excess', 'Excess', 'nats'),
      ],
      rows,
      { title: 'Excess loss by place', y: 'excess', marks: marksBy('place', 'line', 'point') },
    )
  },
}

/** Which errors does a model detect? Strings with one edit, by its level in the hierarchy. */
export const editPlaces: Analysis = {
  id: 'proficiency/edit-places',
  title: 'AUC by the place of the edit in the hierarchy',
  notes: [
    'Strings one edit away, by the place of the edited token in the derivation: within a lowest constituent; start of one (word), of its parent (phrase), of',
    'a higher one (clause); decided by an earlier choice (agreement); the end. An insertion takes the place of the next token.',
    'Excess: loss above the language itself at such tokens of strings inside. A place that is not learnt costs there, and its errors go undetected.',
  ],
  needs: [...needs, 'metric_editPlace'],
  run(frame) {
    const places = frame.number('metric_editPlace')
    const rows = pointsOf(curvesOf(frame)).flatMap((point) => {
      const strings = point.contexts.flatMap((context) => context.strings)
      const inside = strings.filter((s) => s.distance === '0')
      return positionClasses.flatMap((place, index) => {
        const outside: Outside = (s) => s.distance === '1' && places[s.row] === index
        const edited = strings.filter(outside).length
        if (edited === 0) return []
        const loss = lossAt(frame, place, inside)
        return [
          {
            ...pointCells(point),
            place,
            edited,
            ...aucCells(point.contexts, outside),
            excess: loss === null ? null : (loss.nats - loss.floor) / loss.count,
          },
        ]
      })
    })
    return alongExamples(
      ['proficiency/edit-places', 'AUC by the place of the edit'],
      [
        column.text('place', 'Place of the edit'),
        column.number('edited', 'Edited strings'),
        ...AUC_COLUMNS,
        column.number('excess', 'Excess loss at such places', 'nats'),
      ],
      rows,
      { y: 'matched', marks: marksBy('place', 'line', 'point') },
    )
  },
}

/** Nats, floor and number of the tokens at a place, summed over strings; null where none has such a token. */
function lossAt(frame: Frame, place: string, strings: readonly ScoredString[]) {
  const [nats, floor, count] = ['Nats', 'Floor', 'Count'].map((name) => {
    const column = `metric_${place}${name}`
    if (!frame.has(column)) return 0
    const values = frame.number(column)
    return strings.reduce((sum, { row }) => sum + (Number.isNaN(values[row]) ? 0 : (values[row] as number)), 0)
  }) as [number, number, number]
  return count === 0 ? null : { nats, floor, count }
}

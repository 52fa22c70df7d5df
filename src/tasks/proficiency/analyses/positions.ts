import type { Analysis, Frame } from '../../../core/index.ts'
import { positionClasses } from '../positions.ts'
import { curvesOf, needs, number, text } from './cells.ts'

/** What was learnt: the loss by place in the derivation, above what the language itself loses there. */
export const positions: Analysis = {
  id: 'proficiency/positions',
  title: 'Loss by place in the derivation',
  notes: [
    'Places: within a lowest-level constituent; at the start of one (word), of one a level up (phrase), of a higher one (clause); at a token that an earlier choice decides (agreement); at the end.',
    'Floor is the loss of the language itself at those places, excess what the model loses above it; nats a token of the grammar, over all strings of the language.',
  ],
  needs: [...needs, 'measured_withinNats'],
  run(frame) {
    const columns = new Map(positionClasses.map((name) => [name, classColumns(frame, name)]))
    const rows = curvesOf(frame).flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        positionClasses.flatMap((place) => {
          const column = columns.get(place)
          if (column === null || column === undefined) return []
          const strings = contexts.flatMap((context) => context.strings).filter((s) => s.distance === '0')
          const [nats, floor, count] = column.map((values) =>
            strings.reduce((sum, { row }) => sum + (Number.isNaN(values[row]) ? 0 : (values[row] as number)), 0),
          ) as [number, number, number]
          if (count === 0) return []
          return [
            {
              panel: `${model}, ${language}`,
              model,
              language,
              k: k === 0 ? null : k,
              examples: k,
              place,
              count,
              loss: nats / count,
              floor: floor / count,
              excess: (nats - floor) / count,
            },
          ]
        }),
      ),
    )
    if (rows.length === 0) return { tables: [] }
    const id = 'proficiency/positions'
    return {
      tables: [
        {
          id,
          title: 'Loss, floor and excess by place',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            number('examples', 'Examples'),
            text('place', 'Place'),
            number('count', 'Tokens'),
            number('loss', 'Loss', 'nats'),
            number('floor', 'Floor', 'nats'),
            number('excess', 'Excess', 'nats'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id,
          title: 'Excess loss by place',
          table: id,
          x: { key: 'k', label: 'Examples', scale: 'log' },
          y: { key: 'excess', label: 'Excess', unit: 'nats' },
          facet: 'panel',
          marks: [
            { kind: 'line', series: 'place' },
            { kind: 'point', series: 'place' },
          ],
        },
      ],
    }
  },
}

function classColumns(frame: Frame, name: string): readonly [Float64Array, Float64Array, Float64Array] | null {
  const names = [`measured_${name}Nats`, `measured_${name}Floor`, `measured_${name}Count`] as const
  if (!names.every((column) => frame.has(column))) return null
  return [frame.number(names[0]), frame.number(names[1]), frame.number(names[2])]
}

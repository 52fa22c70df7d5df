import type { Analysis, Estimate } from '../../../core/index.ts'
import { positionClasses } from '../positions.ts'
import { meanAuc, type Outside } from './auc-of.ts'
import { curvesOf, estimate, lossOf, needs, number, text } from './cells.ts'
import { matchedAuc, matchedCells } from './matched.ts'

/** Which errors a model hears: strings with one edit, by the level of the hierarchy that the edit stands at. */
export const editPlaces: Analysis = {
  id: 'proficiency/edit-places',
  title: 'AUC by the place of the edit in the hierarchy',
  notes: [
    'Strings one edit away from one of the language, by where the edited token stands in the derivation of its source: within a lowest-level constituent; at the start of one (word), of one a level up (phrase), of a higher one (clause); at a token that an earlier choice decides (agreement); at the end. An insertion stands at the token before which it is made.',
    'Beside it, of strings of the language, what the model loses at tokens of that place above the language itself (proficiency/positions): a place that is not learnt costs there, and its errors are not heard.',
    'Length-matched and plain AUC as in proficiency/auc.',
  ],
  needs: [...needs, 'measured_editPlace'],
  run(frame) {
    const places = frame.number('measured_editPlace')
    const excessOf = excesses(frame)
    const rows = curvesOf(frame).flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        positionClasses.flatMap((place, index) => {
          const outside: Outside = (s) => s.distance === '1' && places[s.row] === index
          const strings = contexts.flatMap((context) => context.strings)
          const edited = strings.filter(outside).length
          if (edited === 0) return []
          return [
            {
              panel: `${model}, ${language}`,
              model,
              language,
              k: k === 0 ? null : k,
              examples: k,
              place,
              edited,
              ...matchedCells(matchedAuc(contexts, outside, (s) => -lossOf(s))),
              // A single string gives no interval.
              auc: meanAuc(contexts, outside),
              excess: excessOf(
                place,
                strings.flatMap((s) => (s.distance === '0' ? [s.row] : [])),
              ),
            },
          ]
        }),
      ),
    )
    if (rows.length === 0) return { tables: [] }
    const id = 'proficiency/edit-places'
    return {
      tables: [
        {
          id,
          title: 'AUC by the place of the one edit',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            number('examples', 'Examples'),
            text('place', 'Place of the edit'),
            number('edited', 'Edited strings'),
            estimate('matched', 'Length-matched AUC', 'share'),
            number('pairs', 'Pairs of equal length'),
            estimate('auc', 'Plain AUC', 'share'),
            number('excess', 'Excess loss at such places', 'nats'),
          ],
          rows: rows as readonly { readonly [key: string]: string | number | null | Estimate }[],
        },
      ],
      figures: [
        {
          id,
          title: 'AUC by the place of the edit',
          table: id,
          x: { key: 'k', label: 'Examples', scale: 'log' },
          y: { key: 'matched', label: 'Length-matched AUC', unit: 'share' },
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

/** Loss above the floor, a token of a place, over rows; null where no row has such a place, or none says. */
function excesses(frame: Parameters<Analysis['run']>[0]) {
  return (place: string, rows: readonly number[]): number | null => {
    const [nats, floor, count] = ['Nats', 'Floor', 'Count'].map((name) => {
      const column = `measured_${place}${name}`
      const values = frame.has(column) ? frame.number(column) : null
      return rows.reduce((sum, row) => {
        const value = values?.[row] ?? Number.NaN
        return Number.isNaN(value) ? sum : sum + value
      }, 0)
    }) as [number, number, number]
    return count === 0 ? null : (nats - floor) / count
  }
}

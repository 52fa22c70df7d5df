import type { Analysis } from '../../../core/index.ts'
import { meanAuc, type Outside } from './auc-of.ts'
import { curvesOf, estimate, lossOf, needs, number, text, withLengthOnly } from './cells.ts'
import { lengthNeeds, lengthNotes, lengthTables } from './length-only.ts'
import { matchedAuc, matchedCells } from './matched.ts'

/** What kind of edit a model sees, and what the length alone gives away. */
export const negatives: Analysis = {
  id: 'proficiency/negatives',
  title: 'Strings outside by kind of edit, with the AUC that the length alone gives',
  notes: lengthNotes,
  needs: [...new Set([...needs, ...lengthNeeds])],
  run(frame) {
    const curves = curvesOf(frame)
    const rows = withLengthOnly(curves).flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        kindsOf(contexts).flatMap(({ distance, edit }) => {
          const outside: Outside = (s) => s.distance === distance && s.edit === edit
          const found = meanAuc(contexts, outside)
          if (found === null) return []
          const matched = matchedCells(matchedAuc(contexts, outside, (s) => -lossOf(s)))
          return [{ model, language, k, distance, edit, ...matched, auc: found }]
        }),
      ),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        ...lengthTables(frame),
        {
          id: 'proficiency/negatives',
          title: 'AUC by kind of edit',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            number('k', 'Examples'),
            text('distance', 'Distance'),
            text('edit', 'Edit'),
            estimate('matched', 'Length-matched AUC', 'share'),
            number('pairs', 'Pairs of equal length'),
            estimate('auc', 'Plain AUC', 'share'),
          ],
          rows,
        },
      ],
    }
  },
}

type Contexts = Parameters<typeof meanAuc>[0]

function kindsOf(contexts: Contexts): { distance: string; edit: string }[] {
  const found = new Map<string, { distance: string; edit: string }>()
  for (const { strings } of contexts)
    for (const { distance, edit } of strings) if (distance !== '0') found.set(`${distance} ${edit}`, { distance, edit })
  return [...found.values()]
}

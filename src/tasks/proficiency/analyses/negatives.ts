import { type Analysis, column, table } from '../../../core/index.ts'
import { AUC_COLUMNS, aucCells, type Outside } from './auc-of.ts'
import { type Context, curvesOf, distanceColumn, language, model, needs, pointsOf, withLengthOnly } from './contexts.ts'
import { lengthNeeds, lengthNotes, lengthTable } from './length-only.ts'

/** The AUC by kind of edit, and what the length alone gives away. */
export const negatives: Analysis = {
  id: 'proficiency/negatives',
  title: 'Strings outside by kind of edit, with the AUC of the length alone',
  notes: lengthNotes,
  needs: [...new Set([...needs, ...lengthNeeds])],
  run(frame) {
    const rows = pointsOf(withLengthOnly(curvesOf(frame))).flatMap(({ contexts, ...of }) =>
      kindsIn(contexts).flatMap(({ distance, edit }) => {
        const outside: Outside = (s) => s.distance === distance && s.edit === edit
        const cells = aucCells(contexts, outside)
        return cells.auc === null ? [] : [{ ...of, distance, edit, ...cells }]
      }),
    )
    const columns = [
      model,
      language,
      column.number('k', 'Examples'),
      distanceColumn,
      column.text('edit', 'Edit'),
      ...AUC_COLUMNS,
    ]
    const byEdit = table('proficiency/negatives', 'AUC by kind of edit', columns, rows)
    return { tables: rows.length === 0 ? [] : [lengthTable(frame), byEdit] }
  },
}

function kindsIn(contexts: readonly Context[]) {
  const outside = contexts.flatMap(({ strings }) =>
    strings.filter(({ distance }) => distance !== '0' && distance !== 'seen'),
  )
  return [...new Map(outside.map(({ distance, edit }) => [`${distance} ${edit}`, { distance, edit }])).values()]
}

import type { Analysis } from '../../../core/index.ts'
import { meanAuc } from './auc-of.ts'
import { type Curve, curvesOf, estimate, needs, number, type ScoredString, text } from './cells.ts'

/** What kind of edit a model sees, and what the length alone gives away. */
export const negatives: Analysis = {
  id: 'proficiency/negatives',
  title: 'Strings outside by kind of edit, with the AUC that the length alone gives',
  notes: [
    'The length-only score is the probability of the string’s length in the language: where it is far above one half, a model may have learnt lengths only.',
    'Strings of G1 and G2 all have 72 tokens, so insertions and deletions are told by their length.',
  ],
  needs: [...needs, 'feature_edit', 'feature_lengthProbability'],
  run(frame) {
    const curves = curvesOf(frame)
    const rows = curves.flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        kindsOf(contexts).flatMap(({ distance, edit }) => {
          const found = meanAuc(contexts, (s) => s.distance === distance && s.edit === edit)
          return found === null ? [] : [{ model, language, k, distance, edit, auc: found }]
        }),
      ),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'proficiency/length-only',
          title: 'AUC of the length alone',
          columns: [
            text('language', 'Language'),
            text('distance', 'Distance'),
            text('edit', 'Edit'),
            estimate('auc', 'AUC of the length', 'share'),
          ],
          rows: lengthOnly(curves),
        },
        {
          id: 'proficiency/negatives',
          title: 'AUC by kind of edit',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            number('k', 'Examples'),
            text('distance', 'Distance'),
            text('edit', 'Edit'),
            estimate('auc', 'AUC', 'share'),
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

/** Strings are the same for every model and k: the first of each language will do. */
function lengthOnly(curves: readonly Curve[]) {
  const byLanguage = new Map<string, Contexts>()
  for (const { language, byK } of curves) {
    const [first] = byK.values()
    if (first !== undefined && !byLanguage.has(language)) byLanguage.set(language, first)
  }
  const length = (s: ScoredString) => s.lengthProbability
  return [...byLanguage].flatMap(([language, contexts]) =>
    kindsOf(contexts).flatMap(({ distance, edit }) => {
      const found = meanAuc(contexts, (s) => s.distance === distance && s.edit === edit, length)
      return found === null ? [] : [{ language, distance, edit, auc: found }]
    }),
  )
}

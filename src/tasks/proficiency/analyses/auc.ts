import type { Analysis, Estimate } from '../../../core/index.ts'
import { atDistance, meanAuc } from './auc-of.ts'
import { curvesOf, distancesOf, estimate, needs, number, text } from './cells.ts'

/** The discriminative test: a row for every model, language, k and distance. */
export const aucAnalysis: Analysis = {
  id: 'proficiency/auc',
  title: 'Discriminative test: AUC of telling strings of the language from strings outside by their loss',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'section 3' },
  notes: [
    'Rank AUC of minus the loss (nats a token), the mean over repetitions; 1 = every string of the language is likelier.',
    'The interval takes the example lists of the repetitions as they are: it says what other test strings would change. Table 1 draws repetitions too.',
    'Comparable across models: it does not depend on their priors or tokenizers.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const distances = distancesOf(curves).filter((distance) => distance !== '0')
    const rows = curves.flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        distances.flatMap((distance) => {
          const found = meanAuc(contexts, atDistance(distance))
          return found === null ? [] : [{ model, language, k, distance, auc: found, low: found.low, high: found.high }]
        }),
      ),
    )
    if (rows.length === 0) return { tables: [] }
    const table = {
      id: 'proficiency/auc',
      title: 'AUC by model, language, number of examples and distance',
      columns: [
        text('model', 'Model'),
        text('language', 'Language'),
        number('k', 'Examples'),
        text('distance', 'Distance'),
        estimate('auc', 'AUC', 'share'),
        number('low', 'Low'),
        number('high', 'High'),
      ],
      rows: rows as readonly { readonly [key: string]: string | number | Estimate }[],
    }
    return { tables: [table] }
  },
}

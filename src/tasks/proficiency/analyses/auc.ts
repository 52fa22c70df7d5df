import type { Analysis, Estimate } from '../../../core/index.ts'
import { atDistance, meanAuc } from './auc-of.ts'
import { curvesOf, distancesOf, estimate, lossOf, needs, number, text, totalOf, withLengthOnly } from './cells.ts'
import { matchedAuc, matchedCells } from './matched.ts'

/** The discriminative test: a row for every model, language, k and distance. */
export const aucAnalysis: Analysis = {
  id: 'proficiency/auc',
  title: 'Discriminative test: AUC of telling strings of the language from strings outside by their loss',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'section 3' },
  notes: [
    'Length-matched, the headline: the share of pairs of a string of the language and one outside, of equal length and in the same repetition, in which the former has less loss; ties count one half. Where there is no such pair the number of pairs is 0 and the AUC is left empty.',
    'Plain: the rank AUC of minus the loss over all strings, the mean over repetitions, as in the paper; “length only” says what of it the length alone gives.',
    'By nats a token, as in the paper, and by nats a string. A model and its mixture with noise rank strings of equal length alike by either; between lengths, dividing by tokens does not keep the order.',
    'The interval takes the example lists of the repetitions as they are: it says what other test strings would change. Table 1 draws repetitions too.',
    'Comparable across models: it does not depend on their priors or tokenizers.',
  ],
  needs,
  run(frame) {
    const curves = withLengthOnly(curvesOf(frame))
    const distances = distancesOf(curves).filter((distance) => distance !== '0')
    const rows = curves.flatMap(({ model, language, byK }) =>
      [...byK].flatMap(([k, contexts]) =>
        distances.flatMap((distance) => {
          const found = meanAuc(contexts, atDistance(distance))
          if (found === null) return []
          const at = { model, language, k, distance }
          const own = {
            ...matchedCells(matchedAuc(contexts, atDistance(distance), (s) => -lossOf(s))),
            auc: found,
            matchedTotal: matchedCells(matchedAuc(contexts, atDistance(distance), (s) => -totalOf(s))).matched,
            total: meanAuc(contexts, atDistance(distance), totalOf),
          }
          return [{ ...at, ...own, low: found.low, high: found.high }]
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
        estimate('matched', 'Length-matched AUC', 'share'),
        number('pairs', 'Pairs of equal length'),
        estimate('auc', 'Plain AUC', 'share'),
        estimate('matchedTotal', 'Length-matched, nats a string', 'share'),
        estimate('total', 'Plain, nats a string', 'share'),
        number('low', 'Low'),
        number('high', 'High'),
      ],
      rows: rows as readonly { readonly [key: string]: string | number | null | Estimate }[],
    }
    return { tables: [table] }
  },
}

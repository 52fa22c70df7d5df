import { type Analysis, column, table } from '../../../core/index.ts'
import { AUC_COLUMNS, atDistance, aucCells, matchedAuc, meanAuc, RELEASED_COLUMNS, releasedCells } from './auc-of.ts'
import {
  curvesOf,
  distanceColumn,
  language,
  model,
  needs,
  outsideDistances,
  PAPER,
  pointsOf,
  totalOf,
  withLengthOnly,
} from './contexts.ts'

/** The discriminative test: a row for every model, language, k and distance. */
export const aucAnalysis: Analysis = {
  id: 'proficiency/auc',
  title: 'Discriminative test: AUC of strings inside against outside the language, by loss',
  source: { paper: PAPER, item: 'section 3' },
  notes: [
    'Length-matched (headline): share of pairs inside / outside of equal length and repetition in which the string inside has less loss; ties count half.',
    'Plain, as in the paper: rank AUC of minus the loss over all strings, mean over repetitions. "length only": the part that length alone gives.',
    'By nats per token, as in the paper, and by nats per string. Comparable across models: independent of priors and tokenizers.',
    'As released: half of the strings decide whether less loss means inside, the AUC is of the other half; a model that prefers strings outside has 1 - AUC.',
    'CIs take the example lists as given: they cover other test strings. Table 1 also resamples repetitions.',
  ],
  needs,
  run(frame) {
    const curves = withLengthOnly(curvesOf(frame))
    const distances = outsideDistances(curves)
    const rows = pointsOf(curves).flatMap(({ contexts, ...of }) =>
      distances.flatMap((distance) => {
        const outside = atDistance(distance)
        const cells = aucCells(contexts, outside)
        if (cells.auc === null) return []
        const { low, high } = cells.auc
        return [
          {
            ...of,
            distance,
            ...cells,
            ...releasedCells(contexts, outside),
            matchedTotal: matchedAuc(contexts, outside, totalOf).matched,
            total: meanAuc(contexts, outside, totalOf),
            low,
            high,
          },
        ]
      }),
    )
    const aucs = table(
      'proficiency/auc',
      'AUC by model, language, number of examples and distance',
      [
        model,
        language,
        column.number('k', 'Examples'),
        distanceColumn,
        ...AUC_COLUMNS,
        ...RELEASED_COLUMNS,
        column.estimate('matchedTotal', 'Length-matched, nats per string', 'share'),
        column.estimate('total', 'Plain, nats per string', 'share'),
        column.number('low', 'Low'),
        column.number('high', 'High'),
      ],
      rows,
    )
    return { tables: [aucs] }
  },
}

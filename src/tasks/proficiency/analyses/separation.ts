import { type Analysis, column, figure, marksBy, table } from '../../../core/index.ts'
import { analysisStream } from '../../../libraries/statistics/index.ts'
import { AUC_COLUMNS, atDistance, aucCells, labelled } from './auc-of.ts'
import { curvesOf, distanceColumn, language, model, needs, outsideDistances, withLengthOnly } from './contexts.ts'
import { averageRoc } from './roc.ts'

/** Separation of strings inside and outside by loss, at the largest k: AUC by distance, and ROC curves. */
export const separation: Analysis = {
  id: 'proficiency/separation',
  title: 'Separation of strings inside and outside the language',
  page: 'tokens',
  notes: [
    'At the largest number of examples. Plain AUC and ROC as in the paper; the length-matched AUC is independent of length.',
    '"length only" knows only the probability of a string\'s length in the language.',
    'ROC: at the smallest distance, mean over repetitions at equal false alarms. Broken line: chance.',
  ],
  needs,
  run(frame, { seed }) {
    const curves = withLengthOnly(curvesOf(frame))
    const distances = outsideDistances(curves)
    const [least] = distances
    if (least === undefined) return { tables: [] }
    const points = curves.flatMap(({ byK, ...of }) =>
      [...byK].slice(-1).map(([k, contexts]) => ({ ...of, k, contexts })),
    )
    const named = [model, language, column.number('k', 'Examples'), distanceColumn]
    const aucs = table(
      'proficiency/separation-auc',
      'AUC by distance at the largest number of examples',
      [...named, ...AUC_COLUMNS, column.share('chance', 'Chance')],
      points.flatMap(({ contexts, ...of }) =>
        distances.flatMap((distance) => {
          const cells = aucCells(contexts, atDistance(distance))
          return cells.auc === null ? [] : [{ ...of, distance, chance: 0.5, ...cells }]
        }),
      ),
    )
    const rocs = table(
      'proficiency/separation-roc',
      'Hits by share of false alarms',
      [
        ...named,
        column.number('falseAlarms', 'Strings outside that pass', 'share'),
        column.estimate('hits', 'Strings of the language that pass', 'share'),
        column.share('chance', 'Chance'),
      ],
      aucs.rows.length === 0
        ? []
        : points.flatMap(({ contexts, ...of }) =>
            averageRoc(
              labelled(contexts, atDistance(least)),
              analysisStream(seed, `proficiency/roc/${of.language}/${of.model}`),
            ).map((point) => ({ ...of, distance: least, ...point, chance: point.falseAlarms })),
          ),
    )
    return {
      tables: [aucs, rocs],
      figures: [
        figure(aucs, {
          title: 'Plain AUC by distance',
          x: { key: 'distance', label: 'Distance, edits', scale: 'category' },
          y: { key: 'auc', label: 'AUC' },
          facet: 'language',
          marks: [{ kind: 'reference', y: 'chance' }, ...marksBy('model', 'interval', 'line', 'point')],
        }),
        figure(rocs, {
          title: `ROC at distance ${least}`,
          x: 'falseAlarms',
          y: 'hits',
          facet: 'language',
          marks: [{ kind: 'reference', y: 'chance' }, ...marksBy('model', 'line')],
        }),
      ],
    }
  },
}

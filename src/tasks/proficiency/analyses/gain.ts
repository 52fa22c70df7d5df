import { type Analysis, column, marksBy } from '../../../core/index.ts'
import { atDistance, aucCells } from './auc-of.ts'
import { alongExamples, curvesOf, distanceColumn, needs, outsideDistances } from './contexts.ts'
import { aucDifference, pairStrings } from './paired.ts'

/** What examples add to what a model tells without any. */
export const gain: Analysis = {
  id: 'proficiency/gain',
  title: 'What examples add to the AUC without examples',
  notes: [
    'Without examples the AUC is no chance: the strings that are edited differ in more than the language. Only the gain was learnt from examples.',
    'Of a language whose examples are of another (learnt), it is what carries over; baseline:oracle:learnt and oracle-noisy show what a perfect learner of those has.',
    'Length-matched, the same strings with k examples and with none; bootstrap over repetitions and tests.',
  ],
  needs,
  run(frame, { seed }) {
    const curves = curvesOf(frame)
    const distances = outsideDistances(curves)
    const rows = curves.flatMap(({ model: name, language: of, byK }) => {
      const none = byK.get(0)
      if (none === undefined) return []
      return distances.flatMap((distance) =>
        [...byK].flatMap(([k, contexts]) => {
          const auc = aucCells(contexts, atDistance(distance)).matched
          const before = aucCells(none, atDistance(distance)).matched
          if (k === 0 || auc === null || before === null) return []
          return [
            {
              model: name,
              language: of,
              panel: `${name}, ${distance}`,
              distance,
              examples: k,
              k,
              without: before,
              auc,
              gain: aucDifference(pairStrings(none, contexts), distance, seed, `gain ${name} ${of} ${k} ${distance}`),
              zero: 0,
            },
          ]
        }),
      )
    })
    // Models that read no examples have nothing to draw.
    const reading = new Set(rows.filter((row) => row.gain !== null && row.gain.value !== 0).map((row) => row.model))
    return alongExamples(
      ['proficiency/gain', 'AUC with and without examples'],
      [
        distanceColumn,
        column.estimate('without', 'AUC without examples', 'share'),
        column.estimate('auc', 'AUC', 'share'),
        column.estimate('gain', 'Gain', null),
      ],
      rows.map((row) => (reading.has(row.model) ? row : { ...row, k: null })),
      {
        title: 'Gain over no examples',
        y: 'gain',
        marks: [{ kind: 'reference', y: 'zero' }, ...marksBy('language', 'interval', 'line', 'point')],
      },
    )
  },
}

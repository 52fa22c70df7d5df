import { type Analysis, column, marksBy } from '../../../core/index.ts'
import { AUC_COLUMNS, atDistance, aucCells } from './auc-of.ts'
import { alongExamples, type Curve, curvesOf, needs, outsideDistances, pointCells, pointsOf } from './contexts.ts'
import { languageExcess } from './losses.ts'
import { ofList, trainedModels } from './trained.ts'

/** Weights of one language with a context of another: which of the two does a model follow? */
export const conflict: Analysis = {
  id: 'proficiency/conflict',
  title: 'Trained on one language, with examples of another',
  notes: [
    'Models with the attribute trainedOn (and trainingSize), or baselines trained-on-LANGUAGE:NAME:SIZE, asked about other languages too; 0 trained strings: the same learner without training.',
    'B.after-A is a language B with examples of A: there the tests are of what was trained, if B is that, and the context speaks against it.',
    'Length-matched AUC at the smallest distance. Excess: nats a terminal above the language of the tests.',
  ],
  needs,
  run(frame) {
    const modelOf = trainedModels(frame)
    const curves = curvesOf(frame)
    const distance = outsideDistances(curves)[0]
    const trained = curves.flatMap((curve) => {
      const of = modelOf(curve.model)
      return of === null || of.on === null ? [] : [{ ...of, on: of.on, curve }]
    })
    if (distance === undefined || !trained.some(({ on, curve }) => on !== curve.language)) return { tables: [] }
    const lines = [...new Set(trained.map(({ base, on }) => `${base}\n${on}`))].flatMap((pair) => {
      const [base = '', on = ''] = pair.split('\n')
      return [
        ...curves.filter(({ model }) => model === base).map((curve) => ({ base, on, strings: 0, list: null, curve })),
        ...trained.filter((one) => one.base === base && one.on === on),
      ]
    })
    const rows = lines
      .toSorted((a, b) => a.strings - b.strings)
      .flatMap(({ base, on, strings, curve, ...of }) =>
        pointsOf([curve as Curve]).flatMap((point) => {
          const contexts = ofList({ base, on, strings, epoch: 1, ...of }, point.contexts)
          const cells = aucCells(contexts, atDistance(distance))
          if (cells.auc === null) return []
          return [
            {
              ...pointCells(point),
              model: base,
              on,
              strings,
              panel: `${base}, tests of ${curve.language}`,
              line: strings === 0 ? 'not trained' : `trained on ${strings} of ${on}`,
              ...cells,
              excess: languageExcess(contexts, 'terminal'),
            },
          ]
        }),
      )
    return alongExamples(
      ['proficiency/conflict', 'AUC by trained strings and examples of another language'],
      [
        column.text('on', 'Trained on'),
        column.number('strings', 'Trained strings'),
        ...AUC_COLUMNS,
        column.estimate('excess', 'Excess per terminal', 'nats'),
      ],
      rows,
      { y: { key: 'matched', label: 'Length-matched AUC' }, marks: marksBy('line', 'interval', 'line', 'point') },
    )
  },
}

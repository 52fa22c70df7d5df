import { type Analysis, column, figure, marksBy, table } from '../../../core/index.ts'
import { AUC_COLUMNS, atDistance, aucCells } from './auc-of.ts'
import { curvesOf, language, needs, outsideDistances } from './contexts.ts'
import { languageLoss } from './language-loss.ts'
import { aucOf, choices, chosen, lossOf, trainingsOf } from './trained.ts'

/** Which epoch of a training is reported, and what it matters. */
export const epochs: Analysis = {
  id: 'proficiency/epochs',
  title: 'The choice of the epoch',
  notes: [
    'Models with the attribute epoch, or baselines trained:NAME:SIZE@EPOCH. To choose on other strings than are reported, ask items of the splits validation and test in one run.',
    'As released: the epoch that is best on the very strings that are reported, once by loss and once by AUC. Its numbers are too good by the luck of the best epoch.',
    'Length-matched AUC at the smallest distance; loss of the language per terminal. Each list of strings has its own choice.',
  ],
  needs: [...needs, 'feature_validation'],
  run(frame) {
    const distance = outsideDistances(curvesOf(frame))[0]
    const trainings = trainingsOf(frame).filter(({ checkpoints }) => checkpoints.length > 1)
    if (distance === undefined || trainings.length === 0) return { tables: [] }
    const named = [column.text('base', 'Model'), language, column.number('strings', 'Strings')]
    const byEpoch = table(
      'proficiency/epochs',
      'Loss and AUC by epoch',
      [
        ...named,
        column.number('epoch', 'Epoch'),
        column.text('side', 'Strings of'),
        column.number('loss', 'Loss per terminal', 'nats'),
        column.number('auc', 'Length-matched AUC', 'share'),
      ],
      trainings.flatMap(({ base, language: of, strings, checkpoints }) =>
        checkpoints.flatMap(({ epoch, ...sides }) =>
          (['validation', 'test'] as const).flatMap((side) =>
            sides[side].length === 0
              ? []
              : [
                  {
                    base,
                    language: of,
                    strings,
                    epoch,
                    side,
                    panel: `${base}, ${of}, ${side}`,
                    line: `${strings} strings`,
                    loss: lossOf(sides[side]),
                    auc: aucOf(sides[side], distance),
                  },
                ],
          ),
        ),
      ),
    )
    const lists = Map.groupBy(trainings, ({ base, language: of, strings }) => `${base}\n${of}\n${strings}`)
    const choice = table(
      'proficiency/epoch-choice',
      'What is reported by each choice',
      [
        ...named,
        column.text('way', 'Chosen by'),
        column.text('epochs', 'Epochs'),
        ...AUC_COLUMNS,
        column.estimate('loss', 'Loss per terminal', 'nats'),
      ],
      [...lists.values()].flatMap((same) => {
        const { base, language: of, strings } = same[0]!
        return Object.keys(choices).flatMap((way) => {
          const found = same.map((training) => chosen(training, way, distance))
          if (found.includes(null)) return []
          const contexts = found.flatMap((one) => one?.test ?? [])
          return [
            {
              base,
              language: of,
              strings,
              way,
              epochs: found.map((one) => one?.epoch).join(', '),
              ...aucCells(contexts, atDistance(distance)),
              loss: languageLoss(contexts, 'terminal'),
            },
          ]
        })
      }),
    )
    const curve = figure(byEpoch, {
      title: 'Loss by epoch',
      x: { key: 'epoch', label: 'Epoch', scale: 'log' },
      y: { key: 'loss', label: 'Loss per terminal' },
      facet: 'panel',
      marks: marksBy('line', 'line', 'point'),
    })
    return { tables: [choice, byEpoch], figures: [curve] }
  },
}

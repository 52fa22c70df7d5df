import { type Analysis, column, figure, marksBy, tableOf } from '../../../core/index.ts'
import { AUC_COLUMNS, atDistance, aucCells } from './auc-of.ts'
import { curvesOf, needs, outsideDistances } from './contexts.ts'
import { languageLoss } from './losses.ts'
import { aucOf, choices, chosen, lossOf, TRAINED_COLUMNS, trainingsOf } from './trained.ts'

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
    const checkpoints = trainings.flatMap(({ base, language, strings, checkpoints: all }) =>
      all.flatMap(({ epoch, ...sides }) =>
        (['validation', 'test'] as const).flatMap((side) => {
          const drawn = { panel: `${base}, ${language}, ${side}`, line: `${strings} strings` }
          const key = { base, language, strings, epoch, side, ...drawn }
          return sides[side].length === 0 ? [] : [{ key, contexts: sides[side] }]
        }),
      ),
    )
    const leading = [...TRAINED_COLUMNS, column.number('epoch', 'Epoch'), column.text('side', 'Strings of')]
    const byEpoch = tableOf('proficiency/epochs', 'Loss and AUC by epoch', leading, checkpoints, [
      [column.number('loss', 'Loss per terminal', 'nats'), ({ contexts }) => lossOf(contexts)],
      [column.number('auc', 'Length-matched AUC', 'share'), ({ contexts }) => aucOf(contexts, distance)],
    ])
    const lists = Map.groupBy(trainings, ({ base, language, strings }) => `${base}\n${language}\n${strings}`)
    const made = [...lists.values()].flatMap((same) =>
      Object.keys(choices).flatMap((way) => {
        const found = same.map((training) => chosen(training, way, distance)).filter((one) => one !== null)
        if (found.length < same.length) return []
        const { base, language, strings } = same[0]!
        const contexts = found.flatMap(({ test }) => test)
        const cells = aucCells(contexts, atDistance(distance))
        const epochsOf = found.map(({ epoch }) => epoch).join(', ')
        return [{ key: { base, language, strings, way, epochs: epochsOf, ...cells }, contexts }]
      }),
    )
    const choice = tableOf(
      'proficiency/epoch-choice',
      'What is reported by each choice',
      [...TRAINED_COLUMNS, column.text('way', 'Chosen by'), column.text('epochs', 'Epochs'), ...AUC_COLUMNS],
      made,
      [[column.estimate('loss', 'Loss per terminal', 'nats'), ({ contexts }) => languageLoss(contexts, 'terminal')]],
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

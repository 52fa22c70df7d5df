import { type Analysis, table } from '../../../core/index.ts'
import { partition, scores, shareOver } from '../../../libraries/statistics/index.ts'
import { at, conditionsOf, estimate, mean, model, number, numbers, scoredRows, share, text } from './common.ts'

const PARTS = ['unchanged', 'shown', 'laws', 'description', 'descriptionKnown', 'found', 'order'] as const

/** Sound laws by language: unseen words, description length, known laws and their order. */
export const lawsFound: Analysis = {
  id: 'pbebench/laws',
  title: 'Sound laws: unseen words, description and known laws, by language',
  notes: [
    'Unseen: share of withheld younger forms that the laws derive. Without laws: the same if no law applies.',
    'Description: symbols of the laws and of the shown forms that they get wrong (mean over items), beside that of the known laws. Smaller is better.',
    'Found: known laws with an equivalent law in the response. In order: of interacting pairs of found laws, those in the known order.',
  ],
  needs: ['item', 'model', 'value', 'feature_language', 'part_description'],
  run(frame) {
    const value = scores(frame)
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: all }) =>
      partition(frame, ['feature_language'], all).map(({ key: levels, rows: own }) => ({
        ...key,
        language: levels['feature_language'] ?? '',
        answers: own.length,
        unseen: shareOver(frame, value, scoredRows(frame, own)),
        ...Object.fromEntries(PARTS.map((part) => [part, mean(at(numbers(frame, `part_${part}`), own))])),
      })),
    )
    const laws = table(
      'pbebench/laws',
      'Sound laws found',
      [
        ...columns,
        model,
        text('language', 'Language'),
        number('answers', 'Responses'),
        estimate('unseen', 'Unseen words'),
        share('unchanged', 'Without laws'),
        share('shown', 'Words shown'),
        number('laws', 'Laws', 'laws'),
        number('description', 'Description', 'symbols'),
        number('descriptionKnown', 'Known laws', 'symbols'),
        share('found', 'Laws found'),
        share('order', 'In order'),
      ],
      rows,
    )
    return { tables: [laws] }
  },
}

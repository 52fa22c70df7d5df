import type { Analysis, Frame } from '../../../core/index.ts'
import { clusterCodes, clusteredShare, partition, scores, take } from '../../../libraries/statistics/index.ts'
import { partsOf } from './arms.ts'
import { estimate, mean, number, numbers, share, text } from './common.ts'

const PARTS = ['unchanged', 'shown', 'laws', 'description', 'descriptionKnown', 'found', 'order'] as const

/** What models make of sound laws, language by language: unseen words, description, known laws and their order. */
export const lawsFound: Analysis = {
  id: 'pbebench/laws',
  title: 'Sound laws: unseen words, description and known laws, by language',
  notes: [
    'Unseen: younger forms of words that were not shown, of which the laws make the right one; without laws: what no law at all makes of them.',
    'Description: symbols of the laws and of the forms shown that they leave wrong, mean over items; beside it that of the known laws. Smaller is better: a patch for every word is long.',
    'Found: known laws with a law of the answer that does the same; in order: of pairs of found laws that meet in the words, those in the known order. Empty where no laws are known, or no two that were found meet.',
  ],
  needs: ['item', 'model', 'value', 'feature_language', 'part_description'],
  run(frame) {
    const value = scores(frame)
    const { arms, columns } = partsOf(frame)
    const rows = arms.flatMap(({ key, rows: list }) =>
      partition(frame, ['feature_language'], list).map(({ key: levels, rows: own }) => {
        const graded = own.filter((row) => !Number.isNaN(value[row] as number))
        return {
          ...key,
          language: levels['feature_language'] ?? '',
          answers: own.length,
          unseen: clusteredShare(take(value, graded), clusterCodes(frame, graded)),
          ...meansOf(frame, own),
        }
      }),
    )
    return {
      tables: [
        {
          id: 'pbebench/laws',
          title: 'Sound laws found',
          columns: [
            ...columns,
            text('model', 'Model'),
            text('language', 'Language'),
            number('answers', 'Answers'),
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
        },
      ],
    }
  },
}

const meansOf = (frame: Frame, rows: Int32Array): { readonly [part: string]: number | null } =>
  Object.fromEntries(
    PARTS.map((part) => {
      const column = numbers(frame, `part_${part}`)
      return [part, mean([...rows].map((row) => column[row] as number))]
    }),
  )

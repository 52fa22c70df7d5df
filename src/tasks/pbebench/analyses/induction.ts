import { type Analysis, tableOf } from '../../../core/index.ts'
import { clusteredMeanEstimate, partition, scores, shareOver } from '../../../libraries/statistics/index.ts'
import {
  at,
  byItem,
  conditionsOf,
  estimate,
  mean,
  model,
  number,
  numbers,
  overItems,
  scoredRows,
  share,
  text,
} from './common.ts'

/** Do rules hold beyond the words that they were made for? */
export const induction: Analysis = {
  id: 'pbebench/induction',
  title: 'Words shown and held-out words',
  notes: [
    'Shown: share right of the words shown that change. Held out: the same of words that are not shown. Near misses: held-out words that the rules must leave alone.',
    'Gap: shown − held out, item by item. Rules that hold have none; rules that patch single words, or that the examples do not determine, have a large one.',
    'Over parsed responses with held-out words; every sample counts; CIs are over items.',
  ],
  needs: ['item', 'model', 'subscore_gap'],
  run(frame) {
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      /** The mean of a subscore over the samples of each item that has it. */
      const part = (name: string): number[] => {
        const values = numbers(frame, `subscore_${name}`)
        return byItem(frame, own).flatMap((list) => mean(at(values, list)) ?? [])
      }
      const gap = part('gap')
      return gap.length === 0 ? [] : [{ key, part, gap }]
    })
    const found = tableOf('pbebench/induction', 'Words shown and held-out words', [...columns, model], rows, [
      [number('items', 'Items'), ({ gap }) => gap.length],
      [estimate('extensional', 'Shown'), ({ part }) => overItems(part('extensional'))],
      [estimate('intensional', 'Held out'), ({ part }) => overItems(part('intensional'))],
      [estimate('gap', 'Gap'), ({ gap }) => clusteredMeanEstimate(gap, [...gap.keys()]) ?? (gap[0] as number)],
      [estimate('specificity', 'Near misses'), ({ part }) => overItems(part('specificity'))],
    ])
    return { tables: [found] }
  },
}

/** Sound laws by language: unseen words, description length, known laws and their order. */
export const lawsFound: Analysis = {
  id: 'pbebench/laws',
  title: 'Sound laws: unseen words, description and known laws, by language',
  notes: [
    'Unseen: share of withheld younger forms that the laws derive. Without laws: the same if no law applies.',
    'Description: symbols of the laws and of the shown forms that they get wrong (mean over items), beside that of the known laws. Smaller is better.',
    'Found: known laws with an equivalent law in the response. In order: of interacting pairs of found laws, those in the known order.',
  ],
  needs: ['item', 'model', 'score', 'feature_language', 'subscore_description'],
  run(frame) {
    const value = scores(frame)
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: all }) =>
      partition(frame, ['feature_language'], all).map(({ key: { feature_language: language }, rows: own }) => ({
        key: { ...key, language: language ?? '' },
        own,
        part: (name: string) => mean(at(numbers(frame, `subscore_${name}`), own)),
      })),
    )
    const leading = [...columns, model, text('language', 'Language')]
    const laws = tableOf('pbebench/laws', 'Sound laws found', leading, rows, [
      [number('answers', 'Responses'), ({ own }) => own.length],
      [estimate('unseen', 'Unseen words'), ({ own }) => shareOver(frame, value, scoredRows(frame, own))],
      [share('unchanged', 'Without laws'), ({ part }) => part('unchanged')],
      [share('shown', 'Words shown'), ({ part }) => part('shown')],
      [number('laws', 'Laws', 'laws'), ({ part }) => part('laws')],
      [number('description', 'Description', 'symbols'), ({ part }) => part('description')],
      [number('descriptionKnown', 'Known laws', 'symbols'), ({ part }) => part('descriptionKnown')],
      [share('found', 'Laws found'), ({ part }) => part('found')],
      [share('order', 'In order'), ({ part }) => part('order')],
    ])
    return { tables: [laws] }
  },
}

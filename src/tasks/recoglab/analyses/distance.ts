import type { Analysis } from '../../../core/analysis.ts'
import { byContestant, contestants, partition, scores, spearman, take } from '../../../stats/index.ts'
import { accuracyBy, estimate, level, number, paper, text } from './cells.ts'

/** The symbolic distance effect: accuracy by distance, and which way it goes. People get better with distance (Moyer and Bayer 1976). */
export const distanceEffect = (task: string): Analysis => ({
  id: `recoglab/distance-${task}`,
  title: 'Direction of the symbolic distance effect',
  source: { paper, item: 'section 4.1' },
  notes: [
    'Rank correlation of being right with distance: above zero, larger distances are easier, as for people; below, harder.',
  ],
  needs: ['model', 'state', 'value', 'feature_distance'],
  run(frame) {
    const id = `recoglab/distance-${task}`
    const value = scores(frame)
    const distance = frame.number('feature_distance')
    const usable = Int32Array.from({ length: frame.length }, (_, i) => i).filter(
      (row) => !Number.isNaN(value[row] as number) && !Number.isNaN(distance[row] as number),
    )
    const effects = byContestant(contestants(frame), usable).flatMap(({ contestant, rows }) => {
      const found = spearman(take(distance, rows), take(value, rows))
      return found === null ? [] : [{ model: contestant, n: rows.length, correlation: found.estimate, p: found.p }]
    })
    return {
      tables: [
        {
          id,
          title: 'Accuracy by distance',
          columns: [text('model', 'Model'), number('distance', 'Symbolic distance'), estimate('accuracy', 'Accuracy')],
          rows: accuracyBy(frame, ['feature_distance'])
            .filter(({ key }) => key['feature_distance'] !== null)
            .map(({ model, key, accuracy }) => ({ model, distance: level(key['feature_distance'] ?? null), accuracy })),
        },
        {
          id: `${id}-direction`,
          title: 'Rank correlation of being right with distance',
          columns: [
            text('model', 'Model'),
            number('n', 'Items'),
            estimate('correlation', 'Correlation', 'correlation'),
            number('p', 'p'),
          ],
          rows: effects,
        },
      ],
      figures: [
        {
          id,
          title: 'Accuracy by symbolic distance',
          table: id,
          x: { key: 'distance', label: 'Symbolic distance' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          marks: [
            { kind: 'interval', series: 'model' },
            { kind: 'line', series: 'model' },
          ],
        },
      ],
    }
  },
})

/** What a paired-flip config shows: how often a model says Yes both ways or No both ways about one context. */
export const flips: Analysis = {
  id: 'recoglab/paired-flip',
  title: 'The same context asked about both ways',
  notes: [
    'One of the two right answers is Yes and the other No. Both Yes shows a bias to agree, both No a bias to deny; either is inconsistent whatever the truth. Pairs with an answer that could not be read count in `pairs` only.',
  ],
  needs: ['model', 'group', 'state', 'answer', 'feature_queryWord', 'feature_ask'],
  run(frame) {
    const answer = frame.category('answer')
    const said = (row: number) => answer.levels[answer.codes[row] as number]?.replaceAll('"', '')
    const apart = ['config', 'style', 'sample', 'group'].filter((name) => frame.has(name))
    const rows = byContestant(
      contestants(frame),
      Int32Array.from({ length: frame.length }, (_, i) => i),
    ).flatMap(({ contestant, rows: mine }) => {
      const pairs = partition(frame, apart, mine).filter((part) => part.rows.length === 2)
      const read = pairs.map((part) =>
        [...part.rows]
          .map(said)
          .sort((x = '', y = '') => (x < y ? -1 : 1))
          .join(' '),
      )
      const count = (pattern: string) => read.filter((pair) => pair === pattern).length
      if (pairs.length === 0) return []
      const readable = count('Yes Yes') + count('No No') + count('No Yes')
      return [
        {
          model: contestant,
          pairs: pairs.length,
          bothYes: count('Yes Yes'),
          bothNo: count('No No'),
          consistent: count('No Yes'),
          inconsistent: readable === 0 ? null : (count('Yes Yes') + count('No No')) / readable,
        },
      ]
    })
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'recoglab/paired-flip',
          title: 'Answers to both ways of asking',
          columns: [
            text('model', 'Model'),
            number('pairs', 'Pairs'),
            number('bothYes', 'Both Yes'),
            number('bothNo', 'Both No'),
            number('consistent', 'One of each'),
            { key: 'inconsistent', label: 'Inconsistent', kind: 'share', unit: 'share' },
          ],
          rows,
        },
      ],
    }
  },
}

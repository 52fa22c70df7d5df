import type { Analysis, AnalysisOptions, Frame } from '../../../core/analysis.ts'
import { column } from '../../../core/columns.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  clusteredShare,
  mean,
  partition,
  scores,
  systems,
  take,
} from '../../../libraries/statistics/index.ts'

const ALL = 'all'

/**
 * Tables 9 and 10: accuracy, accuracy without nulls, nulls, of all and of each part. A null is a response in which no answer
 * was read, mostly one that was cut before it came to one.
 */
export const nulls: Analysis = {
  id: 'clutrr/nulls',
  title: 'Kinship: accuracy with and without nulls',
  source: { paper: 'PBEBench', item: 'tables 9 and 10' },
  notes: [
    'A null is a response that was cut, refused or not read. Accuracy counts it as wrong, the other leaves it out.',
    'Published: an answer is compared to the letter, as in the paper. Elsewhere its form does not matter.',
  ],
  needs: ['item', 'model', 'state', 'value', 'feature_part'],
  run(frame, options) {
    const value = scores(frame)
    const isRead = readIn(frame)
    const clusters = clusterCodes(frame, allRows(frame))
    const published = publishedReading(options)
    const counted = allRows(frame).filter((row) => !Number.isNaN(value[row] as number))
    const rows = bySystem(systems(frame), counted).flatMap(({ contestant, rows: own }) =>
      parts(frame, own).flatMap(({ part, rows: mine }) => {
        const read = mine.filter(isRead)
        const share = (chosen: Int32Array) => clusteredShare(take(value, chosen), take(clusters, chosen))
        const accuracy = share(mine)
        return accuracy === null
          ? []
          : [
              {
                model: contestant,
                part,
                items: mine.length,
                accuracy,
                nonNull: read.length === 0 ? null : share(read),
                nulls: mine.length - read.length,
                ...published(mine),
              },
            ]
      }),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'clutrr/nulls',
          title: 'Accuracy of all and of what was read',
          columns: [
            column.text('model', 'Model'),
            column.text('part', 'Part'),
            column.number('items', 'Answers'),
            column.estimate('accuracy', 'Accuracy'),
            column.estimate('nonNull', 'Without nulls'),
            column.number('nulls', 'Nulls'),
            column.share('accuracyPublished', 'Accuracy, published'),
            column.share('nonNullPublished', 'Without nulls, published'),
          ],
          rows,
        },
      ],
    }
  },
}

const readIn = (frame: Frame): ((row: number) => boolean) => {
  const { codes, levels } = frame.category('state')
  const graded = levels.indexOf('graded')
  return (row) => codes[row] === graded
}

/** Accuracy of rows, and of those with an answer, as the paper reads them. */
function publishedReading({ frameOf }: AnalysisOptions) {
  const frame = frameOf('published')
  if (frame === null) return () => ({ accuracyPublished: null, nonNullPublished: null })
  const [value, isRead] = [scores(frame), readIn(frame)]
  const share = (rows: Int32Array) => (rows.length === 0 ? null : mean(take(value, rows)))
  return (rows: Int32Array) => {
    const counted = rows.filter((row) => !Number.isNaN(value[row] as number))
    return { accuracyPublished: share(counted), nonNullPublished: share(counted.filter(isRead)) }
  }
}

/** All rows; and by part, where there are several. */
function parts(frame: Frame, rows: Int32Array): readonly { readonly part: string; readonly rows: Int32Array }[] {
  const split = partition(frame, ['feature_part'], rows).map(({ key, rows: own }) => ({
    part: key['feature_part'] ?? '',
    rows: own,
  }))
  const whole = { part: ALL, rows }
  return split.length === 1 ? [whole] : [whole, ...split]
}

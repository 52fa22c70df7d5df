import { type Analysis, type AnalysisOptions, column, type Frame, table } from '../../../core/index.ts'
import {
  allRows,
  clusterCodes,
  clusteredShare,
  mean,
  partition,
  rowsWhere,
  scores,
  systemsIn,
  take,
} from '../../../libraries/statistics/index.ts'

/** Tables 9 and 10: accuracy with and without nulls, overall and by part. A null is a response without a prediction. */
const nulls: Analysis = {
  id: 'clutrr/nulls',
  title: 'Kinship: accuracy with and without nulls',
  source: { paper: 'PBEBench', item: 'tables 9 and 10' },
  notes: [
    'Null: unparsed, truncated or refused. Accuracy counts it as incorrect; "without nulls" excludes it.',
    'Published: answers must match to the letter, as in the paper; else their form does not matter.',
  ],
  needs: ['item', 'model', 'state', 'value', 'feature_part'],
  run(frame, options) {
    const value = scores(frame)
    const isGraded = gradedIn(frame)
    const clusters = clusterCodes(frame, allRows(frame))
    const published = publishedAccuracy(options)
    const counted = rowsWhere(allRows(frame), (row) => !Number.isNaN(value[row]))
    const accuracy = (rows: Int32Array) => clusteredShare(take(value, rows), take(clusters, rows))
    const parts = table(
      'clutrr/nulls',
      'Accuracy with and without nulls',
      [
        column.text('model', 'Model'),
        column.text('part', 'Part'),
        column.number('items', 'Responses'),
        column.estimate('accuracy', 'Accuracy'),
        column.estimate('nonNull', 'Without nulls'),
        column.number('nulls', 'Nulls'),
        column.share('accuracyPublished', 'Accuracy, published'),
        column.share('nonNullPublished', 'Without nulls, published'),
      ],
      systemsIn(frame, counted).flatMap(({ model, rows: own }) =>
        partsOf(frame, own).map(({ part, rows }) => {
          const graded = rows.filter(isGraded)
          return {
            model,
            part,
            items: rows.length,
            accuracy: accuracy(rows),
            nonNull: accuracy(graded),
            nulls: rows.length - graded.length,
            ...published(rows),
          }
        }),
      ),
    )
    return { tables: [parts] }
  },
}

const gradedIn = (frame: Frame): ((row: number) => boolean) => {
  const { codes, levels } = frame.category('state')
  const graded = levels.indexOf('graded')
  return (row) => codes[row] === graded
}

/** Accuracy with and without nulls under the parser of the paper. */
function publishedAccuracy({ frameOf }: AnalysisOptions) {
  const frame = frameOf('published')
  if (frame === null) return () => ({ accuracyPublished: null, nonNullPublished: null })
  const [value, isGraded] = [scores(frame), gradedIn(frame)]
  const accuracy = (rows: Int32Array) => (rows.length === 0 ? null : mean(take(value, rows)))
  return (rows: Int32Array) => {
    const counted = rows.filter((row) => !Number.isNaN(value[row] as number))
    return { accuracyPublished: accuracy(counted), nonNullPublished: accuracy(counted.filter(isGraded)) }
  }
}

/** All rows, and by part where there are several. */
function partsOf(frame: Frame, rows: Int32Array) {
  const parts = partition(frame, ['feature_part'], rows).map(({ key, rows: own }) => ({
    part: key['feature_part'] ?? '',
    rows: own,
  }))
  return [{ part: 'all', rows }, ...(parts.length > 1 ? parts : [])]
}

export const clutrrAnalyses: readonly Analysis[] = [nulls]

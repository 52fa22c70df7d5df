import { type Analysis, type AnalysisOptions, column, type Frame, tableOf } from '../../../core/index.ts'
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
export const nulls: Analysis = {
  id: 'clutrr/nulls',
  title: 'Kinship: accuracy with and without nulls',
  source: { paper: 'PBEBench', item: 'tables 9 and 10' },
  notes: [
    'Null: unparsed, truncated or refused. Accuracy counts it as incorrect; "without nulls" excludes it.',
    'Published: answers must match to the letter, as in the paper; else their form does not matter.',
  ],
  needs: ['item', 'model', 'status', 'score', 'feature_part'],
  run(frame, options) {
    const value = scores(frame)
    const isGraded = gradedIn(frame)
    const clusters = clusterCodes(frame, allRows(frame))
    const published = publishedAccuracy(options)
    const counted = rowsWhere(allRows(frame), (row) => !Number.isNaN(value[row]))
    const accuracy = (rows: Int32Array) => clusteredShare(take(value, rows), take(clusters, rows))
    const rows = systemsIn(frame, counted).flatMap(({ model, rows: own }) =>
      partsOf(frame, own).map(({ part, rows: all }) => ({ key: { model, part }, all, graded: all.filter(isGraded) })),
    )
    const named = [column.text('model', 'Model'), column.text('part', 'Part')]
    const parts = tableOf('clutrr/nulls', 'Accuracy with and without nulls', named, rows, [
      [column.number('items', 'Responses'), ({ all }) => all.length],
      [column.estimate('accuracy', 'Accuracy'), ({ all }) => accuracy(all)],
      [column.estimate('nonNull', 'Without nulls'), ({ graded }) => accuracy(graded)],
      [column.number('nulls', 'Nulls'), ({ all, graded }) => all.length - graded.length],
      [column.share('accuracyPublished', 'Accuracy, published'), ({ all }) => published(all, false)],
      [column.share('nonNullPublished', 'Without nulls, published'), ({ all }) => published(all, true)],
    ])
    const kinds = systemsIn(frame, counted).flatMap(({ model, rows: own }) =>
      factsAndHops(frame, own).map(({ key, rows: all }) => ({ key: { model, ...key }, all })),
    )
    const byFacts = tableOf(
      'clutrr/facts',
      'Accuracy by facts beside the chain and by its length',
      [column.text('model', 'Model'), column.text('facts', 'Facts'), column.number('hops', 'Sentences in the chain')],
      kinds,
      [
        [column.number('items', 'Responses'), ({ all }) => all.length],
        [column.estimate('accuracy', 'Accuracy'), ({ all }) => accuracy(all)],
      ],
    )
    return { tables: [parts, ...(kinds.length === 0 ? [] : [byFacts])] }
  },
}

const gradedIn = (frame: Frame): ((row: number) => boolean) => {
  const { codes, levels } = frame.category('status')
  const graded = levels.indexOf('graded')
  return (row) => codes[row] === graded
}

/** Accuracy under the parser of the paper, with or without nulls. */
function publishedAccuracy({ frameOf }: AnalysisOptions) {
  const frame = frameOf('published')
  if (frame === null) return () => null
  const [value, isGraded] = [scores(frame), gradedIn(frame)]
  return (rows: Int32Array, nonNull: boolean) => {
    const counted = rows.filter((row) => !Number.isNaN(value[row] as number) && (!nonNull || isGraded(row)))
    return counted.length === 0 ? null : mean(take(value, counted))
  }
}

/** Rows by kind of facts and hops; none where items do not tell their kind. */
const factsAndHops = (frame: Frame, rows: Int32Array) =>
  (frame.has('feature_facts') ? partition(frame, ['feature_facts', 'feature_hops'], rows) : [])
    .flatMap(({ key, rows: own }) => {
      const facts = key['feature_facts']
      return facts === null || facts === undefined
        ? []
        : [{ key: { facts, hops: Number(key['feature_hops']) }, rows: own }]
    })
    .sort((a, b) => a.key.facts.localeCompare(b.key.facts, 'en') || a.key.hops - b.key.hops)

/** All rows, and by part where there are several. */
function partsOf(frame: Frame, rows: Int32Array) {
  const parts = partition(frame, ['feature_part'], rows).map(({ key, rows: own }) => ({
    part: key['feature_part'] ?? '',
    rows: own,
  }))
  return [{ part: 'all', rows }, ...(parts.length > 1 ? parts : [])]
}

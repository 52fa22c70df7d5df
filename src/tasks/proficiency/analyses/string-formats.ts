import { type Analysis, column, everyTwo, type Frame, marksBy, tableOf } from '../../../core/index.ts'
import { clusteredMeanEstimate, partition, selectRows, varying } from '../../../libraries/statistics/index.ts'
import { AUC_COLUMNS, atDistance, aucCells } from './auc-of.ts'
import {
  alongExamples,
  curvesOf,
  distanceColumn,
  language,
  model,
  needs,
  outsideDistances,
  pointCells,
  pointsOf,
} from './contexts.ts'
import { aucDifference, clustersOf, type Pair, pairStrings } from './paired.ts'

/** Does the format of strings matter? The same strings in two formats, string by string. */
export const stringFormats: Analysis = {
  id: 'proficiency/writings',
  title: 'The same strings in two formats',
  notes: [
    'Formats: prompt styles (tokens spaced or joined, in another alphabet), and configs with another format. Pairs: the same string of the language, or one of equal length.',
    'Tokens per terminal: below 1 the tokenizer merges terminals (merged: share of tokens that span two). Nats per string are comparable, per token not.',
    'Differences: second − first. Nats: clustered by repetition and test; AUC at the smallest distance: bootstrap over the same clusters.',
  ],
  needs: [...needs, 'metric_misaligned'],
  run(frame, { seed }) {
    const formats = formatsIn(frame)
    const leading = [model, language, column.number('k', 'Examples'), column.text('first', 'First')]
    const compared = everyTwo(formats).flatMap(([first, second]) => comparisons(frame, first, second))
    const pairs = tableOf('proficiency/writings', 'Two formats, paired', leading, compared, [
      [column.text('second', 'Second'), ({ second }) => second],
      [column.number('pairs', 'Paired strings'), (one) => one.pairs.length],
      [column.number('tokensFirst', 'Tokens per terminal, first'), ({ of }) => of.first.tokens / of.first.terminals],
      [column.number('tokensSecond', 'second'), ({ of }) => of.second.tokens / of.second.terminals],
      [column.share('mergedFirst', 'Merged, first'), ({ of }) => of.first.merged / of.first.tokens],
      [column.share('mergedSecond', 'second'), ({ of }) => of.second.merged / of.second.tokens],
      [
        column.estimate('nats', 'Nats per string, difference', 'nats'),
        ({ inside }) =>
          clusteredMeanEstimate(
            inside.map(({ first, second }) => second.nats - first.nats),
            clustersOf(inside),
          ),
      ],
      [distanceColumn, ({ distance }) => distance],
      [
        column.estimate('auc', 'Length-matched AUC, difference', null),
        ({ name, distance, ...one }) => distance && aucDifference(one.pairs, distance, seed, name),
      ],
    ])
    const aucs = formats.flatMap(({ name, rows }) => {
      const curves = curvesOf(selectRows(frame, rows))
      const [distance] = outsideDistances(curves)
      return pointsOf(curves).flatMap((point) => {
        const cells = distance === undefined ? null : aucCells(point.contexts, atDistance(distance))
        return cells?.auc == null ? [] : [{ ...pointCells(point), format: name, distance: distance ?? null, ...cells }]
      })
    })
    const { tables, figures = [] } = alongExamples(
      ['proficiency/writings-auc', 'AUC by format'],
      [column.text('format', 'Format'), distanceColumn, ...AUC_COLUMNS],
      aucs,
      { y: { key: 'matched', label: 'Length-matched AUC' }, marks: marksBy('format', 'interval', 'line', 'point') },
    )
    return { tables: [pairs, ...tables], figures }
  },
}

interface StringFormat {
  readonly name: string
  readonly rows: Int32Array
}

function formatsIn(frame: Frame): readonly StringFormat[] {
  const axes = varying(frame, ['config', 'style'])
  return axes.length === 0
    ? []
    : partition(frame, axes).map(({ key, rows }) => ({ name: Object.values(key).join(', '), rows }))
}

/** The strings that two formats share, by model, language and number of examples. */
function comparisons(frame: Frame, a: StringFormat, b: StringFormat) {
  const [frameA, frameB] = [selectRows(frame, a.rows), selectRows(frame, b.rows)]
  const curvesB = curvesOf(frameB)
  return curvesOf(frameA).flatMap(({ model: name, language: of, byK }) => {
    const other = curvesB.find((curve) => curve.model === name && curve.language === of)
    return [...byK].flatMap(([k, contexts]) => {
      const pairs = pairStrings(contexts, other?.byK.get(k) ?? [])
      if (pairs.length === 0) return []
      const [distance = null] = outsideDistances([{ model: name, language: of, byK: new Map([[k, contexts]]) }])
      return [
        {
          key: { model: name, language: of, k, first: a.name },
          second: b.name,
          name: `${name} ${of} ${k}`,
          pairs,
          inside: pairs.filter(({ first }) => first.distance === '0'),
          of: { first: totalsOf(frameA, pairs, 'first'), second: totalsOf(frameB, pairs, 'second') },
          distance,
        },
      ]
    })
  })
}

function totalsOf(frame: Frame, pairs: readonly Pair[], which: 'first' | 'second') {
  const misaligned = frame.number('metric_misaligned')
  const total = (of: (string: Pair['first']) => number) => pairs.reduce((sum, pair) => sum + of(pair[which]), 0)
  return {
    tokens: total(({ tokens }) => tokens),
    terminals: total(({ terminals }) => terminals),
    merged: total(({ row }) => misaligned[row] as number),
  }
}

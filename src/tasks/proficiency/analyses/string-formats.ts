import { type Analysis, column, everyTwo, type Frame, marksBy, table } from '../../../core/index.ts'
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
    const pairs = table(
      'proficiency/writings',
      'Two formats, paired',
      [
        model,
        language,
        column.number('k', 'Examples'),
        column.text('first', 'First'),
        column.text('second', 'Second'),
        column.number('pairs', 'Paired strings'),
        column.number('tokensFirst', 'Tokens per terminal, first'),
        column.number('tokensSecond', 'second'),
        column.share('mergedFirst', 'Merged, first'),
        column.share('mergedSecond', 'second'),
        column.estimate('nats', 'Nats per string, difference', 'nats'),
        distanceColumn,
        column.estimate('auc', 'Length-matched AUC, difference', null),
      ],
      everyTwo(formats).flatMap(([first, second]) => comparisons(frame, first, second, seed)),
    )
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

function comparisons(frame: Frame, a: StringFormat, b: StringFormat, seed: number) {
  const [frameA, frameB] = [selectRows(frame, a.rows), selectRows(frame, b.rows)]
  const [curvesA, curvesB] = [curvesOf(frameA), curvesOf(frameB)]
  const merged = [frameA.number('metric_misaligned'), frameB.number('metric_misaligned')] as const
  return curvesA.flatMap(({ model: name, language: of, byK }) => {
    const other = curvesB.find((curve) => curve.model === name && curve.language === of)
    if (other === undefined) return []
    return [...byK].flatMap(([k, contexts]) => {
      const pairs = pairStrings(contexts, other.byK.get(k) ?? [])
      if (pairs.length === 0) return []
      const [distance] = outsideDistances([{ model: name, language: of, byK: new Map([[k, contexts]]) }])
      const inside = pairs.filter(({ first }) => first.distance === '0')
      const sum = (of: (pair: Pair) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
      const tokens = [sum(({ first }) => first.tokens), sum(({ second }) => second.tokens)] as const
      return [
        {
          model: name,
          language: of,
          k,
          first: a.name,
          second: b.name,
          pairs: pairs.length,
          tokensFirst: tokens[0] / sum(({ first }) => first.terminals),
          tokensSecond: tokens[1] / sum(({ second }) => second.terminals),
          mergedFirst: sum(({ first }) => merged[0][first.row] as number) / tokens[0],
          mergedSecond: sum(({ second }) => merged[1][second.row] as number) / tokens[1],
          nats: clusteredMeanEstimate(
            inside.map(({ first, second }) => second.nats - first.nats),
            clustersOf(inside),
          ),
          distance: distance ?? null,
          auc: distance === undefined ? null : aucDifference(pairs, distance, seed, `${name} ${of} ${k}`),
        },
      ]
    })
  })
}

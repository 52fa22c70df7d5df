import { type Analysis, type Estimate, everyTwo, type Frame, table } from '../../../core/index.ts'
import {
  analysisStream,
  clusterBootstrap,
  clusteredMeanEstimate,
  partition,
  selectRows,
  varying,
} from '../../../libraries/statistics/index.ts'
import {
  type Context,
  curvesOf,
  distanceColumn,
  estimate,
  language,
  lossOf,
  model,
  needs,
  number,
  outsideDistances,
  type ScoredString,
  share,
  text,
} from './contexts.ts'

/** Does the format of strings matter? The same strings in two formats, string by string. */
export const stringFormats: Analysis = {
  id: 'proficiency/writings',
  title: 'The same strings in two formats',
  notes: [
    'Formats: prompt styles (tokens spaced or joined), and configs with another format. Pairs: the same string of the language, or one of equal length.',
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
        number('k', 'Examples'),
        text('first', 'First'),
        text('second', 'Second'),
        number('pairs', 'Paired strings'),
        number('tokensFirst', 'Tokens per terminal, first'),
        number('tokensSecond', 'second'),
        share('mergedFirst', 'Merged, first'),
        share('mergedSecond', 'second'),
        estimate('nats', 'Nats per string, difference', 'nats'),
        distanceColumn,
        estimate('auc', 'Length-matched AUC, difference', null),
      ],
      everyTwo(formats).flatMap(([first, second]) => comparisons(frame, first, second, seed)),
    )
    return { tables: [pairs] }
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

interface Pair {
  readonly cluster: string
  readonly first: ScoredString
  readonly second: ScoredString
}

function comparisons(frame: Frame, a: StringFormat, b: StringFormat, seed: number) {
  const [frameA, frameB] = [selectRows(frame, a.rows), selectRows(frame, b.rows)]
  const [curvesA, curvesB] = [curvesOf(frameA), curvesOf(frameB)]
  const merged = [frameA.number('metric_misaligned'), frameB.number('metric_misaligned')] as const
  return curvesA.flatMap(({ model: name, language: of, byK }) => {
    const other = curvesB.find((curve) => curve.model === name && curve.language === of)
    if (other === undefined) return []
    return [...byK].flatMap(([k, contexts]) => {
      const pairs = pairsOf(contexts, other.byK.get(k) ?? [])
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
            numbered(inside).codes,
          ),
          distance: distance ?? null,
          auc: distance === undefined ? null : aucDifference(pairs, distance, seed, `${name} ${of} ${k}`),
        },
      ]
    })
  })
}

function pairsOf(first: readonly Context[], second: readonly Context[]): readonly Pair[] {
  const keyOf = (repetition: string, s: ScoredString) => `${repetition}/${s.test}/${s.distance}/${s.edit}`
  const others = new Map(
    second.flatMap(({ repetition, strings }) => strings.map((s) => [keyOf(repetition, s), s] as const)),
  )
  return first.flatMap(({ repetition, strings }) =>
    strings.flatMap((s): Pair[] => {
      const other = others.get(keyOf(repetition, s))
      const same = other !== undefined && other.length === s.length && close(other.floor, s.floor)
      return same ? [{ cluster: `${repetition}/${s.test}`, first: s, second: other }] : []
    }),
  )
}

/** Strings outside have no floor; those of the language are the same where its floor is. */
const close = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) < 1e-6

function numbered(pairs: readonly Pair[]): { readonly codes: Int32Array; readonly count: number } {
  const names = new Map<string, number>()
  const codes = Int32Array.from(pairs, ({ cluster }) => {
    const code = names.get(cluster) ?? names.size
    names.set(cluster, code)
    return code
  })
  return { codes, count: names.size }
}

const DRAWS = 400

function aucDifference(all: readonly Pair[], distance: string, seed: number, label: string): Estimate | null {
  const pairs = all.filter(({ first }) => first.distance === '0' || first.distance === distance)
  const { codes, count } = numbered(pairs)
  const strata = [
    ...Map.groupBy(pairs.keys(), (i) => `${pairs[i]?.cluster.split('/')[0]} ${pairs[i]?.first.length}`).values(),
  ]
  const losses = pairs.map(({ first, second }) => [lossOf(first), lossOf(second)] as const)
  const statistic = (counts: Int32Array): number | null => {
    let [total, gained] = [0, 0]
    for (const stratum of strata)
      for (const i of stratum) {
        if (pairs[i]?.first.distance !== '0') continue
        for (const j of stratum) {
          if (pairs[j]?.first.distance === '0') continue
          const weight = (counts[codes[i] as number] as number) * (counts[codes[j] as number] as number)
          if (weight === 0) continue
          const [own, other] = [losses[i] as (typeof losses)[0], losses[j] as (typeof losses)[0]]
          total += weight
          gained += weight * (wins(own[1], other[1]) - wins(own[0], other[0]))
        }
      }
    return total === 0 ? null : gained / total
  }
  const stream = analysisStream(seed, `proficiency/writings ${label}`)
  return clusterBootstrap(count, pairs.length, statistic, { stream, draws: DRAWS })
}

const wins = (inside: number, outside: number): number => (inside < outside ? 1 : inside === outside ? 0.5 : 0)

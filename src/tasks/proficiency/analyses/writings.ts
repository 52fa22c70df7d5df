import { type Analysis, column, type Estimate, type Frame } from '../../../core/index.ts'
import {
  analysisStream,
  clusterBootstrap,
  clusteredMeanEstimate,
  partition,
  selectRows,
} from '../../../libraries/statistics/index.ts'
import {
  type Context,
  curvesOf,
  distancesOf,
  estimate,
  lossOf,
  needs,
  number,
  type ScoredString,
  text,
} from './cells.ts'

/** Does it matter how a language is written? The same strings in two ways of writing, string by string. */
export const writings: Analysis = {
  id: 'proficiency/writings',
  title: 'The same strings written in two ways',
  notes: [
    'Ways of writing are styles (tokens set apart or run together) and configs that differ in their format; strings are paired by language, repetition, examples and place, and a pair counts only where both are the same string of the language or have the same length.',
    'Tokens a terminal: below 1 the tokenizer merges terminals, which then have no loss of their own (merged: the share of tokens that span two). Nats a string compare the same events whatever the tokens are; the paper’s loss a token does not.',
    'Differences are second - first. Of nats over strings of the language, clustered by repetition and test; of the length-matched AUC at the smallest distance by drawing those clusters again, the same for both.',
  ],
  needs: [...needs, 'measured_misaligned'],
  run(frame, { seed }) {
    const ways = waysOf(frame)
    const rows = ways.flatMap((first, i) =>
      ways.slice(i + 1).flatMap((second) => comparisons(frame, first, second, seed)),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'proficiency/writings',
          title: 'Two ways of writing, paired',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            number('k', 'Examples'),
            text('first', 'First'),
            text('second', 'Second'),
            number('pairs', 'Paired strings'),
            number('tokensFirst', 'Tokens a terminal, first'),
            number('tokensSecond', 'second'),
            column.share('mergedFirst', 'Merged, first'),
            column.share('mergedSecond', 'second'),
            estimate('nats', 'Nats a string, difference', 'nats'),
            text('distance', 'Distance'),
            estimate('auc', 'Length-matched AUC, difference', null),
          ],
          rows,
        },
      ],
    }
  },
}

interface Way {
  readonly name: string
  readonly rows: Int32Array
}

function waysOf(frame: Frame): readonly Way[] {
  const axes = ['config', 'style'].filter((axis) => frame.has(axis) && partition(frame, [axis]).length > 1)
  if (axes.length === 0) return []
  return partition(frame, axes).map(({ key, rows }) => ({ name: Object.values(key).join(', '), rows }))
}

interface Pair {
  readonly cluster: string
  readonly first: ScoredString
  readonly second: ScoredString
}

function comparisons(frame: Frame, a: Way, b: Way, seed: number) {
  const [frameA, frameB] = [selectRows(frame, a.rows), selectRows(frame, b.rows)]
  const [curvesA, curvesB] = [curvesOf(frameA), curvesOf(frameB)]
  const merged = [frameA.number('measured_misaligned'), frameB.number('measured_misaligned')] as const
  return curvesA.flatMap(({ model, language, byK }) => {
    const other = curvesB.find((curve) => curve.model === model && curve.language === language)
    if (other === undefined) return []
    return [...byK].flatMap(([k, contexts]) => {
      const pairs = pairsOf(contexts, other.byK.get(k) ?? [])
      if (pairs.length === 0) return []
      const [distance] = distancesOf([{ model, language, byK: new Map([[k, contexts]]) }]).filter((d) => d !== '0')
      const inside = pairs.filter(({ first }) => first.distance === '0')
      const sum = (of: (pair: Pair) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
      const tokens = [sum(({ first }) => first.tokens), sum(({ second }) => second.tokens)] as const
      return [
        {
          model,
          language,
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
          auc: distance === undefined ? null : aucDifference(pairs, distance, seed, `${model} ${language} ${k}`),
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

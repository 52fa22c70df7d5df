import type { Estimate, Frame } from '../../core/analysis.ts'
import { clusteredShare } from './clustered-mean.ts'
import { clusterCodes, scores } from './frames/outcomes.ts'
import { allRows, partition, take, takeKnown } from './frames/partition.ts'
import { systemsIn } from './frames/systems.ts'
import { meanOrNull, sum } from './moments.ts'

/** The result of one pair of style and parser for a model. */
export interface StyleParserScore {
  readonly model: string
  readonly style: string
  readonly parser: string
  /** Over all planned calls without errors. */
  readonly accuracy: Estimate
  /** Fraction of these that were parsed. */
  readonly read: number
  /** Mean output tokens per call; null: not reported. */
  readonly outputTokens: number | null
  /** Cost of the style's calls of this model in USD; null: unknown. Parsers cost nothing. */
  readonly usd: number | null
}

/** The pair selected for a model, and all pairs tried. */
export interface Selected {
  readonly model: string
  readonly best: StyleParserScore
  /** Other pairs with the same accuracy, in tie-breaking order. */
  readonly tied: readonly StyleParserScore[]
  readonly tried: readonly StyleParserScore[]
  /** Cost of trying, each style once. */
  readonly usd: number | null
}

/**
 * How {@link selectStyleAndParser} breaks ties, as text for a table.
 *
 * @example
 * import { tieRule } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(tieRule.split(';')[0]) // highest accuracy
 */
export const tieRule =
  'highest accuracy; then more parsed responses; then fewer output tokens; then the order of styles and parsers in the task'

/**
 * The best pair of style and parser for each model on the rows of a validation run (Liu et al. 2025, appendix A: prompt
 * and parser are hyper-parameters, chosen per model). `frameOf` gives the rows as one parser read them. Ties: see
 * {@link tieRule}.
 *
 * @example
 * import { memoryFrame, selectStyleAndParser } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ style: ['plain', 'plain', 'plain'], model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], status: ['graded', 'unparsed', 'graded'], score: [1, null, 0.5] })
 * const chosen = selectStyleAndParser(() => frame, { styles: ['plain'], parsers: ['strict'] })
 * console.log(chosen.map(({ model, best }) => `${model}: ${best.style}, ${best.parser}`)) // [ 'a: plain, strict', 'b: plain, strict' ]
 */
export function selectStyleAndParser(
  frameOf: (parser: string) => Frame | null,
  order: { readonly styles: readonly string[]; readonly parsers: readonly string[] },
): Selected[] {
  const tried = order.parsers.flatMap((parser) => {
    const frame = frameOf(parser)
    return frame === null ? [] : scoresOf(frame, parser)
  })
  const rank = (list: readonly string[], name: string) => (list.includes(name) ? list.indexOf(name) : list.length)
  const better = (a: StyleParserScore, b: StyleParserScore): number =>
    b.accuracy.value - a.accuracy.value ||
    b.read - a.read ||
    (a.outputTokens ?? 0) - (b.outputTokens ?? 0) ||
    rank(order.styles, a.style) - rank(order.styles, b.style) ||
    rank(order.parsers, a.parser) - rank(order.parsers, b.parser)
  return [...new Set(tried.map((pair) => pair.model))].map((model) => {
    const own = tried.filter((pair) => pair.model === model).sort(better)
    const best = own[0] as StyleParserScore
    const byStyle = new Map(own.map((pair) => [pair.style, pair.usd]))
    const costs = [...byStyle.values()]
    return {
      model,
      best,
      tied: own.slice(1).filter((pair) => pair.accuracy.value === best.accuracy.value),
      tried: own,
      usd: costs.includes(null) ? null : costs.reduce<number>((sum, usd) => sum + (usd as number), 0),
    }
  })
}

function scoresOf(frame: Frame, parser: string): StyleParserScore[] {
  const value = scores(frame)
  const state = frame.category('status')
  const usable = allRows(frame).filter((row) => !Number.isNaN(value[row] as number))
  return systemsIn(frame, usable).flatMap(({ model, rows }) =>
    partition(frame, ['style'], rows).flatMap((part): StyleParserScore[] => {
      const own = take(value, part.rows)
      const accuracy = clusteredShare(own, clusterCodes(frame, part.rows, own))
      if (accuracy === null) return []
      const read = part.rows.filter((row) => state.levels[state.codes[row] as number] === 'graded').length
      return [
        {
          model,
          style: part.key['style'] ?? '',
          parser,
          accuracy,
          read: read / part.rows.length,
          outputTokens: average(frame, 'output_tokens', part.rows),
          usd: total(frame, part.rows),
        },
      ]
    }),
  )
}

function known(frame: Frame, column: string, rows: Int32Array): Float64Array {
  if (!frame.has(column)) return new Float64Array(0)
  return takeKnown(frame.number(column), rows)
}

function average(frame: Frame, column: string, rows: Int32Array): number | null {
  return meanOrNull(known(frame, column, rows))
}

function total(frame: Frame, rows: Int32Array): number | null {
  const values = known(frame, 'usd', rows)
  return values.length < rows.length ? null : sum(values)
}

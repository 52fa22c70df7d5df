import { below, type Stream } from '../../../../core/index.ts'
import type { Exchange } from '../types.ts'
import { applyExchange } from './edits.ts'

/** Maximum n of equal n-gram counts. */
export const highestOrder = 3

interface Twin {
  readonly tokens: readonly string[]
  readonly order: number
  readonly exchanges: readonly Exchange[]
}

const triesPerOrder = 300
const maxExchanges = 3

/**
 * A string with the k-gram counts of `tokens`, both boundaries included, that `fits`: at the highest order from
 * `highest` down to 1 where one is found; null where none is found at any. Segments that follow equal k-1 tokens and
 * are followed by starts of equal contexts change places, so no k-gram is made or lost.
 */
export function findTwin(
  tokens: readonly string[],
  highest: number,
  fits: (tokens: readonly string[]) => boolean,
  stream: Stream,
): Twin | null {
  for (let order = highest; order >= 1; order--)
    for (let tries = 0; tries < triesPerOrder; tries++) {
      const found = exchanged(tokens, order, 1 + below(stream, maxExchanges), stream)
      if (found !== null && fits(found.tokens)) return found
    }
  return null
}

function exchanged(tokens: readonly string[], order: number, times: number, stream: Stream): Twin | null {
  let now = tokens
  const exchanges: Exchange[] = []
  for (let i = 0; i < times; i++) {
    const exchange = drawExchange(now, order, stream)
    if (exchange === null) break
    now = applyExchange(now, exchange) as readonly string[]
    exchanges.push(exchange)
  }
  return exchanges.length === 0 ? null : { tokens: now, order, exchanges }
}

/** Two places of one context, then two of another (or of the same) between and behind them; null where a draw has none. */
function drawExchange(tokens: readonly string[], order: number, stream: Stream): Exchange | null {
  const width = order - 1
  const places = tokens.length + 1 - width
  if (places < 3) return null
  const context = (at: number) => tokens.slice(at - width, at).join(' ')
  const from = width + below(stream, places)
  const later = placesAfter(tokens, from, context(from), context)
  if (later.length === 0) return null
  const second = later[below(stream, later.length)] as number
  const ends = endsOf(tokens, from, second, context)
  const chosen = ends[ends.length === 0 ? 0 : below(stream, ends.length)]
  return chosen === undefined ? null : [from, chosen[0], second, chosen[1]]
}

const placesAfter = (
  tokens: readonly string[],
  from: number,
  wanted: string,
  context: (at: number) => string,
): number[] => {
  const out: number[] = []
  for (let at = from + 1; at <= tokens.length; at++) if (context(at) === wanted) out.push(at)
  return out
}

function endsOf(
  tokens: readonly string[],
  first: number,
  second: number,
  context: (at: number) => string,
): (readonly [number, number])[] {
  const behind = new Map<string, number[]>()
  for (let at = second + 1; at <= tokens.length; at++) {
    const list = behind.get(context(at)) ?? []
    behind.set(context(at), list)
    list.push(at)
  }
  const out: (readonly [number, number])[] = []
  for (let at = first + 1; at <= second; at++) for (const end of behind.get(context(at)) ?? []) out.push([at, end])
  return out
}

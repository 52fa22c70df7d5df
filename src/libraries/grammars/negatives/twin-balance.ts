import type { Exchange } from './exchange.ts'

/**
 * Which twins to take so that the n-grams that exchanges bring into strings outside the language are those that they take
 * out of strings inside it, in number. A twin is taken with odds of the product of weights of what it brings over the
 * product of weights of what it loses; weights are learned from twins that were taken, each lowered where it was brought
 * and raised where it was lost, until both are as frequent. N-grams of order 3 and 4 have a weight each, and share one with
 * those about as frequent in members. Arithmetic in a fixed order only: the same everywhere.
 */
export interface TwinBalance {
  /** The chance, 0..1, of taking this twin. */
  chance(member: Int32Array, twin: Int32Array, exchange: Exchange, k: number): number
  /** Learns from a twin that was taken; `step` is the share by which a weight moves, above 0 and below 1. */
  learn(member: Int32Array, twin: Int32Array, exchange: Exchange, k: number, step: number): void
}

const SLOTS = 1 << 15
const ORDERS = [3, 4] as const
/** Shared weights an order: by the power of two of the number of times that members of the sample hold the n-gram. */
const BINS = 12

/** A balance that knows nothing yet but `members`, strings of the language that say what is frequent there. */
export function twinBalance(members: Iterable<Int32Array>, terminals: number): TwinBalance {
  const own = new Float64Array(SLOTS).fill(1)
  const shared = new Float64Array(ORDERS.length * BINS).fill(1)
  const counts = new Uint16Array(SLOTS)
  for (const tokens of members)
    for (const order of ORDERS)
      for (let at = 1 - order; at < tokens.length; at++) {
        const slot = slotOf(tokens, at, order)
        if (counts[slot]! < 65535) counts[slot]!++
      }

  /** N-grams whose hashes meet share a weight: one balance more or less. */
  function slotOf(tokens: Int32Array, at: number, order: number): number {
    let hash = order
    for (let i = at; i < at + order; i++) {
      const token = i < 0 || i >= tokens.length ? terminals : tokens[i]!
      hash = Math.imul(hash ^ token, 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return (Math.imul(hash, 0x85ebca6b) >>> 13) & (SLOTS - 1)
  }

  const binOf = (order: number, slot: number): number =>
    (order - 3) * BINS + Math.min(BINS - 1, 32 - Math.clz32(counts[slot]!))

  /** A slot and a bin of each n-gram found last; over four seams run at most as many as their orders. */
  const found = new Int32Array(2 * 4 * (3 + 4))

  /** Finds every n-gram that runs over a seam by more than the context that both sides share; how many there are. */
  function overSeams(tokens: Int32Array, seams: readonly [number, number, number, number], k: number): number {
    let size = 0
    for (const order of ORDERS) {
      let done = -order
      for (const seam of seams)
        for (let at = Math.max(seam - order + 1, done + 1); at <= seam - k; at++) {
          const slot = slotOf(tokens, at, order)
          found[size++] = slot
          found[size++] = binOf(order, slot)
          done = at
        }
    }
    return size
  }

  function product(size: number): number {
    let weight = 1
    for (let i = 0; i < size; i += 2) weight *= own[found[i]!]! * shared[found[i + 1]!]!
    return weight
  }

  const before = ({ p, x, q, y }: Exchange) => [p, x, q, y] as const
  const after = ({ p, x, q, y }: Exchange) => [p, p + y - q, p + y - x, y] as const

  return {
    chance(member, twin, exchange, k) {
      const brought = product(overSeams(twin, after(exchange), k))
      const lost = product(overSeams(member, before(exchange), k))
      return brought / (brought + lost)
    },
    learn(member, twin, exchange, k, step) {
      const brought = overSeams(twin, after(exchange), k)
      for (let i = 0; i < brought; i += 2) {
        own[found[i]!]! *= 1 - step
        shared[found[i + 1]!]! *= 1 - step / 4
      }
      const lost = overSeams(member, before(exchange), k)
      for (let i = 0; i < lost; i += 2) {
        own[found[i]!]! /= 1 - step
        shared[found[i + 1]!]! /= 1 - step / 4
      }
    },
  }
}

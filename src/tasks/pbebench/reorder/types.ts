import type { Rule } from '../../../libraries/rewriting/index.ts'

/** A scrambled cascade: which order of `rules` turns the inputs into the outputs? */
export interface Scrambled {
  readonly [key: string]: readonly string[] | readonly Rule[]
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly rules: readonly Rule[]
}

/** Statements in the text of a response, counted without a judge (paper, F.9). */
export interface Work {
  readonly [key: string]: readonly (readonly number[])[] | number | boolean
  /** [kind, from, to]: 1 feeds, 2 bleeds, by rule number. */
  readonly relations: readonly (readonly number[])[]
  /** [first, second]: "first must come before second". */
  readonly precedences: readonly (readonly number[])[]
  /** Different complete orders written down. */
  readonly tried: number
  readonly counter: boolean
  /** Code units of the response. */
  readonly length: number
}

/** `order[k]`: the number (from 0) of the rule that runs k-th. */
export type OrderAnswer = { readonly order: readonly number[]; readonly work?: Work }

/** The rules in the order of an answer. */
export const inOrder = (rules: readonly Rule[], order: readonly number[]): readonly Rule[] =>
  order.map((k) => rules[k] as Rule)

export const isOrder = (order: readonly number[], length: number): boolean =>
  order.length === length &&
  order.every((k) => Number.isInteger(k) && k >= 0 && k < length) &&
  new Set(order).size === length

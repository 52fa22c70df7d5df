import type { Rule } from '../../libraries/rewriting/index.ts'

/** Limits of an answer, stated in the prompt and checked. */
export interface Limits {
  readonly [key: string]: number | boolean | string
  /** The most rules that are read; later ones are ignored. */
  readonly rules: number
  /** The longest side of a rule. */
  readonly side: number
  /**
   * Letters of one cascade that gives the outputs: used by generator and search, stated by some styles, and required by
   * the released check. Ours allows any letter. Empty: unknown.
   */
  readonly letters: string
  /** How lengths are counted: code points, or graphemes (a base with its combining marks). */
  readonly count: 'code-points' | 'graphemes'
  /** The examples determine the rules, and the score asks that these hold on words that are not shown. */
  readonly determined?: true
}

/** Input words and what becomes of them, by position. */
export interface Pairs {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

/** The question of `induce` and `sound-laws`: find a cascade that turns every input into its output. */
export interface Examples extends Pairs {
  readonly [key: string]: readonly string[] | Limits
  readonly limits: Limits
}

/** An answer as extracted: null stands for something in the list that is no replace call. */
export type CascadeAnswer = readonly (Rule | null)[]

/** A rule that can be run, if it keeps to the limits. */
export const isRule = (rule: Rule | null): rule is Rule => rule !== null && rule.length === 2

/** One rule as the prompts and the published files write it. */
export const ruleText = ([left, right]: Rule): string => `replace('${quote(left)}', '${quote(right)}')`

const quote = (text: string): string => text.replace(/[\\']/g, (mark) => `\\${mark}`)

import type { Rule } from '../../libraries/rewriting/index.ts'

/** What an answer may look like, told to the model and checked. */
export interface Limits {
  readonly [key: string]: number | boolean | string
  /** The most rules that are read; later ones are ignored. */
  readonly rules: number
  /** The longest side of a rule. */
  readonly side: number
  /**
   * Letters of which one cascade that gives the outputs is made: where generator and search look, what some styles tell,
   * and what the released check holds answers to. Ours takes any letter. Empty: not known.
   */
  readonly letters: string
  /** How lengths are counted: code points, or graphemes (a base with its combining marks). */
  readonly count: 'code-points' | 'graphemes'
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

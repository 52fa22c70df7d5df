import { z } from 'zod'
import type { Setting } from './setting.ts'

/** Lower-case letters without l to t: the alphabet of the small published set. */
export const LITE_LETTERS = 'abcdefghijkuvwxyz'
/** All 52 letters: the alphabet of the hard published set. */
export const ALL_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

const range = (least: number, most: number) =>
  z
    .tuple([z.int().min(least).max(most), z.int().min(least).max(most)])
    .refine(([low, high]) => low <= high, 'the first number must not exceed the second')

export const alphabet = z
  .string()
  .min(2)
  .max(200)
  .refine((text) => new Set(text).size === [...text].length, 'a letter stands twice in the alphabet')
  .refine((text) => [...text].every((letter) => letter.length === 1), 'letters above U+FFFF are not supported')
  .refine(
    (text) => !/[\s"'`,()\\]/u.test(text),
    'blanks, quotes, commas, parentheses and backslashes cannot be letters',
  )

/** The knobs of the proposer that both synthetic tasks share (paper, section 3.1). */
export const proposerShape = {
  words: z.int().min(1).max(400).default(5).describe('word pairs an item (the paper: n)'),
  alphabet: alphabet.default(LITE_LETTERS).describe('letters of words and rules, each once'),
  wordLength: range(1, 30).default([2, 6]).describe('shortest and longest input word'),
  lengths: z
    .array(z.int().min(1).max(60))
    .min(1)
    .max(60)
    .refine((list) => new Set(list).size === list.length, 'a length stands twice in the list')
    .default([2, 3, 4, 5])
    .describe('numbers of rules in the planted cascade (the paper: L); items are balanced over them'),
  side: range(1, 6).default([1, 3]).describe('shortest and longest side of a rule (the paper: s)'),
  emptyRight: z.boolean().default(false).describe('may right sides be empty (deletion)?'),
  leftSides: z
    .enum(['intermediate', 'initial', 'alphabet'])
    .default('intermediate')
    .describe('where left sides come from: substrings of the words so far (released code), of the inputs, or any text'),
  changed: z
    .strictObject({
      min: z.int().min(1).max(400).describe('fewest words a rule must change'),
      max: z.int().min(1).max(400).nullable().describe('most words a rule may change; null: no limit'),
    })
    .default({ min: 1, max: null })
    .describe('how many words every rule changes: real sound laws touch many'),
  classifier: z
    .enum(['paper', 'exact'])
    .default('paper')
    .describe('what counts as feeding and bleeding: the released test, or the semantic definition'),
}

type Proposer = { readonly [K in keyof typeof proposerShape]: z.infer<(typeof proposerShape)[K]> } & {
  readonly minimal?: boolean
}

/** What the samplers read of a config. */
export const settingOf = (config: Proposer): Setting => ({
  words: config.words,
  wordLength: config.wordLength,
  letters: [...config.alphabet],
  side: config.side,
  emptyRight: config.emptyRight,
  leftSides: config.leftSides,
  changed: config.changed,
  classifier: config.classifier,
  minimal: config.minimal ?? false,
})

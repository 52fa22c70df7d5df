import { z } from 'zod'
import { between, pick, type Stream } from '../../../core/index.ts'

/** Lower-case letters without l to t: the alphabet of the small published set. */
export const LITE_LETTERS = 'abcdefghijkuvwxyz'
/** All 52 letters: the alphabet of the hard published set. */
export const ALL_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

const range = (least: number, most: number) =>
  z
    .tuple([z.int().min(least).max(most), z.int().min(least).max(most)])
    .refine(([low, high]) => low <= high, 'the first number must not exceed the second')

const letters = z
  .string()
  .min(2)
  .max(200)
  .refine((text) => new Set(text).size === [...text].length, 'a letter stands twice in the alphabet')
  .refine((text) => [...text].every((letter) => letter.length === 1), 'letters above U+FFFF are not supported')
  .refine(
    (text) => !/[\s"'`,()\\]/u.test(text),
    'blanks, quotes, commas, parentheses and backslashes cannot be letters',
  )

/** The parameters of the proposer that both synthetic tasks share (paper, section 3.1). */
export const proposerShape = {
  words: z.int().min(1).max(400).default(5).describe('word pairs per item (n in the paper)'),
  alphabet: letters.default(LITE_LETTERS).describe('letters of words and rules, each once'),
  wordLength: range(1, 30).default([2, 6]).describe('shortest and longest input word'),
  lengths: z
    .array(z.int().min(1).max(60))
    .min(1)
    .max(60)
    .refine((list) => new Set(list).size === list.length, 'duplicate length in the list')
    .default([2, 3, 4, 5])
    .describe('numbers of rules in the target cascade (L in the paper), balanced over items'),
  side: range(1, 6).default([1, 3]).describe('shortest and longest side of a rule (s in the paper)'),
  emptyRight: z.boolean().default(false).describe('may right sides be empty (deletion)?'),
  leftSides: z
    .enum(['intermediate', 'initial', 'alphabet'])
    .default('intermediate')
    .describe('source of left sides: substrings of the current words (released code), of the inputs, or any text'),
  changed: z
    .strictObject({
      min: z.int().min(1).max(400).describe('minimum number of words that a rule changes'),
      max: z.int().min(1).max(400).nullable().describe('maximum number of words that a rule changes; null: no limit'),
    })
    .default({ min: 1, max: null })
    .describe('how many words every rule changes'),
  classifier: z
    .enum(['paper', 'exact'])
    .default('paper')
    .describe('definition of feeding and bleeding: the released test, or the semantic one'),
}

const proposer = z.object(proposerShape)
type Proposer = z.infer<typeof proposer> & { readonly minimal?: boolean }

/** The distribution of words and rules. Sides and words are counted in letters, every letter is one UTF-16 unit. */
export interface Setting extends Readonly<Omit<Proposer, 'alphabet' | 'lengths'>> {
  readonly letters: readonly string[]
  /** Is a cascade kept only if fewer rules are proved not to give its outputs? */
  readonly minimal: boolean
}

/** What the samplers read of a config. */
export const settingOf = ({ alphabet, minimal = false, ...config }: Proposer): Setting => ({
  ...config,
  letters: [...alphabet],
  minimal,
})

/** The setting of the small published set. */
export const liteSetting: Setting = settingOf(proposer.parse({}))

/** Word pairs with the cascade that was planted. */
export interface Instance {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly rules: readonly (readonly [left: string, right: string])[]
}

function text(stream: Stream, from: readonly string[], length: number): string {
  let out = ''
  for (let n = length; n > 0; n--) out += pick(stream, from)
  return out
}

/** Words with independent uniform lengths and letters; equal words are allowed, as published. */
export function drawWords(stream: Stream, setting: Setting): string[] {
  const [low, high] = setting.wordLength
  return Array.from({ length: setting.words }, () => text(stream, setting.letters, between(stream, low, high)))
}

/** A right side: uniform length, then uniform letters. */
export function drawRight(stream: Stream, setting: Setting): string {
  const [low, high] = setting.side
  return text(stream, setting.letters, between(stream, setting.emptyRight ? 0 : low, high))
}

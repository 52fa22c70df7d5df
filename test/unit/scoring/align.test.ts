import { describe, expect, it } from 'vitest'
import { type PromptToken, tokensOfText } from '../../../src/models/scoring/align.ts'

/** Tokens that are scored -1, -2, ... by their place; the first is not. */
const prompt = (...tokens: readonly (readonly [id: number, text: string])[]): readonly PromptToken[] =>
  tokens.map(([id, text], i) => ({ id, text, logprob: i === 0 ? null : -i }))
const bare = (tokens: readonly PromptToken[]): readonly PromptToken[] =>
  tokens.map(({ text, logprob }) => ({ text, logprob }))
const numbers = (tokens: readonly { readonly logprob: number }[]): readonly number[] => tokens.map((t) => t.logprob)

describe('tokens of a text', () => {
  it('are those behind the ids of the context, whatever the tokenizer makes of spaces', () => {
    // SentencePiece: words are told without the space before them.
    const tokens = prompt([1, ''], [7, 'the'], [8, 'cat'], [9, 'sat'], [5, '.'])
    const found = tokensOfText(tokens, 'the cat', ' sat.', [1, 7, 8])
    expect(found).toEqual([
      { text: ' sat', logprob: -3 },
      { text: '.', logprob: -4 },
    ])
    expect(() => tokensOfText(bare(tokens), 'the cat', ' sat.')).toThrow(/not the end of/u)
  })

  it('may be bytes and parts of characters: all are counted, a character is spelled once', () => {
    const tokens = prompt([1, 'a'], [2, '\n'], [226, '\uFFFD'], [130, '\uFFFD'], [172, '\uFFFD'], [3, 'x'])
    const found = tokensOfText(tokens, 'a\n', '€x', [1, 2])
    expect(found.map(({ text }) => text)).toEqual(['', '', '€', 'x'])
    expect(numbers(found)).toEqual([-2, -3, -4, -5])
    // The last character of a text, and nothing but one.
    expect(tokensOfText(tokens.slice(0, 5), 'a\n', '€', [1, 2]).map(({ text }) => text)).toEqual(['', '', '€'])
  })

  it('that servers spell as nothing are counted without ids, too', () => {
    const tokens = bare(prompt([1, 'a'], [2, '\n'], [226, ''], [130, ''], [172, '€'], [3, 'x'], [4, '']))
    expect(numbers(tokensOfText(tokens, 'a\n', '€x'))).toEqual([-2, -3, -4, -5])
    expect(numbers(tokensOfText(tokens.slice(0, 6), '\n', 'x'))).toEqual([-5])
  })

  it('begin behind a beginning-of-text token that only the server puts there', () => {
    const tokens = prompt([1, '<s>'], [7, 'a'], [8, 'b'])
    expect(numbers(tokensOfText(tokens, 'a', 'b', [7]))).toEqual([-2])
    expect(numbers(tokensOfText(tokens, 'a', 'b', [1, 7]))).toEqual([-2])
    // Without a context there is nothing to go by but spelling.
    expect(numbers(tokensOfText(tokens, '', 'ab', []))).toEqual([-1, -2])
  })

  it('of a prompt whose ids begin otherwise are found by spelling, or not at all', () => {
    const tokens = prompt([1, 'a'], [9, '\nb'], [3, 'c'])
    expect(() => tokensOfText(tokens, 'a\n', 'bc', [1, 2])).toThrow(/straddles the start/u)
    expect(numbers(tokensOfText(tokens, 'a', '\nbc', [4]))).toEqual([-1, -2])
  })

  it('are their text together, and checked, whatever a server says they are', () => {
    const odd = prompt([1, 'a'], [2, 'zzz'], [3, '\uFFFD'], [4, 'c'])
    const found = tokensOfText(odd, 'a', 'bcd', [1])
    expect(found.map(({ text }) => text).join('')).toBe('bcd')
    expect(numbers(found)).toEqual([-1, -2, -3])
    for (const [logprob, words] of [
      [null, /has no log-probability/u],
      [Number.NaN, /NaN/u],
      [0.5, /above 0/u],
    ] as const)
      expect(() => tokensOfText([...odd, { id: 5, text: 'd', logprob }], 'a', 'bcdd', [1])).toThrow(words)
  })

  const long = 'one context that is long enough to be cut\n'
  const letters = (text: string): readonly PromptToken[] =>
    prompt(...[...text].map((letter) => [letter.charCodeAt(0), letter] as const))
  const ids = (text: string): readonly number[] => letters(text).map(({ id = 0 }) => id)

  it.each([
    ['the end of its context only', long.slice(-9)],
    ['all of its context but the first word', long.slice(4)],
    ['another context', long.replace('long', 'wide')],
  ])('are refused behind %s, with ids and without', (_what, scored) => {
    const tokens = letters(`${scored}xy`)
    expect(() => tokensOfText(tokens, long, 'xy', ids(long), ids(`${long}xy`))).toThrow(/scored/u)
    expect(() => tokensOfText(bare(tokens), long, 'xy')).toThrow(/scored the string behind/u)
    expect(numbers(tokensOfText(bare(letters(`${long}xy`)), long, 'xy'))).toHaveLength(2)
  })

  it('are refused behind a template, which is more than a special token or two', () => {
    const special = prompt([1, '<s>'], [2, '<t>'], [3, 'a'], [4, 'x'])
    expect(numbers(tokensOfText(bare(special), 'a', 'x'))).toEqual([-3])
    const template = prompt([1, '<s>'], [2, 'user'], [3, ':'], [4, 'a'], [5, 'x'])
    expect(() => tokensOfText(bare(template), 'a', 'x')).toThrow(/template/u)
  })

  it('may stand behind a context that the tokenizer writes in its own way', () => {
    const tokens = bare(letters(`${long.replaceAll(' ', '')}xy`))
    expect(numbers(tokensOfText(tokens, long, 'xy'))).toHaveLength(2)
    expect(numbers(tokensOfText(tokens.slice(3), long, 'xy'))).toHaveLength(2)
  })

  it('are those of all of the prompt, by the ids, also where they do not begin as the context does', () => {
    const tokens = letters(`${long}xy`).map((token) => ({ ...token, id: (token.id ?? 0) + 1 }))
    expect(() => tokensOfText(tokens, long, 'xy', ids(long), ids(`${long}xy`))).toThrow(/are not the \d+ that/u)
  })
})

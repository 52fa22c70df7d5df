import { describe, expect, it } from 'vitest'
import { openCompletions } from '../../../src/models/scoring/completions.ts'
import { type Behaviour, loopback, shapes } from './loopback.ts'

type Tokens = Parameters<Behaviour>[0]
const CONTEXT = 'a b c\nb a b c\n'
const TEXT = 'c a b a'
const START = CONTEXT.length

/** What a server that passed the probe may make of the tokens of a prompt. */
const lies: readonly (readonly [what: string, lie: (tokens: Tokens) => Tokens])[] = [
  ['the last token is missing', (tokens) => tokens.slice(0, -1)],
  ['a token in the middle is missing', (tokens) => tokens.filter((_, i) => i !== START + 2)],
  ['a token comes twice', (tokens) => [...tokens, tokens.at(-1)!]],
  ['the tokens are of another string', (tokens) => [...tokens.slice(0, START), ...tokens.slice(START).reverse()]],
  ['the string is not there', (tokens) => tokens.slice(0, START)],
  ['a token has no log-probability', (tokens) => tokens.map((t, i) => (i === START + 1 ? { ...t, logprob: null } : t))],
  ['a log-probability is above 0', (tokens) => tokens.map((t, i) => (i === START + 1 ? { ...t, logprob: 0.7 } : t))],
  [
    'a log-probability is a text',
    (tokens) => tokens.map((t, i) => (i === START + 1 ? { ...t, logprob: 'NaN' as never } : t)),
  ],
  [
    'a log-probability is what servers write for none',
    (tokens) => tokens.map((t, i) => (i === START + 1 ? { ...t, logprob: -9999 } : t)),
  ],
  [
    'letters are put in another case',
    (tokens) => tokens.map((t, i) => (i < START ? t : { ...t, text: t.text.toUpperCase() })),
  ],
]

describe.each(Object.keys(shapes) as (keyof typeof shapes)[])(
  'a server that lies behind its probe, in shape %s',
  (shape) => {
    it('is believed where it does not', async () => {
      await using server = await loopback(shapes[shape])
      const model = openCompletions('m', { baseUrl: server.url, shape })
      const [tokens = []] = await model.score([{ context: CONTEXT, text: TEXT }])
      expect(tokens.map(({ text }) => text).join('')).toBe(TEXT)
      expect(tokens.length).toBe(TEXT.length)
    })

    it.each(lies)('%s: an error, or the loss all the same', async (_what, lie) => {
      const lying: Behaviour = (scored, body, path) =>
        shapes[shape](scored.length === START + TEXT.length ? lie(scored) : scored, body, path)
      await using honest = await loopback(shapes[shape])
      await using server = await loopback(lying)
      const losses = async (baseUrl: string) => {
        const [tokens = []] = await openCompletions('m', { baseUrl, shape }).score([{ context: CONTEXT, text: TEXT }])
        return tokens.map(({ logprob }) => logprob)
      }
      const found = await losses(server.url).catch((error: unknown) => error)
      if (found instanceof Error) expect(found).toMatchObject({ name: 'ScoringError' })
      else expect(found).toEqual(await losses(honest.url))
    })
  },
)

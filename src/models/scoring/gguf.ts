import { z } from 'zod'
import type { TokenLogprob } from '../../core/index.ts'
import { show, spelled } from './align.ts'
import { ScoringError } from './error.ts'
import { type GgufOptions, type LlamaModel, type LlamaSequence, readGguf, type Token } from './llama.ts'
import type { ScoringModel, StringToScore } from './model.ts'
import { serialize } from './serialize.ts'

/** Tokens of a context that are read at once, on a processor and on a GPU: between two such batches Ctrl-C is heard. */
const CHUNK = { off: 64, on: 512 }

/**
 * A GGUF file through node-llama-cpp: exact log-probabilities of the given tokens, the key-value cache of a shared
 * context kept. Context and string are tokenised apart, so that a token boundary lies between them.
 * @throws ScoringError where the file or the package is absent.
 */
export async function openGguf(file: string, options: GgufOptions = {}): Promise<ScoringModel> {
  const gguf = await readGguf(file, options)
  const { model, sequence, size } = gguf
  const chunk = (options.gpu ?? 'off') === 'off' ? CHUNK.off : CHUNK.on

  async function scoreOne({ context: before, text }: StringToScore, signal?: AbortSignal): Promise<TokenLogprob[]> {
    const prefix = model.tokenize(before)
    const { bos, shouldPrependBosToken } = model.tokens
    if (bos !== null && prefix[0] !== bos && (shouldPrependBosToken || prefix.length === 0)) prefix.unshift(bos)
    const own = tokensAlone(model, text)
    const back = model.detokenize(own, false, prefix)
    if (back !== text)
      throw new ScoringError(
        'boundary',
        `the tokenizer of ${file} turns ${show(text)} into ${show(back)}; choose another separator`,
      )
    const tokens = [...prefix, ...own]
    if (tokens.length > size)
      throw new ScoringError('usage', `context and string have ${tokens.length} tokens, the context holds ${size}`)
    const logprobs = await evaluate(sequence, tokens, prefix.length, chunk, signal)
    const spelling = own.map((token, i) => ({
      text: model.detokenize([token], false, own.slice(Math.max(0, i - NEAR), i)),
      logprob: logprobs[i] as number,
    }))
    return spelled(spelling, text)
  }

  return {
    name: `gguf:${file}`,
    score: serialize(async (requests: readonly StringToScore[], signal?: AbortSignal) => {
      const out: TokenLogprob[][] = []
      for (const request of requests) {
        signal?.throwIfAborted()
        out.push(await scoreOne(request, signal))
      }
      return out
    }),
    async close() {
      await gguf[Symbol.asyncDispose]()
    },
  }
}

/**
 * ln P(token i | tokens before it) for i from `from`: logit - largest logit - ln(sum exp(logit - largest)). The largest
 * comes from greedy sampling with `includeSelected`: `filter.includeMax` of 3.22.1 never adds it and scores would be wrong.
 */
async function evaluate(
  sequence: LlamaSequence,
  tokens: readonly Token[],
  from: number,
  chunk: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const held = sequence.contextTokens
  let keep = 0
  while (keep < held.length && keep < from - 1 && held[keep] === tokens[keep]) keep++
  if (keep < held.length) await sequence.eraseContextTokenRanges([{ start: keep, end: held.length }])
  for (; keep < from - 1; keep = Math.min(keep + chunk, from - 1)) {
    signal?.throwIfAborted()
    await sequence.controlledEvaluate(tokens.slice(keep, Math.min(keep + chunk, from - 1)))
  }
  const input = tokens.slice(keep, -1).map((token, i): Token | readonly [Token, object] => {
    const at = keep + i
    if (at + 1 < from) return token
    const logits = { filter: { tokens: [tokens[at + 1]], includeSelected: true } }
    return [token, { generateNext: { totalLogitWeight: true, logits, options: { temperature: 0 } } }]
  })
  const evaluated = await sequence.controlledEvaluate(input)
  return tokens.slice(from).map((token, i) => {
    const found = evaluated[from - 1 + i - keep]?.next
    const logit = found?.logits.get(token)
    if (found === undefined || logit === undefined)
      throw new ScoringError('bad-answer', `node-llama-cpp gave no logit for token ${token} at position ${from + i}`)
    const logprob = logit - Math.max(...found.logits.values()) - Math.log(found.totalLogitWeight)
    if (!Number.isFinite(logprob))
      throw new ScoringError('bad-answer', `node-llama-cpp gave log-probability ${logprob} at position ${from + i}`)
    return Math.min(logprob, 0)
  })
}

/** Tokens before one that tell how it is spelled: a space, or the first bytes of its character. */
const NEAR = 8

/**
 * The tokens of a text that follows another one. SentencePiece puts a space before the first word of whatever it is given: there
 * the text is read behind a line break, which merges with nothing, and the break's tokens are taken off again.
 */
function tokensAlone(model: LlamaModel, text: string): Token[] {
  const plain = model.tokenize(text)
  if (model.detokenize(plain, false, model.tokenize('\n')) === text) return plain
  const anchor = model.tokenize('\n')
  const behind = model.tokenize(`\n${text}`)
  return anchor.every((token, i) => behind[i] === token) ? behind.slice(anchor.length) : plain
}

const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/u, 'a whole number above 0')
  .transform(Number)
const schema = z.strictObject({
  contextSize: count.optional(),
  threads: count.optional(),
  gpu: z.enum(['off', 'auto', 'cuda', 'metal', 'vulkan']).optional(),
})

/** `FILE?contextSize=8192&threads=4&gpu=auto`: the file, and how it is run. @throws ScoringError */
export function ggufSpec(spec: string): {
  readonly file: string
  readonly asked: Pick<GgufOptions, 'contextSize' | 'threads' | 'gpu'>
} {
  // A question mark may be part of a file's name: options are what looks like them.
  const [, file = spec, query = ''] = /^(.*)\?(\w+=[^?]*)$/su.exec(spec) ?? []
  const parsed = schema.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (parsed.success) {
    const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined)
    return { file, asked: Object.fromEntries(given) }
  }
  const [issue] = parsed.error.issues
  throw new ScoringError(
    'usage',
    `${spec}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'wrong'}; options: contextSize, threads, gpu (${schema.shape.gpu.unwrap().options.join(', ')})`,
  )
}

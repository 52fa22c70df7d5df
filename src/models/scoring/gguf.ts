import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TokenLogprob } from '../../core/index.ts'
import { show, spelled } from './align.ts'
import { ScoringError } from './error.ts'
import type { ScoreRequest, ScoringModel } from './model.ts'

/** What is used of node-llama-cpp 3.22, an optional peer dependency. */
interface LlamaModule {
  getLlama(options: object): Promise<Llama>
  readonly LlamaLogLevel: { readonly error: unknown }
}
interface Llama {
  loadModel(options: object): Promise<LlamaModel>
  dispose(): Promise<void>
}
type Token = number
interface LlamaModel {
  readonly tokens: { readonly bos: Token | null; readonly shouldPrependBosToken: boolean }
  tokenize(text: string): Token[]
  detokenize(tokens: readonly Token[], specialTokens: boolean, previous?: readonly Token[]): string
  createContext(options: object): Promise<LlamaContext>
  dispose(): Promise<void>
}
interface LlamaContext {
  readonly contextSize: number
  getSequence(): LlamaSequence
  dispose(): Promise<void>
}
interface LlamaSequence {
  readonly contextTokens: readonly Token[]
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>
  controlledEvaluate(input: readonly (Token | readonly [Token, object])[]): Promise<readonly (Evaluated | undefined)[]>
}
interface Evaluated {
  readonly next: { readonly logits: ReadonlyMap<Token, number>; readonly totalLogitWeight: number }
}

export interface GgufOptions {
  /** A folder whose node_modules holds node-llama-cpp; default: where this package finds it. */
  readonly modules?: string
  /** Tokens of context, default 4096. */
  readonly contextSize?: number
  /** Default 1: with more threads than free cores llama.cpp stalls. */
  readonly threads?: number
  /** What computes: `off` (default) the processor, `auto` what llama.cpp finds, or one kind of GPU. */
  readonly gpu?: 'off' | 'auto' | 'cuda' | 'metal' | 'vulkan'
}

/**
 * A GGUF file through node-llama-cpp: exact log-probabilities of the given tokens, the key-value cache of a shared
 * context kept. Context and string are tokenised apart, so that a token boundary lies between them.
 * @throws ScoringError where the file or the package is absent.
 */
export async function openGguf(file: string, options: GgufOptions = {}): Promise<ScoringModel> {
  if (!existsSync(file)) throw new ScoringError('missing', `there is no GGUF file ${file}; give gguf:PATH to one`)
  const module = await importLlama(options.modules)
  const { gpu = 'off' } = options
  const llama = await module.getLlama({
    gpu: gpu === 'off' ? false : gpu,
    build: 'never',
    skipDownload: true,
    logLevel: module.LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath: resolve(file), gpuLayers: gpu === 'off' ? 0 : 'auto' })
  const size = options.contextSize ?? 4096
  const context = await model.createContext({
    contextSize: size,
    batchSize: size,
    sequences: 1,
    threads: options.threads ?? 1,
  })
  const sequence = context.getSequence()

  async function scoreOne({ context: before, text }: ScoreRequest): Promise<TokenLogprob[]> {
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
    const logprobs = await evaluate(sequence, tokens, prefix.length)
    const spelling = own.map((token, i) => ({
      text: model.detokenize([token], false, own.slice(Math.max(0, i - NEAR), i)),
      logprob: logprobs[i] as number,
    }))
    return spelled(spelling, text)
  }

  return {
    name: `gguf:${file}`,
    async score(requests, signal) {
      const out: TokenLogprob[][] = []
      for (const request of requests) {
        signal?.throwIfAborted()
        out.push(await scoreOne(request))
      }
      return out
    },
    async close() {
      await context.dispose()
      await model.dispose()
      await llama.dispose()
    },
  }
}

/**
 * ln P(token i | tokens before it) for i from `from`: logit - largest logit - ln(sum exp(logit - largest)). The largest
 * comes from greedy sampling with `includeSelected`: `filter.includeMax` of 3.22.1 never adds it and scores would be wrong.
 */
async function evaluate(sequence: LlamaSequence, tokens: readonly Token[], from: number): Promise<number[]> {
  const held = sequence.contextTokens
  let keep = 0
  while (keep < held.length && keep < from - 1 && held[keep] === tokens[keep]) keep++
  if (keep < held.length) await sequence.eraseContextTokenRanges([{ start: keep, end: held.length }])
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

async function importLlama(modules: string | undefined): Promise<LlamaModule> {
  const name = 'node-llama-cpp'
  try {
    const from = modules === undefined ? import.meta.url : pathToFileURL(resolve(modules, 'package.json')).href
    return (await import(pathToFileURL(createRequire(from).resolve(name)).href)) as LlamaModule
  } catch (error) {
    throw new ScoringError(
      'missing',
      `gguf: models need the optional package ${name} (npm install --omit=optional ${name}@3.22.1 @node-llama-cpp/linux-x64@3.22.1): ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    )
  }
}

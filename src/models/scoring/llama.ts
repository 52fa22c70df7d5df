import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ScoringError } from './error.ts'

/** What is used of node-llama-cpp 3.22, an optional peer dependency. */
export interface LlamaModule {
  getLlama(options: object): Promise<Llama>
  readonly LlamaLogLevel: { readonly error: unknown }
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat
}
interface Llama {
  loadModel(options: object): Promise<LlamaModel>
  dispose(): Promise<void>
}
export type Token = number
export interface LlamaModel {
  readonly tokens: { readonly bos: Token | null; readonly shouldPrependBosToken: boolean }
  readonly tokenizer: unknown
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
export interface LlamaSequence {
  readonly contextTokens: readonly Token[]
  readonly tokenMeter: {
    getState(): object
    diff(before: object): { readonly usedInputTokens: number; readonly usedOutputTokens: number }
  }
  clearHistory(): Promise<void>
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>
  controlledEvaluate(input: readonly (Token | readonly [Token, object])[]): Promise<readonly (Evaluated | undefined)[]>
}
export interface Evaluated {
  readonly next: { readonly logits: ReadonlyMap<Token, number>; readonly totalLogitWeight: number }
}
export type ChatItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] }
export interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(state: { readonly chatHistory: readonly ChatItem[] }): {
      readonly contextText: { tokenize(tokenizer: unknown): readonly Token[] }
    }
  }
  generateResponse(
    history: readonly ChatItem[],
    options: object,
  ): Promise<{
    readonly fullResponse: readonly (string | { readonly segmentType: string; readonly text: string })[]
    readonly metadata: { readonly stopReason: string }
  }>
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

/** A GGUF file, read, with a context for one sequence of tokens. */
export interface OpenGguf extends AsyncDisposable {
  readonly module: LlamaModule
  readonly model: LlamaModel
  readonly sequence: LlamaSequence
  /** Tokens that the context holds. */
  readonly size: number
}

/**
 * Reads a GGUF file through node-llama-cpp; nothing is built or fetched.
 *
 * @param batch - most tokens that are read at once, default: all that the context holds.
 * @throws ScoringError where the file or the package is absent.
 */
export async function readGguf(file: string, options: GgufOptions, batch?: number): Promise<OpenGguf> {
  if (!existsSync(file)) throw new ScoringError('missing', `no GGUF file at ${file}. Give the path of a GGUF file`)
  const module = await importLlama(options.modules)
  const { gpu = 'off', contextSize: size = 4096, threads = 1 } = options
  const llama = await module.getLlama({
    gpu: gpu === 'off' ? false : gpu,
    build: 'never',
    skipDownload: true,
    logLevel: module.LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath: resolve(file), gpuLayers: gpu === 'off' ? 0 : 'auto' })
  const context = await model.createContext({
    contextSize: size,
    batchSize: Math.min(batch ?? size, size),
    sequences: 1,
    threads,
  })
  return {
    module,
    model,
    sequence: context.getSequence(),
    size,
    async [Symbol.asyncDispose]() {
      await context.dispose()
      await model.dispose()
      await llama.dispose()
    },
  }
}

async function importLlama(modules: string | undefined): Promise<LlamaModule> {
  const name = 'node-llama-cpp'
  try {
    const from = modules === undefined ? import.meta.url : pathToFileURL(resolve(modules, 'package.json')).href
    return (await import(pathToFileURL(createRequire(from).resolve(name)).href)) as LlamaModule
  } catch (error) {
    throw new ScoringError(
      'missing',
      `gguf: and llama: models need the optional package ${name} (npm install ${name}@3.22.1): ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    )
  }
}

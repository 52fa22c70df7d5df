import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { TokenLogprob } from '../../../core/index.ts'
import { ScoringError } from '../error.ts'
import type { ScoringModel, StringToScore } from '../model.ts'
import { serialize } from '../serialize.ts'
import { readWeights, shippedWeights } from './load.ts'
import { isOfSeries, seriesWeights } from './series.ts'
import { TinyTransformer } from './transformer.ts'

/** What the model reads first where the context is empty: it was trained on strings that begin after a newline. */
const opening = 10

/**
 * The tiny transformer of this package: 124,000 parameters, meta-trained in some ten CPU minutes on random synthetic
 * languages (tools/lm/README.md). It learns a language from its context; it is no large language model and knows no
 * natural language. One token is one character (its bytes' log-probabilities summed).
 *
 * @param name - a size of the series in the package at a step of its training (`40k@320`, or `40k` for the last), or a file of weights, such
 *   as a checkpoint of tools/lm/train.ts. Default: the weights in the package.
 * @throws ScoringError
 */
export async function openTiny(name = ''): Promise<ScoringModel> {
  if (name === '') return tinyModel(new TinyTransformer(await shippedWeights()))
  return isOfSeries(name) ? tinyModel(new TinyTransformer(await seriesWeights(name)), `tiny:${name}`) : openFile(name)
}

async function openFile(file: string): Promise<ScoringModel> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new ScoringError('missing', `cannot read the weights ${file}: ${error.message}`)
  })
  try {
    return tinyModel(new TinyTransformer(readWeights(bytes)), `tiny:${file}`)
  } catch (error) {
    throw new ScoringError(
      'usage',
      `${file} holds no weights of the tiny transformer (tools/lm/export.py and train.ts make them): ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** How long this thread computes before others have a turn, Ctrl-C among them, in ms. */
const TURN_MS = 50
let turn = performance.now()

async function breathe(signal?: AbortSignal): Promise<void> {
  if (performance.now() - turn < TURN_MS) return
  await setImmediate()
  turn = performance.now()
  signal?.throwIfAborted()
}

/** A scoring model over a transformer, which keeps what it read: a shared beginning is read once. */
export function tinyModel(transformer: TinyTransformer, name = 'tiny'): ScoringModel {
  const held: number[] = []
  const encoder = new TextEncoder()

  async function hold(bytes: readonly number[], signal?: AbortSignal): Promise<void> {
    let same = 0
    while (same < held.length && same < bytes.length && held[same] === bytes[same]) same++
    held.length = same
    transformer.rewind(same)
    for (let i = same; i < bytes.length; i++) {
      await breathe(signal)
      read(bytes[i] as number)
    }
  }
  function read(byte: number): void {
    transformer.read(byte)
    held.push(byte)
  }

  async function scoreOne({ context, text }: StringToScore, signal?: AbortSignal): Promise<TokenLogprob[]> {
    const before = [...encoder.encode(context)]
    await hold(before.length === 0 ? [opening] : before, signal)
    const alphabet = new Set([...before, ...encoder.encode(text)])
    return Array.from(text, (character) => {
      let [logprob, mass] = [0, 1]
      for (const byte of encoder.encode(character)) {
        const logprobs = transformer.logprobs as Float64Array
        logprob += logprobs[byte] as number
        mass *= [...alphabet].reduce((sum, one) => sum + Math.exp(logprobs[one] as number), 0)
        read(byte)
      }
      return { text: character, logprob, mass: Math.min(1, mass) }
    })
  }

  return {
    name,
    score: serialize(async (requests: readonly StringToScore[], signal?: AbortSignal) => {
      const out: TokenLogprob[][] = []
      for (const request of requests) {
        signal?.throwIfAborted()
        out.push(await scoreOne(request, signal))
      }
      return out
    }),
  }
}

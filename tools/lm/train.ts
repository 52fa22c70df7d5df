import { type Stream, shuffle } from '../../src/core/index.ts'
import type { TinyWeights } from '../../src/models/scoring/tiny/transformer.ts'
import { addGradient, type Parameters } from './gradient.ts'

export interface TrainOptions {
  /** For the order of the strings. */
  readonly stream: Stream
  /** Strings read in all, repeats counted; default 8 times those given, but at least 48 and at most 2048. */
  readonly strings?: number
  /** Adam's largest step, default 0.007: it grows over the first tenth of the training and falls to 0 at its end. */
  readonly rate?: number
}

const opening = 10
/** Strings whose gradients make one step. */
const batch = 8

/**
 * Trains the whole tiny transformer on strings, each after a newline and ended by one: back-propagation and Adam (Kingma and
 * Ba 2015) in plain TypeScript, some 40 strings of 72 tokens a second on one core. Gives new weights; the old ones are not changed. The
 * same weights, strings, stream and options give the same bits on one machine.
 * @throws RangeError without strings
 */
export function trainTiny(weights: TinyWeights, strings: readonly string[], options: TrainOptions): TinyWeights {
  if (strings.length === 0) throw new RangeError('training needs at least one string')
  const { stream, strings: most = Math.min(2048, Math.max(48, 8 * strings.length)), rate = 0.007 } = options
  const encoder = new TextEncoder()
  const texts = strings.map((text) => Uint8Array.of(opening, ...encoder.encode(`${text}\n`)))
  const parameters = parametersOf(weights)
  const adam = adamOf(parameters)
  const steps = Math.ceil(most / batch)
  let queue: Uint8Array[] = []
  for (let step = 1; step <= steps; step++) {
    let bytes = 0
    for (let i = 0; i < batch; i++) {
      if (queue.length === 0) queue = shuffle(stream, texts)
      const text = queue.pop() as Uint8Array
      addGradient(weights.shape, parameters, text)
      bytes += text.length - 1
    }
    const warm = Math.min(1, step / (0.1 * steps))
    adam(rate * warm * (1 - (step - 1) / steps), bytes)
  }
  const tensors = Object.entries(parameters).map(([name, { values }]) => [name, Float32Array.from(values)])
  return { shape: weights.shape, tensors: Object.fromEntries(tensors) }
}

const parametersOf = ({ tensors }: TinyWeights): Parameters =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, values]) => [
      name,
      { values: Float64Array.from(values), gradient: new Float64Array(values.length) },
    ]),
  )

/** A step against the gradient over `count` tokens, which is then set to 0. */
function adamOf(parameters: Parameters): (rate: number, count: number) => void {
  const moments = Object.values(parameters).map(({ values, gradient }) => ({
    values,
    gradient,
    first: new Float64Array(values.length),
    second: new Float64Array(values.length),
  }))
  let [fade, square] = [1, 1]
  return (rate, count) => {
    fade *= 0.9
    square *= 0.999
    for (const { values, gradient, first, second } of moments)
      for (let i = 0; i < values.length; i++) {
        const g = gradient[i]! / count
        first[i] = 0.9 * first[i]! + 0.1 * g
        second[i] = 0.999 * second[i]! + 0.001 * g * g
        values[i]! -= (rate * (first[i]! / (1 - fade))) / (Math.sqrt(second[i]! / (1 - square)) + 1e-8)
        gradient[i] = 0
      }
  }
}

/** The bytes of weights, as `readWeights` reads them: how a checkpoint is kept. */
export function writeWeights({ shape, tensors }: TinyWeights): Uint8Array {
  let offset = 0
  const entries = Object.entries(tensors).map(([name, values]) => {
    const entry = { name, shape: [values.length], offset }
    offset += values.length
    return entry
  })
  const text = JSON.stringify({ cfg: shape, tensors: entries })
  const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4))
  const bytes = new Uint8Array(4 + header.length + 4 * offset)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, header.length, true)
  bytes.set(header, 4)
  let at = 4 + header.length
  for (const values of Object.values(tensors))
    for (const value of values) {
      view.setFloat32(at, value, true)
      at += 4
    }
  return bytes
}

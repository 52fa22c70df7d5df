import { below, type Stream } from '../../../core/index.ts'
import { logSoftmax, TinyTransformer, type TinyWeights } from './transformer.ts'

export interface TuneOptions {
  /** For the order of the examples. */
  readonly stream: Stream
  /** Passes over the strings, default 20. */
  readonly epochs?: number
  /** Adam's step, default 0.003. */
  readonly rate?: number
}

const opening = 10
const batch = 32

/** Positions with what the network sees there and the byte that follows. */
interface Position {
  readonly features: Float64Array
  readonly next: number
}

/**
 * Trains the output layer of the tiny transformer on strings, each after a newline and ended by one; the layers below stay
 * as they are. Softmax regression on their features by Adam (Kingma and Ba 2015): enough to learn which tokens follow
 * which, in seconds and without any library. Gives new weights; the old ones are not changed.
 */
export function tuneHead(weights: TinyWeights, strings: readonly string[], options: TuneOptions): TinyWeights {
  const { stream, epochs = 20, rate = 0.003 } = options
  const { V, d } = weights.shape
  const positions = positionsOf(weights, strings)
  const head = Float32Array.from(weights.tensors['out.weight'] as Float32Array)
  const [first, second] = [new Float64Array(V * d), new Float64Array(V * d)]
  const gradient = new Float64Array(V * d)
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch++)
    for (let from = 0; from < positions.length; from += batch) {
      gradient.fill(0)
      for (let i = 0; i < batch; i++)
        addGradient(gradient, head, positions[below(stream, positions.length)] as Position, V, d)
      step++
      const [fade, square] = [1 - 0.9 ** step, 1 - 0.999 ** step]
      for (let j = 0; j < head.length; j++) {
        const g = gradient[j]! / batch
        first[j] = 0.9 * first[j]! + 0.1 * g
        second[j] = 0.999 * second[j]! + 0.001 * g * g
        head[j]! -= (rate * (first[j]! / fade)) / (Math.sqrt(second[j]! / square) + 1e-8)
      }
    }
  return { shape: weights.shape, tensors: { ...weights.tensors, 'out.weight': head } }
}

function positionsOf(weights: TinyWeights, strings: readonly string[]): Position[] {
  const model = new TinyTransformer(weights)
  const encoder = new TextEncoder()
  const out: Position[] = []
  for (const text of strings) {
    model.rewind(0)
    model.read(opening)
    for (const next of encoder.encode(`${text}\n`)) {
      out.push({ features: model.features as Float64Array, next })
      model.read(next)
    }
  }
  if (out.length === 0) throw new RangeError('training needs at least one string')
  return out
}

/** d loss / d head = (P(byte) - [byte is next]) x features. */
function addGradient(
  gradient: Float64Array,
  head: Float32Array,
  { features, next }: Position,
  V: number,
  d: number,
): void {
  const logits = new Float64Array(V)
  for (let v = 0; v < V; v++) {
    let sum = 0
    for (let j = 0; j < d; j++) sum += head[v * d + j]! * features[j]!
    logits[v] = sum
  }
  const logprobs = logSoftmax(logits)
  for (let v = 0; v < V; v++) {
    const error = Math.exp(logprobs[v]!) - (v === next ? 1 : 0)
    if (Math.abs(error) > 1e-6) for (let j = 0; j < d; j++) gradient[v * d + j]! += error * features[j]!
  }
}

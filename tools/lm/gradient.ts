import { reach, type TinyShape } from '../../src/models/scoring/tiny/transformer.ts'
import { shiftedAttention } from './attention.ts'
import {
  addScaled,
  crossEntropy,
  gated,
  linear,
  type Parameter,
  type Pulled,
  plus,
  rmsNorm,
  rolledConvolution,
  rowTimes,
  unitHeads,
} from './operations.ts'

export type Parameters = { readonly [name: string]: Parameter }

/**
 * The loss of the tiny transformer on bytes, -sum ln P(byte t + 1 | bytes to t) in nats, by the whole-text form of
 * `TinyTransformer`; its gradient is added to that of every parameter (back-propagation).
 */
export function addGradient(shape: TinyShape, parameters: Parameters, bytes: ArrayLike<number>): number {
  const { d, L, V } = shape
  const input = Array.from(bytes).slice(0, -1)
  const embedding = parameters['emb.weight'] as Parameter
  const x = new Float64Array(input.length * d)
  for (const [t, byte] of input.entries()) x.set(embedding.values.subarray(byte * d, (byte + 1) * d), t * d)

  const layers: Pulled[] = []
  let top: Float64Array = x
  for (let l = 0; l < L; l++) {
    const get = (name: string) => parameters[`blocks.${l}.${name}`] as Parameter
    for (const part of [attention, feedForward]) {
      const layer = part(shape, get, top)
      layers.push(layer)
      top = layer.value
    }
  }
  const norm = rmsNorm(top, parameters['norm.weight'] as Parameter)
  const head = linear(norm.value, parameters['out.weight'] as Parameter, V, d)
  const { nats, gradient } = crossEntropy(head.value, Array.from(bytes).slice(1))

  const bottom = layers.reduceRight((given, layer) => layer.back(given), norm.back(head.back(gradient)))
  for (const [t, byte] of input.entries()) addScaled(embedding.gradient, byte * d, 1, bottom, t * d, d)
  return nats
}

type Get = (name: string) => Parameter

/** x + attention(norm(x)) */
function attention({ d, H }: TinyShape, get: Get, x: Float64Array): Pulled {
  const h = rmsNorm(x, get('n1.weight'))
  const projected = rowTimes(h.value, get('attn.qk'), d)
  const mixed = rolledConvolution(projected.value, get('attn.conv'), d, reach)
  const query = linear(h.value, get('attn.dq.weight'), d, d)
  const key = linear(h.value, get('attn.dk.weight'), d, d)
  const value = linear(h.value, get('attn.v.weight'), d, d)
  const queries = unitHeads(plus(query.value, mixed.value), d / H)
  const keys = unitHeads(plus(key.value, mixed.value), d / H)
  const read = shiftedAttention(
    { queries: queries.value, keys: keys.value, values: value.value },
    get('attn.temp'),
    get('attn.sink'),
    d,
  )
  const output = linear(read.value, get('attn.o.weight'), d, d)
  return {
    value: plus(x, output.value),
    back(given) {
      const inside = read.back(output.back(given))
      const [dq, dk] = [queries.back(inside.queries), keys.back(inside.keys)]
      const parts = [query.back(dq), key.back(dk), value.back(inside.values), projected.back(mixed.back(plus(dq, dk)))]
      return plus(given, h.back(parts.reduce(plus)))
    },
  }
}

/** x + feed-forward(norm(x)) */
function feedForward({ d, f }: TinyShape, get: Get, x: Float64Array): Pulled {
  const h = rmsNorm(x, get('n2.weight'))
  const gate = linear(h.value, get('mlp.gate.weight'), f, d)
  const up = linear(h.value, get('mlp.up.weight'), f, d)
  const inner = gated(gate.value, up.value)
  const down = linear(inner.value, get('mlp.down.weight'), d, f)
  return {
    value: plus(x, down.value),
    back(given) {
      const inside = inner.back(down.back(given))
      return plus(given, h.back(plus(gate.back(inside.gate), up.back(inside.up))))
    },
  }
}

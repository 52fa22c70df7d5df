import { ScoringError } from '../error.ts'
import type { TinyShape, TinyWeights } from './transformer.ts'

/** Models of one size after more and more training: see tools/lm/README.md. */
interface Size {
  readonly shape: TinyShape
  readonly parameters: number
  /** Name and numbers of each tensor, in the order of the weights. */
  readonly tensors: readonly (readonly [name: string, length: number])[]
  readonly checkpoints: { readonly [step: string]: { readonly weights: string } }
}

const named = /^(?<size>\d+k)(?:@(?<step>\d+))?$/u

/** Does what stands behind `tiny:` name a model of the series, such as `40k` or `40k@320`? */
export const isOfSeries = (name: string): boolean => named.test(name)

/** Weights of a size at a step, the last one where none is named. @throws ScoringError with what there is */
export async function seriesWeights(name: string): Promise<TinyWeights> {
  const { default: file } = await import('./series.json', { with: { type: 'json' } })
  const series = file as unknown as { readonly [size: string]: Size }
  const { size = '', step } = named.exec(name)?.groups ?? {}
  const found = Object.hasOwn(series, size) ? series[size] : undefined
  const steps = Object.keys(found?.checkpoints ?? {})
  const kept = found?.checkpoints[step ?? steps.at(-1) ?? '']
  if (found === undefined || kept === undefined) {
    const there = Object.entries(series).map(
      ([own, { checkpoints }]) => `${own}@${Object.keys(checkpoints).join(', @')}`,
    )
    throw new ScoringError(
      'usage',
      `unknown model tiny:${name}. Built in: ${there.join('; ')}. For a file of that name write ./${name}`,
    )
  }
  return { shape: found.shape, tensors: tensorsOf(found, Buffer.from(kept.weights, 'base64')) }
}

/** Half floats, little-endian. */
function tensorsOf({ tensors }: Size, bytes: Uint8Array): TinyWeights['tensors'] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  return Object.fromEntries(
    tensors.map(([name, length]) => {
      const from = at
      at += length
      return [name, Float32Array.from({ length }, (_, i) => halfFloat(view.getUint16(2 * (from + i), true)))]
    }),
  )
}

/** IEEE 754 binary16: a sign, five bits of exponent, ten of fraction. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

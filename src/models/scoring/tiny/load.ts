import type { TinyShape, TinyWeights } from './transformer.ts'

interface Header {
  readonly cfg: TinyShape
  readonly tensors: readonly { readonly name: string; readonly shape: readonly number[]; readonly offset: number }[]
}

/** Reads what tools/lm/export.py writes: u32 header length, JSON header, little-endian float32 tensors. */
export function readWeights(bytes: Uint8Array): TinyWeights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = view.getUint32(0, true)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Header
  const floats = (bytes.byteLength - 4 - length) / 4
  const all = Float32Array.from({ length: floats }, (_, i) => view.getFloat32(4 + length + 4 * i, true))
  const size = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1)
  return {
    shape: header.cfg,
    tensors: Object.fromEntries(
      header.tensors.map(({ name, shape, offset }) => [name, all.subarray(offset, offset + size(shape))]),
    ),
  }
}

let shipped: Promise<TinyWeights> | null = null

/** The weights in the package, decoded once. */
export function shippedWeights(): Promise<TinyWeights> {
  shipped ??= import('./weights.json', { with: { type: 'json' } }).then(({ default: file }) =>
    readWeights(Buffer.from(file.base64, 'base64')),
  )
  return shipped
}

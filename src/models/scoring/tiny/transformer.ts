import { attendHead } from './attend-head.ts'
import { dotRows } from './dot-rows.ts'

/**
 * The forward pass of the tiny byte transformer ("canon" attention: a causal convolution over a random projection feeds
 * queries and keys, keys are shifted one back, logits are cosines, a null key takes what matches nothing, no positions).
 * Trained by tools/lm/train.py; this runner equals its log-probabilities within 1e-4. Every position's keys and values
 * are kept, so a context is read once however many strings are scored after it.
 */
export interface TinyShape {
  /** width */
  readonly d: number
  /** heads */
  readonly H: number
  /** layers */
  readonly L: number
  /** width of the feed-forward layer */
  readonly f: number
  /** vocabulary: 256 bytes and one unused */
  readonly V: number
}

export interface TinyWeights {
  readonly shape: TinyShape
  readonly tensors: { readonly [name: string]: Float32Array }
}

interface Block {
  readonly norm1: Float32Array
  readonly norm2: Float32Array
  /** d x d, transposed: row j gives output j. */
  readonly project: Float32Array
  readonly query: Float32Array
  readonly key: Float32Array
  readonly value: Float32Array
  readonly output: Float32Array
  /** 4 x d */
  readonly conv: Float32Array
  readonly temperature: Float64Array
  readonly nullLogit: Float64Array
  readonly gate: Float32Array
  readonly up: Float32Array
  readonly down: Float32Array
}

/** What one layer keeps of the positions read, flat rows of d numbers. */
class Memory {
  projected: Float32Array
  /** Row t+1 is the key of position t; row 0 is zero. */
  keys: Float32Array
  values: Float32Array

  constructor(rows: number, d: number) {
    this.projected = new Float32Array(rows * d)
    this.keys = new Float32Array((rows + 1) * d)
    this.values = new Float32Array(rows * d)
  }
}

/** Positions that the convolution spans. */
export const reach = 4

export class TinyTransformer {
  readonly shape: TinyShape
  private readonly blocks: readonly Block[]
  private readonly embedding: Float32Array
  private readonly norm: Float32Array
  readonly head: Float32Array
  private memory: Memory[]
  private capacity = 256
  private position = 0
  /** The normalised last layer at each position, from which `head` makes the logits. */
  private readonly outputs: Float64Array[] = []
  private next: Float64Array | null = null

  constructor({ shape, tensors }: TinyWeights) {
    const tensor = (name: string) => {
      const found = tensors[name]
      if (found === undefined) throw new Error(`the tiny transformer's weights have no tensor ${name}`)
      return found
    }
    this.shape = shape
    this.blocks = Array.from({ length: shape.L }, (_, l) => makeBlock(shape, (name) => tensor(`blocks.${l}.${name}`)))
    this.embedding = tensor('emb.weight')
    this.norm = tensor('norm.weight')
    this.head = tensor('out.weight')
    this.memory = this.blocks.map(() => new Memory(this.capacity, shape.d))
  }

  /** Bytes read. */
  get length(): number {
    return this.position
  }

  /** ln P(next byte | all read) for every byte; null before the first. */
  get logprobs(): Float64Array | null {
    const { features } = this
    if (features === null) return null
    this.next ??= logSoftmax(multiply(this.head, features, this.shape.V, this.shape.d))
    return this.next
  }

  /** The normalised last layer, of which the logits are a linear map (`head`); null before the first byte. */
  get features(): Float64Array | null {
    return this.outputs[this.position - 1] ?? null
  }

  /** Forgets all bytes after the first `length`. */
  rewind(length: number): void {
    if (length >= this.position) return
    this.position = length
    this.outputs.length = length
    this.next = null
  }

  /** Reads one byte. */
  read(byte: number): void {
    const { d } = this.shape
    if (this.position === this.capacity) this.widen()
    let x: Float64Array = Float64Array.from(this.embedding.subarray(byte * d, byte * d + d))
    for (const [l, block] of this.blocks.entries()) {
      x = this.attend(block, this.memory[l] as Memory, x)
      x = feedForward(block, x, this.shape)
    }
    this.position++
    this.outputs.push(rms(x, this.norm))
    this.next = null
  }

  private attend(w: Block, memory: Memory, x: Float64Array): Float64Array {
    const { d, H } = this.shape
    const t = this.position
    const h = rms(x, w.norm1)
    memory.projected.set(multiply(w.project, h, d, d), t * d)
    const mixed = new Float64Array(d)
    for (let back = 0; back < reach && back <= t; back++) {
      // Row t - back, rolled by `back`: the first `back` numbers come from the row's end.
      const row = (t - back) * d - back
      const conv = back * d
      for (let j = 0; j < back; j++) mixed[j]! += w.conv[conv + j]! * memory.projected[row + j + d]!
      for (let j = back; j < d; j++) mixed[j]! += w.conv[conv + j]! * memory.projected[row + j]!
    }
    const query = multiply(w.query, h, d, d)
    const key = multiply(w.key, h, d, d)
    for (let j = 0; j < d; j++) {
      query[j]! += mixed[j]!
      key[j]! += mixed[j]!
    }
    normaliseHeads(query, H, w.temperature)
    normaliseHeads(key, H, null)
    memory.keys.set(key, (t + 1) * d)
    memory.values.set(multiply(w.value, h, d, d), t * d)
    const read = new Float64Array(d)
    for (let head = 0; head < H; head++) {
      const place = { from: (head * d) / H, width: d / H, d, rows: t + 1 }
      attendHead(place, query, memory.keys, memory.values, w.nullLogit[head] as number, read)
    }
    const added = multiply(w.output, read, d, d)
    for (let j = 0; j < d; j++) added[j]! += x[j]!
    return added
  }

  private widen(): void {
    const { d } = this.shape
    this.capacity *= 2
    this.memory = this.memory.map((old) => {
      const wide = new Memory(this.capacity, d)
      wide.projected.set(old.projected)
      wide.keys.set(old.keys)
      wide.values.set(old.values)
      return wide
    })
  }
}

function makeBlock(shape: TinyShape, get: (name: string) => Float32Array): Block {
  const { d } = shape
  const mixing = get('attn.qk')
  const project = new Float32Array(d * d)
  for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) project[j * d + i] = mixing[i * d + j] as number
  const temperature = Float64Array.from(get('attn.temp'), Math.exp)
  return {
    norm1: get('n1.weight'),
    norm2: get('n2.weight'),
    project,
    query: get('attn.dq.weight'),
    key: get('attn.dk.weight'),
    value: get('attn.v.weight'),
    output: get('attn.o.weight'),
    conv: get('attn.conv'),
    temperature,
    nullLogit: Float64Array.from(get('attn.sink'), (sink, h) => sink + (temperature[h] as number)),
    gate: get('mlp.gate.weight'),
    up: get('mlp.up.weight'),
    down: get('mlp.down.weight'),
  }
}

/** matrix (rows x columns) times x. */
function multiply(matrix: Float32Array, x: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(rows)
  dotRows(out, { from: 0, width: columns, d: columns, rows }, x, matrix)
  return out
}

function rms(x: Float64Array, weight: Float32Array): Float64Array {
  let sum = 0
  for (const v of x) sum += v * v
  const scale = 1 / Math.sqrt(sum / x.length + 1e-5)
  return x.map((v, i) => v * scale * (weight[i] as number))
}

function normaliseHeads(x: Float64Array, heads: number, scale: Float64Array | null): void {
  const width = x.length / heads
  for (let head = 0; head < heads; head++) {
    let sum = 0
    for (let i = head * width; i < (head + 1) * width; i++) sum += (x[i] as number) ** 2
    const factor = (scale === null ? 1 : (scale[head] as number)) / Math.max(Math.sqrt(sum), 1e-6)
    for (let i = head * width; i < (head + 1) * width; i++) x[i]! *= factor
  }
}

function feedForward(w: Block, x: Float64Array, { d, f }: TinyShape): Float64Array {
  const h = rms(x, w.norm2)
  const up = multiply(w.up, h, f, d)
  const gate = multiply(w.gate, h, f, d)
  for (let i = 0; i < f; i++) up[i]! *= gate[i]! / (1 + Math.exp(-gate[i]!))
  const added = multiply(w.down, up, d, f)
  for (let j = 0; j < d; j++) added[j]! += x[j]!
  return added
}

export function logSoftmax(logits: Float64Array): Float64Array {
  let most = Number.NEGATIVE_INFINITY
  for (const v of logits) if (v > most) most = v
  let total = 0
  for (const v of logits) total += Math.exp(v - most)
  const shift = most + Math.log(total)
  return logits.map((v) => v - shift)
}

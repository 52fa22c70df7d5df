/**
 * A GGUF file of a language model with a SentencePiece vocabulary, small enough to be made in a test: attention and feed-forward
 * add nothing, so what comes next depends on the token before alone, and its log-probabilities can be worked out by hand.
 */
export interface Bigrams {
  readonly bytes: Uint8Array
  /** ln P(next | before), by how tokens are spelled: a space for the mark of a word, `\n` for that byte. */
  logprob(before: string, next: string): number
}

const [WIDTH, INNER, EPSILON] = [16, 8, 1e-5]
const SPECIAL = ['<unk>', '<s>', '</s>']
const BYTES = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`)
const DIGITS = Array.from('0123456789')
const PIECES = ['▁6', '64', '45', '645', '▁645', '12', '▁12', '▁', ...DIGITS, ...DIGITS.map((digit) => `▁${digit}`)]
const TOKENS = [...SPECIAL, ...BYTES, ...new Set(PIECES)]
/** Kinds of token in a GGUF file: normal, unknown, control, byte. */
const KIND = { normal: 1, unknown: 2, control: 3, byte: 6 }
const kindOf = (token: string): number =>
  token === '<unk>'
    ? KIND.unknown
    : SPECIAL.includes(token)
      ? KIND.control
      : BYTES.includes(token)
        ? KIND.byte
        : KIND.normal

export function sentencePieceBigrams(): Bigrams {
  const value = noise()
  const matrix = (rows: number, columns: number): Float32Array => Float32Array.from({ length: rows * columns }, value)
  const embedding = matrix(TOKENS.length, WIDTH)
  const output = matrix(TOKENS.length, WIDTH)
  const ones = new Float32Array(WIDTH).fill(1)
  const tensors: readonly Tensor[] = [
    ['token_embd.weight', [WIDTH, TOKENS.length], embedding],
    ['output_norm.weight', [WIDTH], ones],
    ['output.weight', [WIDTH, TOKENS.length], output],
    ['blk.0.attn_norm.weight', [WIDTH], ones],
    ...['q', 'k', 'v'].map((part) => [`blk.0.attn_${part}.weight`, [WIDTH, WIDTH], matrix(WIDTH, WIDTH)] as const),
    ['blk.0.attn_output.weight', [WIDTH, WIDTH], new Float32Array(WIDTH * WIDTH)],
    ['blk.0.ffn_norm.weight', [WIDTH], ones],
    ['blk.0.ffn_gate.weight', [WIDTH, INNER], matrix(INNER, WIDTH)],
    ['blk.0.ffn_up.weight', [WIDTH, INNER], matrix(INNER, WIDTH)],
    ['blk.0.ffn_down.weight', [INNER, WIDTH], new Float32Array(INNER * WIDTH)],
  ]
  const row = (values: Float32Array, id: number) => values.subarray(id * WIDTH, (id + 1) * WIDTH)
  const idOf = (text: string): number => {
    const name = text === '\n' ? '<0x0A>' : text.replaceAll(' ', '▁')
    const id = TOKENS.indexOf(name)
    if (id < 0) throw new Error(`no token is spelled ${JSON.stringify(text)}`)
    return id
  }
  return {
    bytes: ggufFile(tensors),
    logprob(before, next) {
      const hidden = row(embedding, idOf(before))
      const scale = Math.sqrt(hidden.reduce((sum, x) => sum + x * x, 0) / WIDTH + EPSILON)
      const logits = TOKENS.map((_, id) =>
        row(output, id).reduce((sum, x, i) => sum + (x * (hidden[i] as number)) / scale, 0),
      )
      const total = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0))
      return (logits[idOf(next)] as number) - total
    },
  }
}

/** Numbers from -1 to 1 that are the same each time. */
function noise(): () => number {
  let state = 1
  return () => {
    state = (state * 48271) % 2147483647
    return (2 * state) / 2147483647 - 1
  }
}

const uint32 = (n: number): Buffer => Buffer.from(Uint32Array.of(n).buffer)
const uint64 = (n: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(n)).buffer)
const float32 = (...values: readonly number[]): Buffer => Buffer.from(Float32Array.from(values).buffer)
const text = (string: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(string)), Buffer.from(string)])

/** Types of values in the header of a GGUF file, version 3. */
const TYPE = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 }
const ALIGNMENT = 32

const aNumber = (n: number): Buffer => Buffer.concat([uint32(TYPE.uint32), uint32(n)])
const aFloat = (x: number): Buffer => Buffer.concat([uint32(TYPE.float32), float32(x)])
const aText = (string: string): Buffer => Buffer.concat([uint32(TYPE.string), text(string)])
const aList = (type: number, values: readonly Buffer[]): Buffer =>
  Buffer.concat([uint32(TYPE.array), uint32(type), uint64(values.length), ...values])

const HEADER: { readonly [key: string]: Buffer } = {
  'general.architecture': aText('llama'),
  'general.name': aText('bigrams'),
  'llama.context_length': aNumber(512),
  'llama.embedding_length': aNumber(WIDTH),
  'llama.block_count': aNumber(1),
  'llama.feed_forward_length': aNumber(INNER),
  'llama.attention.head_count': aNumber(2),
  'llama.attention.head_count_kv': aNumber(2),
  'llama.rope.dimension_count': aNumber(WIDTH / 2),
  'llama.attention.layer_norm_rms_epsilon': aFloat(EPSILON),
  'tokenizer.ggml.model': aText('llama'),
  'tokenizer.ggml.tokens': aList(TYPE.string, TOKENS.map(text)),
  // Of two merges the one with the higher score is made first: longer pieces before shorter ones.
  'tokenizer.ggml.scores': aList(
    TYPE.float32,
    TOKENS.map((token) => float32(Array.from(token).length - 10)),
  ),
  'tokenizer.ggml.token_type': aList(
    TYPE.int32,
    TOKENS.map((token) => uint32(kindOf(token))),
  ),
  'tokenizer.ggml.unknown_token_id': aNumber(0),
  'tokenizer.ggml.bos_token_id': aNumber(1),
  'tokenizer.ggml.eos_token_id': aNumber(2),
}

type Tensor = readonly [name: string, shape: readonly number[], values: Float32Array]

function ggufFile(tensors: readonly Tensor[]): Uint8Array {
  const padded = (bytes: Buffer): Buffer =>
    Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)])
  const bodies = tensors.map(([, , values]) => padded(float32(...values)))
  const offsets = bodies.map((_, k) => bodies.slice(0, k).reduce((sum, { length }) => sum + length, 0))
  const names = tensors.map(([name, shape], k) =>
    Buffer.concat([text(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(offsets[k] as number)]),
  )
  const entries = Object.entries(HEADER)
  return Buffer.concat([
    padded(
      Buffer.concat([
        Buffer.from('GGUF'),
        uint32(3),
        uint64(tensors.length),
        uint64(entries.length),
        ...entries.flatMap(([key, value]) => [text(key), value]),
        ...names,
      ]),
    ),
    ...bodies,
  ])
}

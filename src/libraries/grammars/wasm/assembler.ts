/**
 * WebAssembly written as expressions, for kernels that are compiled anew for every grammar: what would be a loop over
 * rule lists becomes straight code. Names are those of the text format; see the WebAssembly Core Specification, chapter 5
 * (binary format).
 */

/** A piece of code: bytes, nested as it was put together. */
export type Code = number | Uint8Array | readonly Code[]

/** A variable of a function; as code, its value. */
export type Local = readonly [get: 0x20, index: Code]

export interface WasmFunction {
  /** The name it is exported under. */
  readonly name: string
  /** How many parameters; all are 32-bit integers. */
  readonly parameters: number
  /** Whether the value that the body leaves is returned, a 32-bit integer; else it leaves none. */
  readonly returns: boolean
  /** Types of the other variables. */
  readonly locals: readonly number[]
  readonly body: Code
}

/** A function from its variables by name: `parameters` are 32-bit integers, `locals` have a type each. */
export function defineFunction<P extends string, L extends string>(
  name: string,
  parameters: readonly P[],
  locals: { readonly [local in L]: number },
  body: (variables: { readonly [variable in P | L]: Local }) => Code,
  returns = false,
): WasmFunction {
  const names = [...parameters, ...Object.keys(locals)]
  const variables = Object.fromEntries(names.map((name, index): [string, Local] => [name, [0x20, unsigned(index)]]))
  return {
    name,
    parameters: parameters.length,
    returns,
    locals: Object.values(locals),
    body: body(variables as { readonly [variable in P | L]: Local }),
  }
}

const unary =
  (operation: Code) =>
  (value: Code): Code => [value, operation]
const binary =
  (operation: Code) =>
  (left: Code, right: Code): Code => [left, right, operation]
/** The operation over at least one value, from left to right; not nested, however many there are. */
const chain =
  (operation: Code) =>
  ([first = [], ...rest]: readonly Code[]): Code => [first, rest.map((value) => [value, operation])]
const load =
  (operation: Code, align: number) =>
  (address: Code, offset: number): Code => [address, operation, align, unsigned(offset)]
const store =
  (operation: Code, align: number) =>
  (address: Code, offset: number, value: Code): Code => [address, value, operation, align, unsigned(offset)]
/** An operation of the vector extension, by its number below the prefix. */
const vector = (number: number): Code => [0xfd, unsigned(number)]

export const i32 = {
  type: 0x7f,
  const: (value: number): Code => [0x41, signed(BigInt(value))],
  load: load(0x28, 2),
  store: store(0x36, 2),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  shrU: binary(0x76),
  eqz: unary(0x45),
  eq: binary(0x46),
  ltS: binary(0x48),
  geS: binary(0x4e),
  wrapI64: unary(0xa7),
} as const

export const i64 = {
  type: 0x7e,
  const: (value: number | bigint): Code => [0x42, signed(BigInt.asIntN(64, BigInt(value)))],
  load: load(0x29, 3),
  store: store(0x37, 3),
  /** The number of the lowest bit set; 64 for 0. */
  ctz: unary(0x7a),
  /** How many bits are set. */
  popcnt: unary(0x7b),
  sub: binary(0x7d),
  and: binary(0x83),
  or: binary(0x84),
  /** The union of at least one. */
  orAll: chain(0x84),
  xor: binary(0x85),
  shl: binary(0x86),
  shrU: binary(0x88),
  /** 1 for 0, else 0; 32 bits. */
  eqz: unary(0x50),
  /** 1 where they differ, else 0; 32 bits. */
  ne: binary(0x52),
  extendI32U: unary(0xad),
} as const

/** Two doubles. */
export const f64x2 = {
  type: 0x7b,
  store: store(vector(11), 4),
} as const

export const set = ([, index]: Local, value: Code): Code => [value, 0x21, index]
export const when = (condition: Code, body: Code): Code => [condition, 0x04, 0x40, body, 0x0b]
/** `body` again and again while `condition` holds. */
export const whilst = (condition: Code, body: Code): Code => [
  [0x02, 0x40, 0x03, 0x40],
  [condition, 0x45, 0x0d, 1],
  [body, 0x0c, 0],
  [0x0b, 0x0b],
]
/** `body` for `local` = first, first + 1, .. below `end`. */
export const upwards = (local: Local, first: Code, end: Code, body: Code): Code => [
  set(local, first),
  whilst(i32.ltS(local, end), [body, set(local, i32.add(local, i32.const(1)))]),
]
/** `body` for `local` = first, first - 1, .. down to `last`. */
export const downwards = (local: Local, first: Code, last: Code, body: Code): Code => [
  set(local, first),
  whilst(i32.geS(local, last), [body, set(local, i32.sub(local, i32.const(1)))]),
]

/** The case with the number of the index, which is below their count. */
export const choose = (index: Code, cases: readonly Code[]): Code => [
  [...cases, 0].map(() => [0x02, 0x40]),
  [index, 0x0e, list(cases.map((_, i) => unsigned(i))), unsigned(cases.length)],
  cases.map((body, i) => [0x0b, body, 0x0c, unsigned(cases.length - 1 - i)]),
  0x0b,
]
/** Ends the function with a result. */
export const leave = (value: Code): Code => [value, 0x0f]
/** Calls a function of the module by its place; no result. */
export const call = (index: number, ...values: readonly Code[]): Code => [values, 0x10, unsigned(index)]
/** Sets a number of bytes from an address on to 0. */
export const clear = (address: Code, bytes: Code): Code => [address, i32.const(0), bytes, 0xfc, 11, 0]

/** The binary of a module that exports the functions and imports its memory, of at least `pages` pages, as `host.memory`. */
export function assemble(functions: readonly WasmFunction[], pages: number): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, returns }) => [
    [0x60, list(Array.from({ length: parameters }, () => i32.type))],
    list(returns ? [i32.type] : []),
  ])
  const memory = [name('host'), name('memory'), 2, 0, unsigned(pages)]
  const bodies = functions.map(({ locals, body }) => sized([list(locals.map((type) => [1, type])), body, 0x0b]))
  return flat([
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    [1, sized(list(types))],
    [2, sized(list([memory]))],
    [3, sized(list(functions.map((_, type) => unsigned(type))))],
    [7, sized(list(functions.map((exported, index) => [name(exported.name), 0, unsigned(index)])))],
    [10, sized(list(bodies))],
  ])
}

function flat(code: Code): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(4096)
  let length = 0
  const reserve = (more: number): void => {
    if (length + more <= bytes.length) return
    const wider = new Uint8Array(2 * (length + more))
    wider.set(bytes)
    bytes = wider
  }
  const visit = (part: Code): void => {
    if (typeof part === 'number') {
      reserve(1)
      bytes[length++] = part
    } else if (part instanceof Uint8Array) {
      reserve(part.length)
      bytes.set(part, length)
      length += part.length
    } else for (const inner of part) visit(inner)
  }
  visit(code)
  return bytes.subarray(0, length)
}

function sized(code: Code): Code {
  const bytes = flat(code)
  return [unsigned(bytes.length), bytes]
}

const list = (items: readonly Code[]): Code => [unsigned(items.length), items]
const name = (text: string): Code => list(Array.from(text, (letter) => letter.charCodeAt(0)))

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  let left = value
  for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80)
  return [...bytes, left]
}

function signed(value: bigint): number[] {
  const bytes: number[] = []
  let left = value
  for (; left < -0x40n || left > 0x3fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80)
  return [...bytes, Number(left & 0x7fn)]
}

/**
 * Token strings packed into JavaScript strings, one UTF-16 unit a token: they concatenate, compare and hash natively.
 * Never shown to anybody; lone surrogates are fine.
 */

/** Most arguments of one call. */
const AT_ONCE = 4096

/** Pack token numbers, each 0..65535. */
export function pack(tokens: ArrayLike<number>): string {
  if (tokens.length <= AT_ONCE) return String.fromCharCode.apply(null, tokens as number[])
  let out = ''
  for (let at = 0; at < tokens.length; at += AT_ONCE)
    out += pack(Array.prototype.slice.call(tokens, at, at + AT_ONCE) as number[])
  return out
}

/** The token numbers of a packed string. */
export function unpack(packed: string): Int32Array {
  const out = new Int32Array(packed.length)
  for (let i = 0; i < out.length; i++) out[i] = packed.charCodeAt(i)
  return out
}

/** Packing needs every terminal number to fit one UTF-16 unit. */
export function checkPackable(terminals: number): void {
  if (terminals > 65536) throw new RangeError(`at most 65536 terminals can be handled, the grammar has ${terminals}`)
}

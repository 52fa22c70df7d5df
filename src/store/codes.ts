import { memoizeWeak } from '../core/index.ts'

/** Places of texts in a list, -1: missing; in as few bytes as the list allows. */
export type Codes = Int8Array | Int16Array | Int32Array

/** Room for the codes of a list of so many texts. */
export const codesOf = (length: number, levels: number): Codes =>
  new (levels <= 0x7f ? Int8Array : levels <= 0x7fff ? Int16Array : Int32Array)(length)

/** In four bytes, as analyses read them. */
export const wideCodes: (codes: Codes) => Int32Array = (codes) => (codes instanceof Int32Array ? codes : widened(codes))

const widened = memoizeWeak((codes: Int8Array | Int16Array) => Int32Array.from(codes))

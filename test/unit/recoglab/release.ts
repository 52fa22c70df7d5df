import type { FileTree, Imported } from '../../../src/core/index.ts'
import { importers } from '../../../src/tasks/recoglab/importers/index.ts'
import { crc32c, masked } from '../../../src/tasks/recoglab/importers/tfrecord.ts'

/** Files of a release in memory, in the formats of the original: TFRecord files of tf.train.Example, JSON, JSONL. */

export const utf8 = new TextEncoder()

/** `piece`: how many characters or bytes come at a time. */
export function tree(files: { readonly [path: string]: string | Uint8Array }, piece = 11): FileTree {
  const bytesOf = (path: string) => {
    const file = files[path] as string | Uint8Array
    return typeof file === 'string' ? utf8.encode(file) : file
  }
  return {
    async *list() {
      for (const path of Object.keys(files).sort()) yield { path, bytes: bytesOf(path).length }
    },
    async *text(path) {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(path))
      for (let at = 0; at < text.length; at += piece) yield text.slice(at, at + piece)
    },
    async *bytes(path) {
      const bytes = bytesOf(path)
      for (let at = 0; at < bytes.length; at += piece) yield bytes.slice(at, at + piece)
    },
  }
}

export async function read(name: string, files: FileTree): Promise<Imported[]> {
  const importer = importers.find((candidate) => candidate.name === name)
  if (importer === undefined) throw new Error(name)
  const all: Imported[] = []
  for await (const entry of importer.read(files)) all.push(entry)
  return all
}

/** Kinds of problems with how often each was met. */
export function problemsOf(all: readonly Imported[]): { readonly [problem: string]: number } {
  const counts: { [problem: string]: number } = {}
  for (const entry of all)
    if (entry.kind === 'problem') counts[entry.problem] = (counts[entry.problem] ?? 0) + entry.count
  return counts
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

// ---- protocol buffers

const varint = (n: number | bigint): Uint8Array => {
  const bytes: number[] = []
  // Negative numbers are written as their 64 bits.
  let rest = BigInt.asUintN(64, BigInt(n))
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.from([...bytes, Number(rest)])
}
export const field = (number: number, data: Uint8Array) => concat(varint(number * 8 + 2), varint(data.length), data)
const text = (value: string) => field(1, field(1, utf8.encode(value)))
/** Packed, as protocol buffers write numbers. */
const integer = (value: number) => field(3, field(1, varint(value)))
export const example = (features: { readonly [name: string]: string | number }) =>
  field(
    1,
    concat(
      ...Object.entries(features).map(([name, v]) =>
        field(1, concat(field(1, utf8.encode(name)), field(2, typeof v === 'number' ? integer(v) : text(v)))),
      ),
    ),
  )

// ---- records

const u32 = (n: number) => Uint8Array.of(n & 255, (n >>> 8) & 255, (n >>> 16) & 255, n >>> 24)
/** The length of a record with its checksum; it may lie. */
export const head = (length: number): Uint8Array => {
  const bytes = concat(u32(length >>> 0), u32(Math.floor(length / 4294967296)))
  return concat(bytes, u32(masked(crc32c(bytes))))
}
export const record = (data: Uint8Array) => concat(head(data.length), data, u32(masked(crc32c(data))))

/** The `repr` that Python gives of a string: in ' unless it holds one and no ". */
export function repr(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  const inner = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote
}
export const reprList = (values: readonly string[]): string => `[${values.map(repr).join(', ')}]`
export const reprDict = (values: { readonly [key: string]: string }): string =>
  `{${Object.entries(values)
    .map(([key, value]) => `${repr(key)}: ${repr(value)}`)
    .join(', ')}}`

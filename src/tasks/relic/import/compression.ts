import { type FileTree, rounded } from '../../../core/index.ts'
import { samplesOf } from './samples.ts'

/** Positives of more characters than this are not compressed: a released grammar has at most 100,000. */
const MAX = 16_000_000
/** Bytes of the file name and its end that the released sizes have beyond the compressed text, all of the same name. */
const NAME = 30

/** Sizes in bytes of the positives of a grammar, each with a line break at its end. */
export interface Compression {
  readonly plain: number
  /** As gzip stores it in a file with a name. */
  readonly gzipped: number
  readonly ratio: number
}

/** How well the positives of a grammar in a file compress; null: there are none, or too many. */
export async function compressionOf(files: FileTree, samples: string): Promise<Compression | null> {
  const strings: string[] = []
  let length = 0
  for await (const sample of samplesOf(files, samples)) {
    if ('problem' in sample || !sample.label) continue
    length += sample.string.length + 1
    if (length > MAX) return null
    strings.push(sample.string)
  }
  return compressed(strings)
}

/** How well strings compress, each on a line; null: there are none. */
export async function compressed(strings: readonly string[]): Promise<Compression | null> {
  if (strings.length === 0) return null
  const bytes = new Uint8Array(new TextEncoder().encode(strings.map((string) => `${string}\n`).join('')))
  const gzipped = (await gzipSize(bytes)) + NAME
  return { plain: bytes.length, gzipped, ratio: rounded(bytes.length / gzipped) }
}

async function gzipSize(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const stream = new CompressionStream('gzip')
  const writer = stream.writable.getWriter()
  const written = writer.write(bytes).then(() => writer.close())
  let size = 0
  for await (const piece of stream.readable) size += piece.length
  await written
  return size
}

import { type FileTree, type ImportProblem, importProblem, linesOf, rounded, tooLong } from '../../../core/index.ts'

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

/** Compression ratio of the positives of a grammar; null: none, or too many. */
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

/** Compression ratio of strings, one per line; null: none. */
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

/** A labelled string of `filtered_samples.csv`; its row, from 0, is the number in request ids. */
export interface Sample {
  readonly row: number
  readonly line: number
  readonly string: string
  readonly label: boolean
  /** Stored number of parses, as written; seven grammars of the release have it. */
  readonly parses: string | null
}

/** Reads the samples; rows that cannot be used are problems and keep their number. */
export async function* samplesOf(files: FileTree, path: string): AsyncGenerator<Sample | ImportProblem> {
  let header: readonly string[] | null = null
  let row = 0
  for await (const { number, text, end } of linesOf(files.text(path))) {
    if (end === 'limit') {
      yield tooLong(path, number)
      if (header === null) return
      row++
      continue
    }
    const fields = text.split(',')
    if (header === null) {
      header = fields
      const missing = ['sample', 'type'].filter((name) => !fields.includes(name))
      if (missing.length > 0) {
        yield importProblem('bad-file', path, number, `the header lacks ${missing.join(' and ')}`)
        return
      }
      continue
    }
    const field = (name: string): string | null => fields[(header as readonly string[]).indexOf(name)] ?? null
    const string = field('sample') ?? ''
    const type = field('type')
    if (fields.length !== header.length || string === '' || (type !== 'positive' && type !== 'negative'))
      yield importProblem('unusable-row', path, number, 'expected a string and the type positive or negative')
    else yield { row, line: number, string, label: type === 'positive', parses: field('num_parses') || null }
    row++
  }
}

/** pandas writes whole numbers that stand beside gaps as 3.0. Null too for more digits than a count here can have. */
export const parseCountOf = (text: string): bigint | null => {
  const match = /^(\d{1,10000})(?:\.0*)?$/.exec(text)
  return match === null ? null : BigInt(match[1] as string)
}

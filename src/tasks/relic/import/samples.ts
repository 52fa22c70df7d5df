import { type FileTree, type ImportProblem, importProblem, linesOf, tooLong } from '../../../core/index.ts'

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

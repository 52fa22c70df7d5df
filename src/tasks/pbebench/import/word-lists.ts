import { csvRows } from '../../../core/csv.ts'
import {
  type FileTree,
  type Importer,
  importProblem,
  isObject,
  isUsageError,
  type Json,
  tooLong,
  wholeText,
} from '../../../core/index.ts'
import { itemsOf, lettersOf, soundsOf, type WordForm, type WordList } from './word-forms.ts'

type Row = { readonly [column: string]: string }

/**
 * Word lists in the Cross-Linguistic Data Formats (https://cldf.clld.org), as published by Lexibank: a folder with
 * `forms.csv`, and optionally `languages.csv`, `cognates.csv`, `borrowings.csv` and metadata with source and licence.
 */
export const importCldf: Importer = {
  name: 'cldf',
  task: 'pbebench/sound-change',
  describe: 'CLDF or Lexibank word lists: folders with forms.csv, languages.csv, cognates.csv',
  async *read(files) {
    const paths: string[] = []
    for await (const { path } of files.list()) paths.push(path)
    for (const path of paths.filter((name) => /(?:^|\/)forms\.csv$/u.test(name)).sort()) {
      const folder = path.slice(0, -'forms.csv'.length)
      try {
        const list = await listOf(files, folder, paths)
        if (list === null) yield tooLong(path, null)
        else yield* itemsOf(list)
      } catch (error) {
        if (!isUsageError(error)) throw error
        yield importProblem('malformed', path, null, error.message)
      }
    }
  },
}

/** null: a file is too long. */
async function listOf(files: FileTree, folder: string, paths: readonly string[]): Promise<WordList | null> {
  const read = async (name: string): Promise<readonly Row[] | null> => {
    if (!paths.includes(folder + name)) return []
    const text = await wholeText(files.text(folder + name))
    return text === null ? null : [...csvRows(text)]
  }
  const [forms, languages, cognates, borrowings] = [
    await read('forms.csv'),
    await read('languages.csv'),
    await read('cognates.csv'),
    await read('borrowings.csv'),
  ]
  if (forms === null || languages === null || cognates === null || borrowings === null) return null
  const nameOf = new Map(languages.map((row) => [row['ID'], row['Name']]))
  const setOf = new Map(cognates.map((row) => [row['Form_ID'], row['Cognateset_ID']]))
  const borrowed = new Set(borrowings.map((row) => row['Target_Form_ID']))
  return {
    path: `${folder}forms.csv`,
    forms: forms.map((row): WordForm => {
      const { ID: id = '', Language_ID: language = '', Segments: segments = '', Form: form = '' } = row
      return {
        language: nameOf.get(language) || language,
        concept: row['Parameter_ID'] || id,
        cognates: setOf.get(id) || row['Cognacy'] || row['Cognateset_ID'] || null,
        word: segments.trim() === '' ? lettersOf(form) : soundsOf(segments),
        loan: borrowed.has(id) || /^(?:true|1|yes)$/iu.test(row['Loan'] ?? ''),
      }
    }),
    ...(await termsOf(files, folder, paths)),
  }
}

/** Source and licence in the metadata beside the forms. */
async function termsOf(
  files: FileTree,
  folder: string,
  paths: readonly string[],
): Promise<Pick<WordList, 'source' | 'licence'>> {
  const near = paths.filter((path) => path.startsWith(folder) && path.endsWith('metadata.json')).sort()
  for (const path of [...near, ...paths.filter((one) => /(?:^|\/)metadata\.json$/u.test(one))]) {
    const text = await wholeText(files.text(path))
    const said = text === null ? null : parseMetadata(text)
    if (said === null) continue
    const source = textIn(said, ['dc:bibliographicCitation', 'citation', 'dc:title', 'title'])
    const licence = textIn(said, ['dc:license', 'license'])
    if (source !== null || licence !== null) return { source, licence }
  }
  return { source: null, licence: null }
}

function parseMetadata(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

function textIn(value: Json, names: readonly string[]): string | null {
  if (!isObject(value)) return null
  for (const name of names) {
    const found = value[name]
    if (typeof found === 'string' && found !== '') return found.slice(0, 500)
  }
  return null
}

/**
 * Word lists as EDICTOR and LingPy keep them (https://digling.org/edictor): tab-separated, a header with DOCULECT, CONCEPT, TOKENS or IPA, and
 * COGID; lines that begin with `#` are remarks, among them `#@source` and `#@licence`.
 */
export const importEdictor: Importer = {
  name: 'edictor',
  task: 'pbebench/sound-change',
  describe: 'EDICTOR or LingPy word lists: TSV with DOCULECT, CONCEPT, TOKENS, COGID',
  async *read(files) {
    const paths: string[] = []
    for await (const { path } of files.list()) if (path.endsWith('.tsv')) paths.push(path)
    for (const path of paths.sort()) {
      const text = await wholeText(files.text(path))
      if (text === null) {
        yield tooLong(path, null)
        continue
      }
      const lines = text.replace(/^\ufeff/u, '').split(/\r?\n/u)
      const rows = lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map((line) => line.split('\t'))
      const columns = new Map((rows[0] ?? []).map((name, k) => [name.trim().toUpperCase(), k]))
      // A table of something else: other tools write TSV, too.
      if (!columns.has('DOCULECT')) continue
      const sounds = ['TOKENS', 'SEGMENTS', 'IPA', 'FORM'].find((name) => columns.has(name))
      if (sounds === undefined) {
        yield importProblem('malformed', path, 1, 'expected a column TOKENS, SEGMENTS, IPA or FORM')
        continue
      }
      const cell = (row: readonly string[], name: string): string => row[columns.get(name) ?? -1]?.trim() ?? ''
      const forms = rows.slice(1).map((row): WordForm => {
        const word = cell(row, sounds)
        const cognates = cell(row, 'COGID') || cell(row, 'COGIDS')
        return {
          language: cell(row, 'DOCULECT'),
          concept: cell(row, 'CONCEPT'),
          cognates: cognates === '' || cognates === '0' ? null : cognates,
          word: sounds === 'TOKENS' || sounds === 'SEGMENTS' ? soundsOf(word) : lettersOf(word),
          loan: /^(?:1|true|yes)$/iu.test(cell(row, 'LOAN') || cell(row, 'BORROWING')),
        }
      })
      yield* itemsOf({ path, forms, source: remark(lines, 'source'), licence: remark(lines, 'licen[cs]e') })
    }
  },
}

/** The value of a remark `#@name=...` or `# name: ...`. */
function remark(lines: readonly string[], name: string): string | null {
  const pattern = new RegExp(`^#[@ ]{0,4}${name}[ \\t]{0,4}[=:](.{1,500})`, 'iu')
  for (const line of lines.slice(0, 200)) {
    const found = line.startsWith('#') ? pattern.exec(line.slice(0, 1000))?.[1]?.trim() : undefined
    if (found !== undefined && found !== '') return found
  }
  return null
}

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
import { itemsOf, type Language, lettersOf, soundsOf, type WordForm, type WordList } from './word-forms.ts'

type Row = { readonly [column: string]: string }

/**
 * Word lists in the Cross-Linguistic Data Formats (https://cldf.clld.org), as published by Lexibank: a folder with
 * `forms.csv`, and optionally `languages.csv`, `cognates.csv`, `borrowings.csv` and metadata with source and licence.
 */
export const importCldf: Importer = {
  name: 'cldf',
  task: 'pbebench/sound-change',
  describe: 'CLDF or Lexibank word lists: folders with forms.csv, languages.csv, cognates.csv',
  takesAncestors: true,
  async *read(files, ancestors = []) {
    const paths: string[] = []
    for await (const { path } of files.list()) paths.push(path)
    for (const path of paths.filter((name) => /(?:^|\/)forms\.csv$/u.test(name)).sort()) {
      const folder = path.slice(0, -'forms.csv'.length)
      try {
        const list = await listOf(files, folder, paths)
        if (list === null) yield tooLong(path, null)
        else yield* itemsOf(list, ancestors)
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
  const setOf = new Map(cognates.map((row) => [row['Form_ID'], row['Cognateset_ID']]))
  const borrowed = new Set(borrowings.map((row) => row['Target_Form_ID']))
  return {
    path: `${folder}forms.csv`,
    languages: languagesOf(
      languages,
      forms.map((row) => row['Language_ID'] ?? ''),
    ),
    forms: forms.map((row): WordForm => {
      const { ID: id = '', Language_ID: language = '', Segments: segments = '', Form: form = '' } = row
      return {
        language,
        concept: row['Parameter_ID'] || id,
        cognates: setOf.get(id) || row['Cognacy'] || row['Cognateset_ID'] || null,
        word: segments.trim() === '' ? lettersOf(form) : soundsOf(segments),
        loan: borrowed.has(id) || /^(?:true|1|yes)$/iu.test(row['Loan'] ?? ''),
      }
    }),
    ...(await termsOf(files, folder, paths)),
  }
}

/** Columns that say to which family and groups a language belongs, the largest first. */
const GROUPS = /^(?:family|subfamily|sub_?group(?:ing)?|branch|clade|classification|genus|group)$/iu

/** Languages of a table, and those without a row in it, in the order of their words. */
function languagesOf(rows: readonly Row[], used: readonly string[]): readonly Language[] {
  const known = new Map(rows.map((row) => [row['ID'] ?? '', row]))
  return [...new Set(used)].map((id) => {
    const row = known.get(id) ?? {}
    const groups = Object.keys(row).filter((name) => GROUPS.test(name))
    return {
      id,
      name: row['Name'] || id,
      glottologName: row['Glottolog_Name'] || null,
      groups: groups.flatMap((name) => row[name]?.split(/\s*[;>/]\s*/u) ?? []).filter((group) => group !== ''),
    }
  })
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

/** Names of columns by what they hold, the usual one first. */
const COLUMNS = {
  language: ['DOCULECT', 'LANGUAGE', 'TAXON', 'TAXA', 'LANGUAGE_ID', 'DOCULECT_ID'],
  concept: ['CONCEPT', 'GLOSS', 'CONCEPT_ID', 'PARAMETER_ID'],
  sounds: ['TOKENS', 'SEGMENTS'],
  form: ['IPA', 'FORM', 'WORD', 'COUNTERPART', 'VALUE', 'ENTRY'],
  cognates: ['COGID', 'COGIDS', 'COGSET', 'COGNATES', 'COGNATESET_ID'],
  loan: ['LOAN', 'BORROWING'],
  glottologName: ['GLOTTOLOG_NAME'],
} as const

/**
 * Word lists as EDICTOR and LingPy keep them (https://digling.org/edictor): tab-separated, a head with DOCULECT, CONCEPT, TOKENS or IPA, and
 * COGID. Lines that begin with `#` are remarks, those with `@` facts, among them `source` and `licence`; what stands in tags, such as
 * alignments, is not read.
 */
export const importEdictor: Importer = {
  name: 'edictor',
  task: 'pbebench/sound-change',
  describe: 'EDICTOR or LingPy word lists: .tsv or .qlc with DOCULECT, CONCEPT, TOKENS, COGID',
  takesAncestors: true,
  async *read(files, ancestors = []) {
    const paths: string[] = []
    for await (const { path } of files.list()) if (/\.(?:tsv|qlc)$/u.test(path)) paths.push(path)
    for (const path of paths.sort()) {
      const text = await wholeText(files.text(path))
      if (text === null) {
        yield tooLong(path, null)
        continue
      }
      const list = tabbed(path, text)
      if (typeof list === 'string') yield importProblem('malformed', path, null, list)
      else yield* itemsOf(list, ancestors)
    }
  },
}

/** The list in a file, or why it is none. */
function tabbed(path: string, text: string): WordList | string {
  const lines = text.replace(/^\ufeff/u, '').split(/\r\n?|\n/u)
  const [head = [], ...rows] = withoutTags(lines)
    .filter((line) => line.trim() !== '' && !/^[#@]/u.test(line))
    .map((line) => line.split('\t').map((cell) => cell.trim()))
  const heads = head.map((name) => name.toUpperCase())
  const columnOf = (what: keyof typeof COLUMNS): number =>
    heads.indexOf(COLUMNS[what].find((name) => heads.includes(name)) ?? '')
  const [language, sounds, form] = [columnOf('language'), columnOf('sounds'), columnOf('form')]
  if (language === -1 || Math.max(sounds, form) === -1)
    return `expected a head with ${language === -1 ? 'DOCULECT' : 'TOKENS, SEGMENTS, IPA or FORM'}, got ${head.join(', ').slice(0, 200)}`
  const cell = (row: readonly string[], what: keyof typeof COLUMNS): string => row[columnOf(what)] ?? ''
  // Of whole words or of their parts: whichever more words have.
  const filled = (column: number): number => rows.filter((row) => !['', '0', undefined].includes(row[column])).length
  const sets = COLUMNS.cognates
    .map((name) => heads.indexOf(name))
    .reduce((best, column) => (filled(column) > filled(best) ? column : best), -1)
  const groups = heads.flatMap((name, k) => (GROUPS.test(name) ? [k] : []))
  const languages = new Map<string, Language>()
  const forms = rows.flatMap((row): readonly WordForm[] => {
    const name = row[language] ?? ''
    if (name === '') return []
    languages.set(name, {
      id: name,
      name,
      glottologName: cell(row, 'glottologName') || null,
      groups: groups.flatMap((k) => row[k] || []),
    })
    const cognates = row[sets] ?? ''
    return [
      {
        language: name,
        concept: cell(row, 'concept'),
        cognates: cognates === '' || cognates === '0' ? null : cognates,
        word: cell(row, 'sounds') === '' ? lettersOf(cell(row, 'form')) : soundsOf(cell(row, 'sounds')),
        loan: /^(?:1|true|yes)$/iu.test(cell(row, 'loan')),
      },
    ]
  })
  const licence = remark(lines, 'licen[cs]e')
  return { path, languages: [...languages.values()], forms, source: remark(lines, 'source'), licence }
}

/** Lines outside tags such as `<msa ...>` to `</msa>`. */
function withoutTags(lines: readonly string[]): readonly string[] {
  let tag: string | null = null
  return lines.filter((line) => {
    const [, slash, name = ''] = /^<(\/?)([a-z]+)\b[^>]*>\s*$/u.exec(line) ?? []
    if (slash === '' && tag === null) tag = name
    else if (slash === '/' && tag === name) tag = null
    else return tag === null
    return false
  })
}

/** The value of a remark or fact: `#@name=...`, `# name: ...`, `@name:...`. */
function remark(lines: readonly string[], name: string): string | null {
  const pattern = new RegExp(`^[#@][@ ]{0,4}${name}[ \\t]{0,4}[=:](.{1,500})`, 'iu')
  for (const line of lines.slice(0, 200)) {
    const found = pattern.exec(line.slice(0, 1000))?.[1]?.trim()
    if (found !== undefined && found !== '') return found
  }
  return null
}

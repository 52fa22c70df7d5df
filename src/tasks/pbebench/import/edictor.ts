import { type Importer, importProblem, tooLong, wholeText } from '../../../core/index.ts'
import { itemsOf, lettersOf, soundsOf, type WordForm } from './word-forms.ts'

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

/** What a remark `#@name=...` or `# name: ...` says. */
function remark(lines: readonly string[], name: string): string | null {
  const pattern = new RegExp(`^#[@ ]{0,4}${name}[ \\t]{0,4}[=:](.{1,500})`, 'iu')
  for (const line of lines.slice(0, 200)) {
    const found = line.startsWith('#') ? pattern.exec(line.slice(0, 1000))?.[1]?.trim() : undefined
    if (found !== undefined && found !== '') return found
  }
  return null
}

import { type FileTree, type Imported, type Importer, importProblem, tooLong, wholeText } from '../../../core/index.ts'
import { parseAnalyzer } from '../../../formal/parses.ts'
import { compileRecognizer } from '../../../formal/recognizer.ts'
import { parseRelicGrammar } from '../../../formal/relic-text.ts'
import { describeString } from '../recognize/describe.ts'
import { batchResponses } from './batches.ts'
import { expectedPath, type GrammarFolder, grammarFolders } from './folders.ts'
import { parseCountOf, samplesOf } from './samples.ts'

/** The published RELIC release (specs/relic 7): grammars, labelled strings, batches of requests and results. */
export const release: Importer = {
  name: 'relic',
  task: 'relic/recognize',
  describe: 'the published RELIC-500 release: folders with a .cfg, filtered_samples.csv and batch_*_results.jsonl',
  async *read(files) {
    const folders = await grammarFolders(files)
    if (folders.length === 0)
      yield importProblem(
        'missing-file',
        '.',
        null,
        'no folder holds a .cfg, filtered_samples.csv or batch_*_results.jsonl',
      )
    for (const name of ['grammars', 'strings', 'labelMismatches', 'parseCountsChecked', 'parseCountMismatches'])
      yield { kind: 'count', name, add: 0 }
    for (const folder of folders) yield* readFolder(files, folder)
  },
}

async function* readFolder(files: FileTree, folder: GrammarFolder): AsyncGenerator<Imported> {
  if (folder.cfg === null) {
    yield importProblem(
      'missing-file',
      expectedPath.cfg(folder),
      null,
      'the grammar is missing, so its strings are left out',
    )
    return
  }
  if (folder.samples === null) {
    yield importProblem(
      'missing-file',
      expectedPath.samples(folder),
      null,
      'the strings are missing, so all responses are left out',
    )
    return
  }
  const text = (await wholeText(files.text(folder.cfg)))?.trimEnd()
  if (text === undefined) {
    yield tooLong(folder.cfg, null)
    return
  }
  const shared = { grammar: text }
  let grammar: ReturnType<typeof parseRelicGrammar>
  try {
    grammar = parseRelicGrammar(text)
  } catch (error) {
    yield importProblem('bad-file', folder.cfg, null, error instanceof Error ? error.message : String(error))
    return
  }
  yield { kind: 'group', key: folder.name, shared }
  yield { kind: 'count', name: 'grammars', add: 1 }
  const recognizer = compileRecognizer(grammar)
  const analyzer = parseAnalyzer(grammar)
  const numbers = new Map(grammar.terminals.map((terminal, t) => [terminal, t]))
  const rows = new Set<number>()
  for await (const sample of samplesOf(files, folder.samples)) {
    if ('problem' in sample) {
      yield sample
      continue
    }
    const tokens = sample.string.split(' ').map((token) => numbers.get(token) ?? -1)
    rows.add(sample.row)
    yield { kind: 'count', name: 'strings', add: 1 }
    if (recognizer.accepts(tokens) !== sample.label) {
      yield { kind: 'count', name: 'labelMismatches', add: 1 }
      const found = sample.label ? 'is not in the language' : 'is in the language'
      yield importProblem(
        'label-mismatch',
        folder.samples,
        sample.line,
        `"${sample.string}" ${found}, its label says otherwise`,
      )
    }
    if (sample.parses !== null) {
      yield { kind: 'count', name: 'parseCountsChecked', add: 1 }
      const counted = analyzer.countExactly(tokens)
      if (counted !== parseCountOf(sample.parses)) {
        yield { kind: 'count', name: 'parseCountMismatches', add: 1 }
        yield importProblem(
          'parse-count-mismatch',
          folder.samples,
          sample.line,
          `${counted} parses, the file says ${sample.parses}`,
        )
      }
    }
    yield {
      kind: 'item',
      key: itemKey(folder, sample.row),
      group: folder.name,
      given: { string: sample.string },
      answer: sample.label,
      features: describeString(shared, tokens, sample.label, sample.label ? null : 'published', publishedLengths),
    }
  }
  for (const batch of folder.batches)
    yield* batchResponses(files, folder, batch, (row) => (rows.has(row) ? itemKey(folder, row) : null))
}

const publishedLengths = { minLength: 1, maxLength: 50 }
const itemKey = (folder: GrammarFolder, row: number): string => `${folder.name}/${row}`

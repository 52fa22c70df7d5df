import { z } from 'zod'
import {
  type FileTree,
  type Imported,
  type Importer,
  importProblem,
  jsonOrNull,
  tooLong,
  wholeText,
} from '../../../core/index.ts'
import { parseRelicGrammar } from '../../../libraries/grammars/notation/relic.ts'
import { parseAnalyzer } from '../../../libraries/grammars/recognise/parses.ts'
import { compileRecognizer } from '../../../libraries/grammars/recognise/recognizer.ts'
import type { Shared } from '../grammars/grammar.ts'
import { describeString } from '../recognize/group/group.ts'
import { batchResponses } from './batches.ts'
import { type Compression, compressionOf, parseCountOf, type Sample, samplesOf } from './compression.ts'
import { type GrammarFolder, grammarFolders, samplesFile } from './folders.ts'

/** Counts reported for every release, 0 included. */
const COUNTS = [
  'grammars',
  'strings',
  'labelMismatches',
  'parseCountsChecked',
  'parseCountMismatches',
  'sizesChecked',
  'sizeMismatches',
] as const

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
    for (const name of COUNTS) yield { kind: 'count', name, add: 0 }
    for (const folder of folders) yield* readFolder(files, folder)
  },
}

async function* readFolder(files: FileTree, folder: GrammarFolder): AsyncGenerator<Imported> {
  const missing = (path: string, message: string) => importProblem('missing-file', folder.path + path, null, message)
  if (folder.cfg === null)
    return yield missing(`${folder.name}.cfg`, 'the grammar is missing, so its strings are skipped')
  if (folder.samples === null)
    return yield missing(samplesFile, 'the strings are missing, so all responses are skipped')
  const text = (await wholeText(files.text(folder.cfg)))?.trimEnd()
  if (text === undefined) return yield tooLong(folder.cfg, null)
  const shared = { grammar: text }
  let examine: ReturnType<typeof examiner>
  try {
    examine = examiner(shared)
  } catch (error) {
    return yield importProblem('bad-file', folder.cfg, null, messageOf(error))
  }
  yield { kind: 'group', key: folder.name, shared }
  yield { kind: 'count', name: 'grammars', add: 1 }
  const compression = await compressionOf(files, folder.samples)
  if (compression !== null && folder.stats !== null) yield* checkSizes(files, folder.stats, compression)
  const rows = new Set<number>()
  for await (const sample of samplesOf(files, folder.samples)) {
    if ('problem' in sample) {
      yield sample
      continue
    }
    let found: ReturnType<typeof examine>
    try {
      found = examine(sample)
    } catch (error) {
      yield importProblem('unusable-row', folder.samples, sample.line, messageOf(error))
      continue
    }
    rows.add(sample.row)
    yield { kind: 'count', name: 'strings', add: 1 }
    if (found.member !== sample.label) {
      yield { kind: 'count', name: 'labelMismatches', add: 1 }
      const says = sample.label ? 'is not in the language' : 'is in the language'
      yield importProblem(
        'label-mismatch',
        folder.samples,
        sample.line,
        `"${sample.string}" ${says}, its label says otherwise`,
      )
    }
    if (found.parses !== null) {
      yield { kind: 'count', name: 'parseCountsChecked', add: 1 }
      if (found.parses !== parseCountOf(sample.parses ?? '')) {
        yield { kind: 'count', name: 'parseCountMismatches', add: 1 }
        yield importProblem(
          'parse-count-mismatch',
          folder.samples,
          sample.line,
          `${found.parses} parses, the file says ${sample.parses}`,
        )
      }
    }
    yield {
      kind: 'item',
      key: itemKey(folder, sample.row),
      group: folder.name,
      given: { string: sample.string },
      answer: sample.label,
      features: { ...found.features, compression: compression?.ratio ?? null },
    }
  }
  for (const batch of folder.batches)
    yield* batchResponses(files, folder, batch, (row) => (rows.has(row) ? itemKey(folder, row) : null))
}

/** Sizes as the release states them. */
const statedSizes = z.object({ uncompressed_size: z.number(), compressed_size: z.number() })
/** Two builds of one compressor differ by less than this. */
const SAME_COMPRESSION = 0.03

/** Compares the stored facts about positives with recomputed ones. */
async function* checkSizes(files: FileTree, path: string, found: Compression): AsyncGenerator<Imported> {
  const stated = statedSizes.safeParse(jsonOrNull((await wholeText(files.text(path))) ?? ''))
  if (!stated.success)
    return yield importProblem('bad-file', path, null, 'expected uncompressed_size and compressed_size')
  const { uncompressed_size: plain, compressed_size: gzipped } = stated.data
  yield { kind: 'count', name: 'sizesChecked', add: 1 }
  if (plain === found.plain && Math.abs(gzipped / found.gzipped - 1) < SAME_COMPRESSION) return
  yield { kind: 'count', name: 'sizeMismatches', add: 1 }
  yield importProblem(
    'size-mismatch',
    path,
    null,
    `the positives have ${found.plain} bytes, ${found.gzipped} compressed; the file says ${plain} and ${gzipped}`,
  )
}

const publishedLengths = { minLength: 1, maxLength: 50 }
const itemKey = (folder: GrammarFolder, row: number): string => `${folder.name}/${row}`

/**
 * Most that is read, since tables grow with the squares of these and time with the cube of the tokens. Generated grammars
 * have at most 2,001 nonterminals, 2,000 terminals and 4,000 rules, their strings 500 tokens; released ones were drawn
 * with at most 400 of each, their strings have 50.
 */
const most = { nonterminals: 3000, terminals: 3000, rules: 10000, tokens: 1000 } as const

/** Recognition and parse counts of the strings of one grammar. @throws where grammar or string is too large. */
function examiner(shared: Shared) {
  const grammar = parseRelicGrammar(shared.grammar)
  within('nonterminals', grammar.nonterminals.length)
  within('terminals', grammar.terminals.length)
  within('rules', grammar.binary.length / 3 + grammar.lexical.length / 2)
  const recognizer = compileRecognizer(grammar)
  const analyzer = parseAnalyzer(grammar)
  const numbers = new Map(grammar.terminals.map((terminal, t) => [terminal, t]))
  return ({ string, label, parses }: Sample) => {
    const tokens = string.split(' ').map((token) => numbers.get(token) ?? -1)
    within('tokens', tokens.length)
    return {
      member: recognizer.accepts(tokens),
      parses: parses === null ? null : analyzer.countExactly(tokens),
      features: describeString(shared, tokens, label, label ? null : 'published', publishedLengths),
    }
  }
}

function within(what: keyof typeof most, count: number): void {
  if (count > most[what]) throw new RangeError(`${count} ${what}; at most ${most[what]} are read`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

import type { FileTree, Imported, Importer } from '../../core/index.ts'
import { cascadeCategory, categoryCode, type Rule, runBounded } from '../../rewriting/index.ts'
import { publishedRule } from './answers/published.ts'
import { describeCascade, hypotheses } from './induce/features.ts'
import { describeScrambled } from './reorder/features.ts'
import { inOrder, isOrder } from './reorder/types.ts'
import { ALL_LETTERS, LITE_LETTERS } from './sampling/settings.ts'
import { alignedPairs, chunked } from './sound-laws/word-pairs.ts'

/** Longest line and longest file of one array that are read. */
const LONGEST = 50_000_000

interface Release {
  readonly path: string
  /** Rules allowed in an answer, at least. */
  readonly floor: number
  readonly letters: string
}

/** One record of a published file, as far as it is used. */
interface PublishedRecord {
  readonly inputs?: unknown
  readonly outputs?: unknown
  readonly programs?: unknown
  readonly original_programs?: unknown
  readonly permuted_programs?: unknown
  readonly ground_truth_order?: unknown
  readonly bfcc_category?: unknown
  readonly num_valid_solutions?: unknown
}

const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null

/** Published programs; some files carry stray backslashes before the quotes. */
function rulesOf(value: unknown): readonly Rule[] | null {
  const rules = texts(value)?.map((program) => publishedRule(program.replaceAll('\\', '')))
  return rules?.every((rule) => rule !== null) === true ? (rules as readonly Rule[]) : null
}

const problem = (path: string, line: number | null, kind: string, message: string): Imported => ({
  kind: 'problem',
  problem: kind,
  path,
  line,
  count: 1,
  message,
})

/** Which alphabet and limit a file was made with: the small sets use 17 letters, all others 52. */
function releaseOf(path: string): Release {
  const name = path.split('/').at(-1) ?? path
  const hard = name.includes('hard')
  return { path, floor: hard ? 20 : 5, letters: hard ? ALL_LETTERS : LITE_LETTERS }
}

/** Records of a JSONL file, or of a file with one JSON array; line numbers from 1, or positions in the array. */
async function* records(files: FileTree, path: string): AsyncGenerator<Imported | { line: number; value: unknown }> {
  let rest = ''
  let line = 0
  const parse = (source: string) => {
    line++
    try {
      return { line, value: JSON.parse(source) as unknown }
    } catch {
      return problem(path, line, 'malformed', 'this line is not JSON')
    }
  }
  const array = path.endsWith('.json')
  for await (const piece of files.text(path)) {
    rest += piece
    if (rest.length > LONGEST) {
      yield problem(path, line + 1, 'too-long', `a line is longer than ${LONGEST} characters`)
      return
    }
    if (array) continue
    const parts = rest.split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.trim() !== '') yield parse(part)
  }
  if (rest.trim() === '') return
  const last = parse(rest)
  if (!('value' in last) || !Array.isArray(last.value)) yield last
  else for (const [k, value] of last.value.entries()) yield { line: k + 1, value: value as unknown }
}

/** Every file of the published layout that holds records, with its records. */
async function* allRecords(
  files: FileTree,
  wanted: (name: string) => boolean,
): AsyncGenerator<Imported | { path: string; line: number; record: PublishedRecord }> {
  for await (const { path } of files.list()) {
    const name = path.split('/').at(-1) ?? path
    if (!/\.jsonl?$/.test(name) || name.includes('stats') || !wanted(name)) continue
    for await (const entry of records(files, path)) {
      if (!('value' in entry)) yield entry
      else if (typeof entry.value !== 'object' || entry.value === null)
        yield problem(path, entry.line, 'malformed', 'expected an object with inputs, outputs and programs')
      else yield { path, line: entry.line, record: entry.value as PublishedRecord }
    }
  }
}

/** Cascades: `adaptive_balanced_*.jsonl` and their prompts files. */
export const importInduce: Importer = {
  name: 'pbebench',
  task: 'pbebench/induce',
  describe: 'PBEBench cascades: JSONL or JSON with inputs, outputs, programs',
  async *read(files) {
    let read = 0
    let agree = 0
    for await (const entry of allRecords(
      files,
      (name) => /cascade|balanced/.test(name) && !name.includes('permutation'),
    )) {
      if (!('record' in entry)) {
        yield entry
        continue
      }
      const { path, line, record } = entry
      const [inputs, outputs, rules] = [texts(record.inputs), texts(record.outputs), rulesOf(record.programs)]
      if (
        inputs === null ||
        outputs === null ||
        rules === null ||
        inputs.length !== outputs.length ||
        inputs.length === 0
      ) {
        yield problem(path, line, 'malformed', 'expected equally long inputs and outputs, and programs')
        continue
      }
      const ran = runBounded(inputs, rules)
      if (ran.kind === 'outgrown' || ran.words.some((word, i) => word !== outputs[i]))
        yield problem(path, line, 'outputs', 'the programs do not give the outputs')
      const category = cascadeCategory(rules, 'paper')
      const stored = typeof record.bfcc_category === 'string' ? record.bfcc_category : null
      if (stored !== null && stored !== categoryCode(category))
        yield problem(path, line, 'category', `stored ${stored}, found ${categoryCode(category)}`)
      else agree++
      const { floor, letters } = releaseOf(path)
      const limit = Math.max(floor, rules.length)
      const key = `${path}:${line}`
      yield { kind: 'group', key, shared: null }
      yield {
        kind: 'item',
        key,
        group: key,
        given: { inputs, outputs, limits: { rules: limit, side: 3, letters, count: 'code-points' } },
        answer: rules,
        features: {
          ...describeCascade({ inputs, outputs, rules }, category, 'paper', letters.length),
          limit,
          slack: limit - rules.length,
          hypotheses: hypotheses(letters.length, [1, 3], false, rules.length),
        },
      }
      read++
    }
    yield { kind: 'count', name: 'items', add: read }
    yield { kind: 'count', name: 'categoriesAgree', add: agree }
  },
}

/** Scrambled cascades: `*_permutation_promptsfile.jsonl`. */
export const importReorder: Importer = {
  name: 'pbebench-perm',
  task: 'pbebench/reorder',
  describe: 'PBEBench permutations: JSONL with inputs, outputs, permuted_programs, ground_truth_order',
  async *read(files) {
    let read = 0
    let agree = 0
    for await (const entry of allRecords(files, (name) => name.includes('permutation'))) {
      if (!('record' in entry)) {
        yield entry
        continue
      }
      const { path, line, record } = entry
      const [inputs, outputs] = [texts(record.inputs), texts(record.outputs)]
      const rules = rulesOf(record.permuted_programs)
      const order = Array.isArray(record.ground_truth_order) ? (record.ground_truth_order as readonly number[]) : null
      if (inputs === null || outputs === null || rules === null || order === null) {
        yield problem(path, line, 'malformed', 'expected inputs, outputs, permuted_programs and ground_truth_order')
        continue
      }
      if (!isOrder(order, rules.length)) {
        yield problem(path, line, 'order', 'ground_truth_order is no order of the programs')
        continue
      }
      const category = cascadeCategory(inOrder(rules, order), 'paper')
      const features = describeScrambled({ inputs, outputs, rules }, order, category, 'paper', LITE_LETTERS.length)
      const stored = typeof record.num_valid_solutions === 'number' ? record.num_valid_solutions : null
      const valid = features['validOrders']
      if (stored !== null && valid !== null && stored !== valid)
        yield problem(path, line, 'orders', `stored ${stored} valid orders, counted ${valid}`)
      else agree++
      if (typeof record.bfcc_category === 'string' && record.bfcc_category !== categoryCode(category))
        yield problem(path, line, 'category', `stored ${record.bfcc_category}, found ${categoryCode(category)}`)
      const key = `${path}:${line}`
      yield { kind: 'group', key, shared: null }
      yield {
        kind: 'item',
        key,
        group: key,
        given: { inputs, outputs, rules },
        answer: { order },
        features,
      }
      read++
    }
    yield { kind: 'count', name: 'items', add: read }
    yield { kind: 'count', name: 'validOrdersAgree', add: agree }
  },
}

async function whole(files: FileTree, path: string): Promise<string> {
  let out = ''
  for await (const piece of files.text(path)) out += piece
  return out
}

/**
 * Word lists as configs of `pbebench/sound-laws`: every folder with `words.in` and `words.out` is one language pair, in
 * file order. Reading them through the task keeps the task's own proof that a cascade exists.
 */
export async function readWordLists(
  files: FileTree,
): Promise<readonly { readonly name: string; readonly pairs: readonly (readonly [string, string])[] }[]> {
  const paths = new Set<string>()
  for await (const { path } of files.list()) paths.add(path)
  const out = []
  for (const path of [...paths].filter((name) => name.endsWith('words.in')).sort()) {
    const later = `${path.slice(0, -2)}out`
    if (!paths.has(later)) continue
    const name = path.split('/').at(-2) ?? path
    out.push({ name, pairs: alignedPairs(name, await whole(files, path), await whole(files, later)) })
  }
  return out
}

/** Word lists as items without a known cascade's proof: the pairs as they are, in chunks of 50. */
export const importSoundLaws: Importer = {
  name: 'pbebench-sound-laws',
  task: 'pbebench/sound-laws',
  describe: 'Real-SLI word lists: folders with words.in and words.out, one word a line',
  async *read(files) {
    let words = 0
    for (const { name, pairs } of await readWordLists(files)) {
      for (const [chunk, part] of chunked(pairs, 50).entries()) {
        const key = `${name}/${chunk}`
        const [inputs, outputs] = [part.map(([a]) => a), part.map(([, b]) => b)]
        const changed = part.filter(([a, b]) => a !== b).length
        yield { kind: 'group', key, shared: null }
        yield {
          kind: 'item',
          key,
          group: key,
          given: { inputs, outputs, limits: { rules: 50, side: 5, letters: '', count: 'code-points' } },
          answer: { rules: [], heldOut: [] },
          features: {
            language: name,
            chunk,
            words: part.length,
            wordsChanged: changed,
            heldOut: 0,
            slack: 50 - changed,
          },
        }
        words += part.length
      }
    }
    yield { kind: 'count', name: 'words', add: words }
  },
}

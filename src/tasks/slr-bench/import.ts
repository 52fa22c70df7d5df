import { type Importer, importProblem, type JsonObject, jsonRecords, loneItem } from '../../core/index.ts'
import { Fault } from './prolog/limits.ts'
import { MAX_PROGRAM_LENGTH, readProgram } from './prolog/read.ts'
import { indicator } from './prolog/terms.ts'
import { labelled } from './test-cases.ts'
import { mark, shownCase } from './trains/oracle.ts'
import type { Published } from './trains/question.ts'

/** Most things that one record may label; the published ones label 32 at most. */
const MAX_THINGS = 512

/**
 * Records of SLR-Bench as Parquet, JSON lines, or one array: `prompt`, `ground-truth rule`, `validation program`,
 * `curriculum level` and `curriculum tier`. The rule defines the positive label; the other predicate over the same
 * things is the negative one, so translations and variants of the dataset work too.
 */
export const importRecords: Importer = {
  name: 'slr-bench',
  task: 'slr-bench/trains',
  describe:
    'SLR-Bench: Parquet, JSONL or JSON with prompt, ground-truth rule, validation program, curriculum level and tier',
  async *read(files) {
    let agree = 0
    const isWanted = (path: string) => /\.(?:jsonl?|parquet)$/.test(path)
    for await (const entry of jsonRecords(files, isWanted, 'a record on a line')) {
      if ('problem' in entry) {
        yield entry
        continue
      }
      const { path, line } = entry
      const read = itemOf(entry.record, path)
      if (typeof read === 'string') {
        yield importProblem('malformed', path, line, read)
        continue
      }
      yield* loneItem(`${path}:${line}`, read)
      const { right, rules } = mark(read.given, read.answer)
      const all = read.features.trains
      if (right === all) agree++
      else
        yield importProblem(
          'rule',
          path,
          line,
          rules.kind === 'fault'
            ? `the stored rule is no Prolog that we run: ${rules.reason}`
            : `the stored rule is right about ${right} of ${all}`,
        )
    }
    yield { kind: 'count', name: 'rulesAgree', add: agree }
  },
}

function itemOf(record: JsonObject, path: string) {
  const [prompt, rule, program] = ['prompt', 'ground-truth rule', 'validation program'].map((name) => record[name])
  if (typeof prompt !== 'string' || typeof rule !== 'string' || typeof program !== 'string')
    return 'expected prompt, ground-truth rule and validation program as texts'
  const found = labelsOf(rule, program)
  if (typeof found === 'string') return found
  const given: Published = { kind: 'published', prompt, program, ...found }
  const level = record['curriculum level'] ?? record['level']
  const tier = record['curriculum tier']
  return {
    given,
    answer: rule,
    features: {
      tier: typeof tier === 'string' ? tier : 'none',
      level: Number.isSafeInteger(level) ? Number(level) : null,
      properties: null,
      trains: shownCase(given).labels.length,
      cars: null,
      first: null,
      second: null,
      part: partOf(path),
    },
  }
}

/**
 * The predicate that the rule defines, and the one other predicate whose clauses are all facts about the same things.
 */
function labelsOf(rule: string, program: string): Pick<Published, 'positive' | 'negative'> | string {
  if (program.length > MAX_PROGRAM_LENGTH)
    return `the validation program is longer than ${MAX_PROGRAM_LENGTH} characters`
  try {
    const [first] = readProgram(rule)
    const positive = first?.head.kind === 'compound' && first.head.args.length === 1 ? first.head.name : null
    if (positive === null) return 'expected a rule about one thing'
    const clauses = readProgram(program)
    const others = new Set(
      clauses.flatMap(({ head }) =>
        head.kind === 'compound' && head.args.length === 1 && head.name !== positive ? [head.name] : [],
      ),
    )
    const [negative, ...more] = others
    if (negative === undefined || more.length > 0)
      return `expected one label beside ${positive} in the validation program, found ${others.size}`
    const { labels } = labelled(clauses, positive, negative)
    if (labels.length > MAX_THINGS) return `the validation program labels more than ${MAX_THINGS} things`
    if (!labels.includes(true) || !labels.includes(false))
      return `expected things that are ${positive} and things that are ${negative} in the validation program`
    if (!clauses.some(({ head }) => indicator(head) === `${positive}/1`)) return `nothing is ${positive}`
    return { positive, negative }
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** `v1-All/test-00000-of-00001.parquet` is of the part `v1-All/test`. */
const partOf = (path: string): string =>
  path
    .replace(/(?:-\d{1,9}-of-\d{1,9})?\.(?:jsonl?|parquet)$/, '')
    .split('/')
    .slice(-2)
    .join('/')

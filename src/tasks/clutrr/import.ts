import { csvLines } from '../../core/csv.ts'
import { type Importer, importProblem, isUsageError, loneItem, tooLong, wholeText } from '../../core/index.ts'
import { readings } from './kinship/oracle.ts'
import { relations, type Story } from './kinship/question.ts'

type Row = { readonly [column: string]: string }

/**
 * The published test files (CLUTRR/v1): CSV with `story`, `query` (the two people), the relation, and the chain of words
 * behind it. The file asks what the second person is to the first.
 */
export const importStories: Importer = {
  name: 'clutrr',
  task: 'clutrr/kinship',
  describe: 'CLUTRR/v1: test.csv files with story, query, target_text and f_comb, one folder a part',
  async *read(files) {
    for await (const { path } of files.list()) {
      if (!/(^|[/_.])test\.csv$/.test(path)) continue
      const text = await wholeText(files.text(path))
      if (text === null) {
        yield tooLong(path, null)
        continue
      }
      let row = 0
      const chains = { agree: 0, open: 0 }
      try {
        for (const { line, row: fields } of csvLines(text)) {
          row++
          const read = itemOf(fields, partOf(path))
          if (read === null) {
            yield importProblem(
              'malformed',
              path,
              line,
              'expected story, query with two names, and one of the relations',
            )
            continue
          }
          yield* loneItem(`${path}:${row}`, read)
          const { answer, allowed } = read
          if (!allowed.has(answer)) yield importProblem('chain', path, row, `stored ${answer}, ${saidBy(allowed)}`)
          else if (allowed.size === 1) chains.agree++
          else chains.open++
        }
      } catch (error) {
        if (!isUsageError(error)) throw error
        yield importProblem('malformed', path, row + 1, error.message)
      }
      yield { kind: 'count', name: 'chainsAgree', add: chains.agree }
      yield { kind: 'count', name: 'chainsOpen', add: chains.open }
    }
  },
}

function itemOf(row: Row, part: string) {
  const asked = namesOf(row['query'] ?? '')
  const answer = answerOf(row)
  const story = row['story'] ?? ''
  if (asked === null || answer === null || story === '') return null
  const chain = chainOf(row['f_comb'] ?? '')
  const given: Story = { kind: 'story', story, asked: [asked[1], asked[0]], chain }
  return {
    given,
    answer,
    allowed: readings({ shared: { order: 'along', view: [] }, given }),
    features: {
      hops: chain?.length ?? 0,
      distractors: 0,
      order: 'published',
      people: null,
      sentences: null,
      first: null,
      last: null,
      generations: null,
      relation: answer,
      part,
      facts: factsOf(row['task_name'] ?? ''),
    },
  }
}

function saidBy(allowed: ReadonlySet<string>): string {
  const words = [...allowed].filter((word) => word !== '').sort()
  return words.length === 0 ? 'the chain gives none of the relations' : `the chain gives ${words.join(' or ')}`
}

/** `('Ann', 'Bob')`. */
function namesOf(text: string): readonly [string, string] | null {
  const names = text.length > 1000 ? null : /^\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)\s*$/.exec(text)
  return names === null ? null : [names[1] as string, names[2] as string]
}

/** Older files have a number, or the word, as `target`. */
const answerOf = (row: Row): string | null =>
  [row['target_text'], row['text_target'], row['target']].find(
    (word): word is string => word !== undefined && relations.includes(word),
  ) ?? null

const KINDS = ['clean', 'supporting', 'irrelevant', 'disconnected'] as const

/** `task_3.2`: irrelevant facts (the parts that train on them say so), two hops. */
const factsOf = (task: string): string | null => KINDS[Number(/^task_(\d)\./.exec(task)?.[1] ?? 0) - 1] ?? null

/** `daughter-brother-father-in-law`; null where the file has none. */
function chainOf(text: string): readonly string[] | null {
  const words = text.trim().split(/-(?!in-law|law)/)
  return text.trim() === '' || words.length > 64 ? null : words
}

/** `gen_train23_test2to10/test.csv` is of the part that its folder is called, `1.2_test.csv` of `1.2`. */
function partOf(path: string): string {
  const [name = '', folder] = path.split('/').reverse()
  return name === 'test.csv' ? (folder ?? 'test') : name.replace(/[_.]?test\.csv$/, '')
}

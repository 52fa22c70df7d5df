import type { Analysis, Frame } from '../../../core/analysis.ts'
import { tableOf } from '../../../core/tables.ts'
import { clusteredShare, partition, rowsWhere, systemsIn, take } from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, model, number, setting } from './accuracy.ts'
import { blocksBeside, named, systemsOf } from './settings.ts'

/** Configs that ask about each context both ways: how often does a model answer Yes twice, or No twice? */
export const flips: Analysis = {
  id: 'recoglab/paired-flip',
  title: 'The same context asked both ways',
  notes: [
    'One answer is Yes, the other No. Both Yes shows a bias to agree, both No a bias to deny; either is inconsistent.',
    'Pairs in which a response is unparsed, truncated, refused or an error are omitted.',
  ],
  needs: ['task', 'item', 'model', 'config', 'group', 'status', 'prediction', 'feature_queryWord', 'feature_label'],
  run(frame) {
    const clusters = contextCodes(frame)
    const isFlipped = ({ rows }: { readonly rows: Int32Array }) => flipsIn(frame, rows).length > 0
    const settings = named(
      blocksBeside(frame, []).filter(({ rows }) => systemsIn(frame, rows).some((system) => isFlipped(system))),
    )
    const rows = systemsOf(frame, settings)
      .filter(isFlipped)
      .map(({ key, rows: own }) => {
        const pairs = flipsIn(frame, own)
        const graded = pairs.flatMap((both) => {
          const answers = answersOf(frame, both)
          return answers === null ? [] : [{ row: both[0] as number, answers }]
        })
        return {
          key,
          pairs,
          graded,
          count: (pattern: string) => graded.filter((one) => one.answers === pattern).length,
        }
      })
    const answers = tableOf('recoglab/paired-flip', 'Answers to both ways of asking', [setting, model], rows, [
      [number('pairs', 'Pairs'), ({ pairs }) => pairs.length],
      [number('omitted', 'Omitted'), ({ pairs, graded }) => pairs.length - graded.length],
      [number('bothYes', 'Both Yes'), ({ count }) => count('Yes Yes')],
      [number('bothNo', 'Both No'), ({ count }) => count('No No')],
      [number('consistent', 'One of each'), ({ count }) => count('No Yes')],
      [
        estimate('inconsistent', 'Inconsistent'),
        ({ graded }) =>
          clusteredShare(
            graded.map((one) => (one.answers === 'No Yes' ? 0 : 1)),
            take(
              clusters,
              graded.map(({ row }) => row),
            ),
          ),
      ],
    ])
    return { tables: [answers] }
  },
}

const levelAt = (frame: Frame, column: string, row: number): string | undefined => {
  const { codes, levels } = frame.category(column)
  return levels[codes[row] as number]
}

const sortedPair = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** Samples of two questions about one context, one with the answer Yes and one with No. */
const flipsIn = (frame: Frame, rows: Int32Array): Int32Array[] =>
  partition(frame, frame.has('sample') ? ['sample', 'group'] : ['group'], askedTwice(frame, rows))
    .map((part) => part.rows)
    .filter((both) => {
      const [a, b] = [...both].map((row) => levelAt(frame, 'feature_label', row) ?? '')
      return both.length === 2 && sortedPair(a as string, b as string) === 'No Yes'
    })

/** Rows whose group has another row: most runs have none. */
function askedTwice(frame: Frame, rows: Int32Array): Int32Array {
  const { codes, levels } = frame.category('group')
  const counts = new Int32Array(levels.length + 1)
  const at = (row: number) => (codes[row] as number) + 1
  for (const row of rows) counts[at(row)] = (counts[at(row)] as number) + 1
  return rowsWhere(rows, (row) => (counts[at(row)] as number) > 1)
}

/** Both answers, sorted; null unless both were graded. */
function answersOf(frame: Frame, rows: Int32Array): string | null {
  if ([...rows].some((row) => levelAt(frame, 'status', row) !== 'graded')) return null
  const [a, b] = [...rows].map((row) => levelAt(frame, 'prediction', row)?.replaceAll('"', '') ?? '')
  return sortedPair(a as string, b as string)
}

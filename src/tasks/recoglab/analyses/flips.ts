import type { Analysis, Frame } from '../../../core/analysis.ts'
import { table } from '../../../core/tables.ts'
import { clusteredShare, partition, rowsWhere, systemsIn, take } from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, model, number, setting } from './accuracy.ts'
import { blocksBeside, named } from './settings.ts'

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
    const settings = named(
      blocksBeside(frame, []).filter(({ rows }) =>
        systemsIn(frame, rows).some((system) => flipsIn(frame, system.rows).length > 0),
      ),
    )
    const clusters = contextCodes(frame)
    const rows = settings.flatMap(({ setting: name, rows: all }) =>
      systemsIn(frame, all).flatMap(({ model: system, rows: own }) => {
        const pairs = flipsIn(frame, own)
        if (pairs.length === 0) return []
        const graded = pairs.flatMap((both) => {
          const answers = answersOf(frame, both)
          return answers === null ? [] : [{ row: both[0] as number, answers }]
        })
        const count = (pattern: string) => graded.filter(({ answers }) => answers === pattern).length
        const inconsistent = clusteredShare(
          graded.map(({ answers }) => (answers === 'No Yes' ? 0 : 1)),
          take(
            clusters,
            graded.map(({ row }) => row),
          ),
        )
        return [
          {
            setting: name,
            model: system,
            pairs: pairs.length,
            omitted: pairs.length - graded.length,
            bothYes: count('Yes Yes'),
            bothNo: count('No No'),
            consistent: count('No Yes'),
            inconsistent,
          },
        ]
      }),
    )
    const answers = table(
      'recoglab/paired-flip',
      'Answers to both ways of asking',
      [
        setting,
        model,
        number('pairs', 'Pairs'),
        number('omitted', 'Omitted'),
        number('bothYes', 'Both Yes'),
        number('bothNo', 'Both No'),
        number('consistent', 'One of each'),
        estimate('inconsistent', 'Inconsistent'),
      ],
      rows,
    )
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

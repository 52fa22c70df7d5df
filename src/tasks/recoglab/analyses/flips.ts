import type { Analysis, Frame } from '../../../core/analysis.ts'
import { bySystem, clusteredShare, partition, rowsWhere, take } from '../../../libraries/statistics/index.ts'
import { blocksBeside, named } from './blocks.ts'
import { contextCodes, estimate, number, text, whoIn } from './cells.ts'

/** What a paired-flip config shows: how often a model says Yes both ways or No both ways about one context. */
export const flips: Analysis = {
  id: 'recoglab/paired-flip',
  title: 'The same context asked about both ways',
  notes: [
    'One of the two right answers is Yes and the other No. Both Yes shows a bias to agree, both No a bias to deny; either is inconsistent whatever the truth.',
    'Only pairs with two answers that were read and graded count. "Left out" are the others: an answer was unparsed, truncated or refused, or its cell failed.',
  ],
  needs: ['task', 'item', 'model', 'config', 'group', 'state', 'answer', 'feature_queryWord', 'feature_label'],
  run(frame) {
    const who = whoIn(frame)
    const { settings, columns } = named(
      blocksBeside(frame, []).filter((block) =>
        bySystem(who, block.rows).some(({ rows }) => flipsIn(frame, rows).length > 0),
      ),
    )
    const clusters = contextCodes(frame)
    const rows = settings.flatMap(({ setting, rows: mine }) =>
      bySystem(who, mine).flatMap(({ contestant, rows: own }) => {
        const pairs = flipsIn(frame, own)
        if (pairs.length === 0) return []
        const read = pairs.flatMap((both) => {
          const answers = answersOf(frame, both)
          return answers === null ? [] : [{ row: both[0] as number, answers }]
        })
        const count = (pattern: string) => read.filter(({ answers }) => answers === pattern).length
        return [
          {
            setting,
            model: contestant,
            pairs: pairs.length,
            leftOut: pairs.length - read.length,
            bothYes: count('Yes Yes'),
            bothNo: count('No No'),
            consistent: count('No Yes'),
            inconsistent: clusteredShare(
              read.map(({ answers }) => (answers === 'No Yes' ? 0 : 1)),
              take(
                clusters,
                read.map(({ row }) => row),
              ),
            ),
          },
        ]
      }),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'recoglab/paired-flip',
          title: 'Answers to both ways of asking',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('pairs', 'Pairs'),
            number('leftOut', 'Left out'),
            number('bothYes', 'Both Yes'),
            number('bothNo', 'Both No'),
            number('consistent', 'One of each'),
            estimate('inconsistent', 'Inconsistent'),
          ],
          rows,
        },
      ],
    }
  },
}

const levelAt = (frame: Frame, column: string, row: number): string | undefined => {
  const { codes, levels } = frame.category(column)
  return levels[codes[row] as number]
}

const sortedPair = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** Samples of two questions about one context, of which one is to be answered by Yes and one by No. */
const flipsIn = (frame: Frame, rows: Int32Array): Int32Array[] =>
  partition(frame, frame.has('sample') ? ['sample', 'group'] : ['group'], notAlone(frame, rows))
    .map((part) => part.rows)
    .filter((both) => {
      const [a, b] = [...both].map((row) => levelAt(frame, 'feature_label', row) ?? '')
      return both.length === 2 && sortedPair(a as string, b as string) === 'No Yes'
    })

/** Most runs ask about no context twice. */
function notAlone(frame: Frame, rows: Int32Array): Int32Array {
  const { codes, levels } = frame.category('group')
  const counts = new Int32Array(levels.length + 1)
  for (const row of rows) counts[(codes[row] as number) + 1] = (counts[(codes[row] as number) + 1] as number) + 1
  return rowsWhere(rows, (row) => (counts[(codes[row] as number) + 1] as number) > 1)
}

/** What was said to both, sorted; null unless both were graded. */
function answersOf(frame: Frame, rows: Int32Array): string | null {
  if ([...rows].some((row) => levelAt(frame, 'state', row) !== 'graded')) return null
  const [a, b] = [...rows].map((row) => levelAt(frame, 'answer', row)?.replaceAll('"', '') ?? '')
  return sortedPair(a as string, b as string)
}

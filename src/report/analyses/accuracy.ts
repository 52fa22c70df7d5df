import type { Analysis, Frame, Task } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredShare,
  correctness,
  inOneGroup,
  meanOrNull,
  rowsWhere,
  scores,
  stateCounts,
  take,
} from '../../libraries/statistics/index.ts'
import { BLIND_NOTES, blindOf } from '../blind.ts'
import { blocks, byModel, count, estimate, share, text } from './columns.ts'
import { told } from './one-group.ts'

/** The leaderboard: what was planned, what became of it, and the accuracy over all of it. */
export const accuracy = (tasks: readonly Task[]): Analysis => ({
  id: 'core/accuracy',
  title: 'Accuracy',
  notes: [
    'Accuracy is correct over all cells but the failed ones, as the parser of this report reads them: unparsed, truncated and refused answers count as not correct.',
    'The column "Of read" is accuracy among the answers that could be read: where a prompt never asked for the form that is read, it is the better measure of what a model knows; what is not read may differ from what is.',
    'The lenient column reads the same responses with the lenient parser; the distance between the two is what the reading of answers can change.',
    'Intervals treat items of one group as one cluster; with 4 to 11 groups they are of the wild cluster bootstrap, else clustered Wilson intervals, as the method of each says. Where all items are of one group, items count as groups, and an interval is for that group alone.',
    ...BLIND_NOTES,
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame, { frameOf, level }) {
    const { blocks: all, columns } = blocks(frame)
    const parts = withAnswers(frame, all)
    const strict = scores(frame)
    const right = correctness(strict)
    const partly = new Map(
      parts.map(({ key, rows: all }) => [key, all.some((row) => between(strict[row] ?? Number.NaN))]),
    )
    const partial = [...partly.values()].includes(true)
    const loose = lenientRight(frame, frameOf('lenient'))
    const named = panelKeys(parts)
    const { codes, levels } = frame.category('state')
    const graded = levels.indexOf('graded')
    const unread = right.some((value, row) => !Number.isNaN(value) && codes[row] !== graded)
    const blind = new Map(parts.map(({ key, task, rows: all }) => [key, shares(frame, tasks, task, all)]))
    const known = [...blind.values()]
    const chances = known.some(({ chance }) => chance !== null)
    const guesses = known.some(({ guess }) => guess !== null)
    const knownOf = (own: (typeof known)[number] | undefined) => ({
      ...(chances ? { chance: own?.chance ?? null } : {}),
      ...(guesses ? { guess: own?.guess ?? null, rule: own?.rule ?? null } : {}),
    })
    const rows = parts
      .flatMap((part) => byModel(frame, [part]).map((one) => ({ ...one, part })))
      .map(({ key, part, rows: mine }) => {
        const { planned, ...counts } = stateCounts(frame, mine)
        const used = rowsWhere(mine, (row) => !Number.isNaN(right[row]))
        const clusters = clusterCodes(frame, used)
        const values = take(right, used)
        const one = inOneGroup(frame, used)
        const found = told(clusteredShare(values, clusters, level), one)
        const read = rowsWhere(used, (row) => codes[row] === graded)
        return {
          ...key,
          ...(named.length > 1 ? { panel: panelOf(key, named) } : {}),
          planned,
          graded: counts.graded,
          correct: values.reduce((sum, x) => sum + x, 0),
          accuracy: found,
          ...(unread ? { read: told(clusteredShare(take(right, read), clusterCodes(frame, read), level), one) } : {}),
          ...(loose === null ? {} : { lenient: meanOrNull(take(loose, used)) }),
          ...(partial
            ? {
                score:
                  partly.get(part.key) === true ? told(clusteredShare(take(strict, used), clusters, level), one) : null,
              }
            : {}),
          ...knownOf(blind.get(part.key)),
          unparsed: counts.unparsed,
          truncated: counts.truncated,
          refused: counts.refused,
          failed: counts.failed,
        }
      })
    const table = {
      id: 'core/accuracy',
      title: 'Accuracy by task, style and model',
      columns: [
        ...columns,
        text('model', 'Model'),
        count('planned', 'Planned'),
        count('graded', 'Graded'),
        count('correct', 'Correct'),
        estimate('accuracy', 'Accuracy'),
        ...(unread ? [estimate('read', 'Of read')] : []),
        ...(loose === null ? [] : [share('lenient', 'Lenient')]),
        ...(partial ? [estimate('score', 'Mean score')] : []),
        ...(chances ? [share('chance', 'Chance')] : []),
        ...(known.some(({ guess }) => guess !== null)
          ? [share('guess', 'Best rule of thumb'), text('rule', 'Which rule')]
          : []),
        count('unparsed', 'Unparsed'),
        count('truncated', 'Truncated'),
        count('refused', 'Refused'),
        count('failed', 'Failed'),
      ],
      rows,
    }
    const several = [...Map.groupBy(parts, ({ key }) => panelOf(key, named)).values()].some(
      (panel) => distinct(panel, 'style') > 1,
    )
    const series = several ? { series: 'style' } : {}
    const figure = {
      id: 'core/accuracy',
      title: 'Accuracy with 95 % intervals',
      table: table.id,
      x: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
      y: { key: 'model', label: 'Model', scale: 'category' },
      ...(named[0] === undefined ? {} : { facet: named.length > 1 ? 'panel' : named[0] }),
      marks: [
        ...(chances ? [{ kind: 'reference', x: 'chance' } as const] : []),
        ...(guesses ? [{ kind: 'reference', x: 'guess' } as const] : []),
        { kind: 'interval', ...series },
        { kind: 'point', ...series },
      ],
    } as const
    return { tables: [table], figures: rows.length === 0 ? [] : [figure] }
  },
})

/** A grade that is neither right nor wrong: only where a task gives such grades has it a mean score. */
const between = (value: number) => value > 0 && value < 1

/** What needs no reasoning, of each set of items that the table has rows of; a frame with the columns of `blindFrames`. */
export function blindSets(frame: Frame, tasks: readonly Task[]) {
  const parts = withAnswers(frame, blocks(frame).blocks)
  return parts.map(({ key, task, rows }) => ({ key, ...shares(frame, tasks, task, rows) }))
}

/** What needs no reasoning in one block. */
function shares(frame: Frame, tasks: readonly Task[], name: string, rows: Int32Array) {
  const blind = blindOf(
    frame,
    tasks.find((task) => task.name === name),
    rows,
  )
  return {
    chance: blind?.chance(rows) ?? null,
    guess: blind?.guess?.of(rows) ?? null,
    rule: blind?.guess?.rule ?? null,
  }
}

type Blocks = ReturnType<typeof blocks>['blocks']

/** What is only measured has no answers that could be right. */
function withAnswers(frame: Frame, parts: Blocks): Blocks {
  const { codes, levels } = frame.category('state')
  const measured = levels.indexOf('measured')
  return parts.filter(({ rows }) => rows.some((row) => codes[row] !== measured))
}

const distinct = (parts: Blocks, key: string) => new Set(parts.map((part) => part.key[key])).size

/** What tells panels apart: task and config, since configs of two tasks may share a name; styles where there is but one panel. */
function panelKeys(parts: Blocks): readonly string[] {
  const several = ['task', 'config'].filter((key) => distinct(parts, key) > 1)
  return several.length > 0 ? several : parts.length > 1 ? ['style'] : []
}

const panelOf = (key: Blocks[number]['key'], named: readonly string[]): string =>
  named.map((name) => key[name]).join(', ')

/** Right under the lenient parser, also in truncated text; refused answers stay wrong. null where there is no such parser. */
function lenientRight(frame: Frame, lenient: Frame | null): Float64Array | null {
  if (lenient === null) return null
  const value = lenient.number('value')
  const { codes, levels } = frame.category('state')
  const refused = levels.indexOf('refused')
  const found = new Float64Array(codes.length)
  for (let i = 0; i < found.length; i++) found[i] = codes[i] !== refused && (value[i] as number) >= 1 ? 1 : 0
  return found
}

import {
  type Analysis,
  everyTwo,
  type Frame,
  figure,
  GRADED_COLUMNS,
  marksBy,
  optional,
  type Task,
  table,
} from '../../core/index.ts'
import {
  type Condition,
  correctness,
  meanOrNull,
  rowsWhere,
  scores,
  stateCounts,
  sum,
  take,
} from '../../libraries/statistics/index.ts'
import { REFERENCE_NOTES, referencesOf } from '../references.ts'
import {
  accuracyOver,
  conditionsOf,
  correctedOver,
  count,
  estimate,
  model,
  SHARES_NOTE,
  share,
  text,
} from './conditions.ts'

/** The leaderboard: calls planned, how they ended, and the accuracy over all of them. */
export const accuracy = (tasks: readonly Task[]): Analysis => ({
  id: 'core/accuracy',
  title: 'Accuracy',
  question: 'accuracy',
  notes: [
    'Accuracy = correct / all calls except API errors; unparsed, truncated and refused responses count as incorrect.',
    'Accuracy (parsed only): correct / parsed.',
    'Lenient: the same responses under the lenient parser; the gap shows how much parsing matters.',
    `95 % CIs: ${SHARES_NOTE} With one group how groups differ is assumed, not seen. Mean scores: clustered Wilson.`,
    JUDGE_NOTE,
    ...REFERENCE_NOTES,
  ],
  needs: GRADED_COLUMNS,
  run(frame, { frameOf, confidence }) {
    const answered = conditionsWithAnswers(frame)
    const score = scores(frame)
    const correct = correctness(score)
    const { codes, levels } = frame.category('status')
    const graded = levels.indexOf('graded')
    const anyUnparsed = correct.some((value, row) => !Number.isNaN(value) && codes[row] !== graded)
    const lenient = lenientCorrect(frame, frameOf('lenient'))
    const panels = panelKeys(answered)
    const rows = answered.flatMap((condition) => {
      const references = referenceShares(frame, tasks, condition)
      const hasPartial = condition.rows.some((row) => isPartial(score[row] ?? Number.NaN))
      return condition.systems.map(({ key, rows: own }) => {
        const counted = rowsWhere(own, (row) => !Number.isNaN(correct[row]))
        const parsed = rowsWhere(counted, (row) => codes[row] === graded)
        return {
          ...key,
          ...(panels.length > 1 ? { panel: panelOf(condition, panels) } : {}),
          ...stateCounts(frame, own),
          correct: sum(take(correct, counted)),
          accuracy: accuracyOver(frame, correct, counted, confidence),
          judge: correctedOver(frame, correct, counted) === null ? null : meanOrNull(take(correct, counted)),
          parsed: anyUnparsed ? accuracyOver(frame, correct, parsed, confidence) : null,
          lenient:
            lenient === null
              ? null
              : (correctedOver(frame, lenient, counted)?.value ?? meanOrNull(take(lenient, counted))),
          score: hasPartial ? accuracyOver(frame, score, counted, confidence) : null,
          ...references,
        }
      })
    })
    const leaderboard = table(
      'core/accuracy',
      'Accuracy by task, style and model',
      [
        ...conditionsOf(frame).columns,
        model,
        count('planned', 'Calls'),
        count('graded', 'Graded'),
        count('correct', 'Correct'),
        estimate('accuracy', 'Accuracy'),
        optional(share('judge', 'By the judge')),
        optional(estimate('parsed', 'Accuracy (parsed only)')),
        optional(share('lenient', 'Lenient')),
        optional(estimate('score', 'Mean score')),
        optional(share('chance', 'Chance')),
        optional(share('heuristic', 'Heuristic baseline')),
        optional(text('heuristicName', 'Heuristic')),
        count('unparsed', 'Unparsed'),
        count('truncated', 'Truncated'),
        count('refused', 'Refused'),
        count('failed', 'Errors'),
      ],
      rows,
    )
    const byStyle = everyTwo(answered).some(
      ([a, b]) => panelOf(a, panels) === panelOf(b, panels) && a.key['style'] !== b.key['style'],
    )
    return {
      tables: [leaderboard],
      figures: [
        figure(leaderboard, {
          title: 'Accuracy with 95 % CIs',
          x: 'accuracy',
          y: { key: 'model', scale: 'category' },
          facet: panels.length > 1 ? 'panel' : panels[0],
          marks: [
            { kind: 'reference', x: 'chance' },
            { kind: 'reference', x: 'heuristic' },
            ...(byStyle
              ? marksBy('style', 'interval', 'point')
              : [{ kind: 'interval' } as const, { kind: 'point' } as const]),
          ],
        }),
      ],
    }
  },
})

const JUDGE_NOTE =
  'Scores by a judge are corrected by what people say of some responses (prediction-powered inference, clustered), where ten groups or more have it; By the judge: not corrected.'

/** A score between 0 and 1; only tasks that give such scores have a mean score. */
const isPartial = (score: number): boolean => score > 0 && score < 1

/** Chance and heuristic baseline of each condition; for a frame of `withReferences`. */
export const referenceSets = (frame: Frame, tasks: readonly Task[]) =>
  conditionsWithAnswers(frame).map((condition) => ({ key: condition.key, ...referenceShares(frame, tasks, condition) }))

function referenceShares(frame: Frame, tasks: readonly Task[], { key, rows }: Condition) {
  const task = tasks.find(({ name }) => name === key['task'])
  const references = referencesOf(frame, task, rows)
  return {
    chance: references?.chance(rows) ?? null,
    heuristic: references?.heuristic?.of(rows) ?? null,
    heuristicName: references?.heuristic?.name ?? null,
  }
}

/** Loglikelihood items have no responses that could be correct. */
function conditionsWithAnswers(frame: Frame): readonly Condition[] {
  const { codes, levels } = frame.category('status')
  const measured = levels.indexOf('loglikelihood')
  return conditionsOf(frame).conditions.filter(({ rows }) => rows.some((row) => codes[row] !== measured))
}

/** One panel per task and config, since configs of two tasks may share a name; else one per style. */
function panelKeys(all: readonly Condition[]): readonly string[] {
  const several = ['task', 'config'].filter((name) => new Set(all.map(({ key }) => key[name])).size > 1)
  return several.length > 0 ? several : all.length > 1 ? ['style'] : []
}

const panelOf = ({ key }: Condition, names: readonly string[]): string => names.map((name) => key[name]).join(', ')

/** Correct under the lenient parser, also in truncated text; refused responses stay incorrect. null: no such parser. */
function lenientCorrect(frame: Frame, lenient: Frame | null): Float64Array | null {
  if (lenient === null) return null
  const value = lenient.number('score')
  const { codes, levels } = frame.category('status')
  const refused = levels.indexOf('refused')
  const correct = new Float64Array(codes.length)
  for (let i = 0; i < correct.length; i++) correct[i] = codes[i] !== refused && (value[i] as number) >= 1 ? 1 : 0
  return correct
}

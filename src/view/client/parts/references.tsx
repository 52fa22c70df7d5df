import { parametersOf, type References, type ReferencesByFeature, references } from '../../api/index.ts'
import { type Loading, useRunDocument } from '../documents.ts'
import { percent, visible } from './format.ts'
import type { IntervalMark } from './interval.tsx'
import type { Subset } from './subset.tsx'
import type { AccuracyRow } from './tables.ts'

/** Dash patterns of the reference lines, as in the report. */
export const DASHES = { chance: '6 4', guess: '2 3' } as const

type Shares = Pick<References['sets'][number], 'chance' | 'guess'>

/** Reference lines of the overview, loaded after the accuracies; in a growing run not with every response. */
export function useReferences(
  run: { readonly id: string; readonly held: boolean; readonly revision: number },
  rows: readonly AccuracyRow[],
  subset: Subset | null,
): Loading<References> {
  const query = rows.length === 0 ? null : subset === null ? [] : parametersOf(subset.filter)
  return useRunDocument(
    run.id,
    references,
    query,
    run.held ? new Set(rows.map(({ where }) => where)).size : run.revision,
  )
}

/** Reference lines of a row; none until they are loaded. */
export function marksOf(state: Loading<References>, { row }: AccuracyRow): readonly IntervalMark[] {
  if (state.kind !== 'ready') return []
  const same = (key: 'task' | 'config' | 'style', value: string): boolean => (row[key] ?? '') === value
  const set = state.value.sets.find(
    ({ task, config, style }) => same('task', task) && same('config', config) && same('style', style),
  )
  return set === undefined ? [] : marksAt(set, set.rule)
}

/** Reference lines over all conditions; none if they are of several tasks or differ. */
export function marksOfOne(state: Loading<References>): readonly IntervalMark[] {
  if (state.kind !== 'ready') return []
  const [first, ...others] = state.value.sets
  const alike = others.every(
    ({ task, chance, guess }) => task === first?.task && chance === first.chance && guess === first.guess,
  )
  return first === undefined || !alike ? [] : marksAt(first, first.rule)
}

/** The known reference lines as marks. */
export const marksAt = ({ chance, guess }: Shares, rule: string | null): readonly IntervalMark[] => [
  ...(chance === null ? [] : [{ kind: 'chance' as const, value: chance, words: `chance ${percent(chance)} %` }]),
  ...(guess === null
    ? []
    : [{ kind: 'guess' as const, value: guess, words: `heuristic ${visible(rule ?? '')} ${percent(guess)} %` }]),
]

/** What the reference lines are, with the names of the heuristics in a tooltip. */
export function ReferenceLegend({ state }: { state: Loading<References> | Loading<ReferencesByFeature> }) {
  if (state.kind === 'loading') return <span class="waiting">Computing the chance baseline …</span>
  if (state.kind === 'error') return <span>The chance baseline is unknown: {visible(state.message)}</span>
  const { value } = state
  const shares: readonly Shares[] = 'sets' in value ? value.sets : value.cells
  const rules = 'sets' in value ? rulesOf(value.sets) : value.rule === null ? [] : [visible(value.rule)]
  return (
    <>
      {shares.some(({ chance }) => chance !== null) ? (
        <span>
          <i class="stroke" /> chance
        </span>
      ) : null}
      {rules.length === 0 ? null : (
        <span title={`the best of the heuristics of a task, which do not reason: ${rules.join(', ')}`}>
          <i class="stroke guess" /> heuristic baseline{rules.length === 1 ? ` (${rules.join('')})` : ''}
        </span>
      )}
    </>
  )
}

/** Each heuristic once, with its task if there are several. */
function rulesOf(sets: References['sets']): readonly string[] {
  const several = new Set(sets.map(({ task }) => task)).size > 1
  const names = sets.flatMap(({ task, rule }) =>
    rule === null ? [] : [several ? `${visible(rule)} (${visible(task)})` : visible(rule)],
  )
  return [...new Set(names)]
}

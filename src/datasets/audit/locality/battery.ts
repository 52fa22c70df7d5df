import type { Learner } from '../../../libraries/locality/learner.ts'
import { dealFolds } from '../folds.ts'
import { byItem, type Measured, overItems, testLearner } from '../measure.ts'
import { numbered } from '../statistic.ts'
import { areAlone } from '../subject.ts'
import { columnLearners, gramLearners, localColumns } from './learners.ts'
import { type LocalRows, leastRows, localRows, rowsWhere, type Seen } from './rows.ts'
import { type WorstGroups, worstGroups } from './worst-groups.ts'

/** Levels that decide, where the proof of an answer lies farther out. */
const statementLevels = [0, 1, 2]
const stringLevels = [1, 2, 3, 4]
const folds = 5

export interface LocalBattery {
  readonly measured: readonly Measured[]
  readonly worst: readonly WorstGroups[]
}

/**
 * The attacker (docs/audit.md#probes): learners that see a question with its names erased, level by level, on
 * the items whose proof lies beyond that level, fitted across groups and inside groups. There a fair item tells nothing.
 */
export function localBattery(seen: readonly Seen[], conditions: readonly string[]): LocalBattery {
  const lists = localRows(seen, conditions)
  const measured: Measured[] = []
  const worst: WorstGroups[] = []
  for (const list of lists) {
    const suffix = lists.length === 1 ? '' : `@${list.name}`
    const strings = list.seen[0]?.structure.kind === 'string'
    // Where no term is asked about there is nothing to be near to.
    const asked = list.seen.some(({ structure }) => structure.kind === 'statements' && structure.asked.length > 0)
    for (const level of strings ? stringLevels : asked ? statementLevels : [0]) {
      const rows = rowsWhere(list, ({ radius }) => radius > level)
      if (rows.keys.length < leastRows) continue
      for (const entry of levelTests(rows, level, strings))
        measured.push({ ...entry, test: { ...entry.test, probe: `${entry.test.probe}${suffix}` } })
    }
    const beyond = rowsWhere(list, ({ radius }) => radius > 2)
    if (list.candidates === undefined && beyond.keys.length >= leastRows) {
      const found = worstGroups(beyond, localColumns(beyond, 2), `local-2/worst-groups${suffix}`)
      if (found !== null) {
        measured.push(found.measured)
        worst.push(found.worst)
      }
    }
  }
  return { measured, worst }
}

function levelTests(rows: LocalRows, level: number, strings: boolean): Measured[] {
  const blockOf = numbered(rows.blockLabels)
  const clusters = numbered(rows.clusters)
  const across = dealFolds(rows.clusters, folds)
  const within = dealFolds(rows.sets, folds)
  const grouped = rows.candidates === undefined && !areAlone(rows.seen.map(({ subject }) => subject))
  const test = (learner: Learner, mode: 'across' | 'within'): Measured => {
    const entry = testLearner(
      learner,
      rows.keys,
      rows.classes,
      mode === 'across' ? across : within,
      blockOf,
      clusters,
      mode,
    )
    return rows.candidates === undefined ? entry : overItems(byItem(entry))
  }
  const measured: Measured[] = []
  // Beyond pairs the grammar's own statistics say nothing new, and without them lengths never do: the rest is in the tokens.
  const modelled = rows.seen.some(({ structure }) => structure.kind === 'string' && structure.local !== undefined)
  if (!strings || level <= (modelled ? 3 : 1))
    for (const learner of columnLearners(localColumns(rows, level), level)) {
      if (across.length > 1) measured.push(test(learner, 'across'))
      if (grouped) measured.push(test(learner, 'within'))
    }
  if (strings) for (const learner of gramLearners(rows, level)) measured.push(test(learner, 'within'))
  return measured
}

import { type AnonymizedQuestion, memoize } from '../../../core/index.ts'
import { boostedTrees } from '../../../libraries/locality/boosted-trees.ts'
import { type Binned, binned, columnsOf, type Learner } from '../../../libraries/locality/columns.ts'
import { factTables } from '../../../libraries/locality/fact-tables.ts'
import { featuresAtLevel, type LocalFeatures } from '../../../libraries/locality/local-features.ts'
import type { Feature } from '../features.ts'
import { dealFolds, type Folds } from '../folds.ts'
import { EventList, type Events, naiveBayes, nearestCounts } from '../learners.ts'
import { ridgeLogistic } from '../logistic.ts'
import { allDecide, byItem, type Measured, overItems, Results, testLearner } from '../measure.ts'
import { blocksOf, numbered } from '../statistic.ts'
import { areUngrouped } from '../subject.ts'
import { type LocalItem, type LocalRows, localRows, MIN_ROWS, rowsWhere } from './rows.ts'
import { type WorstGroups, worstGroups } from './worst-groups.ts'

/** Local features of the rows at a level, as columns. */
export const localColumns = (rows: LocalRows, level: number): Feature[] => columnsOf(countsAt(rows, level))

function* countsAt({ items, candidates }: LocalRows, level: number) {
  let question: AnonymizedQuestion | null = null
  let features: LocalFeatures | null = null
  for (const [i, { anonymized }] of items.entries()) {
    if (features === null || anonymized !== question) features = featuresAtLevel(anonymized, level)
    question = anonymized
    yield features(candidates?.[i])
  }
}

/** The learners of a level on its columns. */
export function columnLearners(columns: readonly Feature[], level: number): Learner[] {
  if (columns.length === 0) return []
  const coarse = binned(columns, 8)
  const name = (learner: string) => `local-${level}/${learner}`
  return [
    boostedTrees(name('boosted-trees'), binned(columns, 32)),
    factTables(name('tables'), coarse),
    ridgeLogistic(columns, { probe: name('logistic'), columns: 50, strongest: 20 }),
    naiveBayes(name('naive-bayes'), [binEvents(coarse)]),
    nearestCounts(name('nearest'), coarse),
  ]
}

function binEvents({ bins, columns }: Binned): Events {
  const list = new EventList(columns[0]?.length ?? 0)
  for (let row = 0; row < list.rows; row++) {
    list.begin(row)
    for (const [c, column] of columns.entries()) list.push(c * bins + (column[row] as number))
  }
  return list.events(bins * columns.length)
}

/** Naive Bayes on the tokens of strings, which mean nothing outside their group, by level. */
export function gramLearners(rows: LocalRows): (level: number) => Learner[] {
  const grams: Events[] = []
  return (level) => {
    while (grams.length < level) grams.push(tokenEvents(rows, gramCodes(grams.length + 1)))
    return [
      naiveBayes(`local-${level}/grams`, grams.slice(0, level)),
      naiveBayes(`local-${level}/places`, [tokenEvents(rows, placeCodes(level))]),
    ]
  }
}

type Codes = (tokens: readonly number[], add: (code: number) => void) => void

/** Features of the tokens of each string, by group. A feature that one item alone has is dropped: no other item can show what it means. */
function tokenEvents({ items }: LocalRows, codes: Codes): Events {
  const { count, order, start } = blocksOf(items.map(({ subject }) => subject.group))
  const tokensOf = (row: number): readonly number[] => {
    const { anonymized } = items[row] as LocalItem
    return anonymized.kind === 'string' ? anonymized.tokens : []
  }
  const list = new EventList(items.length)
  let size = 0
  for (let b = 0; b < count; b++) {
    const rows = order.subarray(start[b], start[b + 1])
    const times = new Map<number, number>()
    const ids = new Map<number, number>()
    for (const row of rows) codes(tokensOf(row), (code) => times.set(code, (times.get(code) ?? 0) + 1))
    for (const [code, found] of times) if (found > 1) ids.set(code, size++)
    for (const row of rows) {
      list.begin(row)
      codes(tokensOf(row), (code) => {
        const id = ids.get(code)
        if (id !== undefined) list.push(id)
      })
    }
  }
  return list.events(Math.max(1, size))
}

/** All k-grams with both boundaries. */
const gramCodes =
  (k: number): Codes =>
  (tokens, add) => {
    for (let at = -1; at + k <= tokens.length + 1; at++) add(codeOf(0, tokens, at, at + k))
  }

/** Length, tokens by position from either end, and prefixes and suffixes, up to `reach` tokens. */
const placeCodes =
  (reach: number): Codes =>
  (tokens, add) => {
    const { length } = tokens
    add(codeOf(1, [length], 0, 1))
    for (let i = 0; i < Math.min(reach, length); i++) {
      add(codeOf(4 * i + 2, tokens, i, i + 1))
      add(codeOf(4 * i + 3, tokens, length - 1 - i, length - i))
      add(codeOf(4 * i + 4, tokens, 0, i + 1))
      add(codeOf(4 * i + 5, tokens, length - 1 - i, length))
    }
  }

/** 53 bits of a hash of some tokens; -1 stands beyond either end. */
function codeOf(kind: number, tokens: readonly number[], from: number, to: number): number {
  let [a, b] = [0x811c9dc5 ^ kind, 0x9e3779b1 + kind]
  for (let at = from; at < to; at++) {
    const token = tokens[at] ?? -1
    a = Math.imul(a ^ token, 0x85ebca6b)
    a ^= a >>> 13
    b = Math.imul(b + token, 0xc2b2ae35)
    b ^= b >>> 16
  }
  return (a >>> 0) * 2 ** 21 + (b >>> 11)
}

/** Deciding levels (locality windows); a level is tested on items whose proof lies beyond it. */
const STATEMENT_LEVELS = [0, 1, 2, 3, 4]
export const STRING_LEVELS = [1, 2, 3, 4]
const LOCAL_FOLDS = 5

export interface LocalProbes {
  readonly measured: readonly Measured[]
  readonly worst: readonly WorstGroups[]
}

/**
 * Locality probes (docs/audit.md#probes): learners on the anonymized question within a window, level by level, on the items
 * whose proof lies beyond that window, fitted across groups and inside groups. There a fair item tells nothing.
 */
export function localProbes(
  items: readonly LocalItem[],
  conditions: readonly string[],
  roleOf = allDecide,
): LocalProbes {
  const lists = localRows(items, conditions)
  const worst: WorstGroups[] = []
  const measured: Measured[] = []
  for (const list of lists) {
    const suffix = lists.length === 1 ? '' : `@${list.name}`
    const results = new Results(roleOf, list.candidates === undefined ? undefined : (one) => overItems(byItem(one)))
    const strings = list.items[0]?.anonymized.kind === 'string'
    const gramsAt = strings ? gramLearners(list) : null
    // Questions that name no term have no window around a term.
    const namesTerm = list.items.some(
      ({ anonymized }) => anonymized.kind === 'statements' && anonymized.asked.length > 0,
    )
    for (const level of strings ? STRING_LEVELS : namesTerm ? STATEMENT_LEVELS : [0]) {
      const rows = rowsWhere(list, ({ radius }) => radius > level)
      if (rows.keys.length >= MIN_ROWS) levelTests(rows, level, gramsAt, suffix, results)
    }
    const beyond = rowsWhere(list, ({ radius }) => radius > 2)
    if (list.candidates === undefined && beyond.keys.length >= MIN_ROWS)
      results.add(
        'local-2/worst-groups',
        (probe) => {
          const found = worstGroups(beyond, localColumns(beyond, 2), `${probe}${suffix}`)
          if (found !== null) worst.push(found.worst)
          return found && { test: { ...found.test, probe } }
        },
        suffix,
      )
    measured.push(...results.measured)
  }
  return { measured, worst }
}

/** Blocks, clusters and folds of rows, which are the same on all levels if no proof lies near. */
export const foldsOf = memoize((rows: LocalRows) => ({
  blockOf: numbered(rows.blockLabels),
  clusters: numbered(rows.clusters),
  across: dealFolds(rows.clusters, LOCAL_FOLDS),
  within: dealFolds(rows.sets, LOCAL_FOLDS),
}))

function levelTests(
  rows: LocalRows,
  level: number,
  gramsAt: ReturnType<typeof gramLearners> | null,
  suffix: string,
  results: Results,
): void {
  const { keys, classes } = rows
  const { blockOf, clusters, across, within } = foldsOf(rows)
  const grouped = rows.candidates === undefined && !areUngrouped(rows.items.map(({ subject }) => subject))
  const test = (learner: Learner, folds: Folds, mode: 'across' | 'within') =>
    results.add(learner.probe, () => testLearner(learner, keys, classes, folds, blockOf, clusters, mode), suffix)
  // Statistics of the grammar add nothing beyond level 3, lengths alone nothing beyond level 1.
  const modelled = rows.items.some(({ anonymized }) => anonymized.kind === 'string' && anonymized.local !== undefined)
  if (gramsAt === null || level <= (modelled ? 3 : 1))
    for (const learner of columnLearners(localColumns(rows, level), level)) {
      if (across.length > 1) test(learner, across, 'across')
      if (grouped) test(learner, within, 'within')
    }
  for (const learner of gramsAt?.(level) ?? []) test(learner, within, 'within')
}

import { type Analysis, column, type Frame, type Table, table } from '../../../core/index.ts'
import { partition } from '../../../libraries/statistics/index.ts'
import { averageAuc, type Labelled } from './auc-of.ts'
import { byCondition } from './conditions.ts'
import { distanceColumn, distanceName, language } from './contexts.ts'

export const lengthNeeds = [
  'feature_language',
  'feature_repetition',
  'feature_kind',
  'feature_distance',
  'feature_edit',
  'feature_test',
  'feature_lengthProbability',
] as const

export const lengthNotes = [
  'Length-only score: probability of the length in the language. An AUC far above one half means a model may have learnt lengths only.',
  'Strings of G1 and G2 all have 72 tokens, so length reveals insertions and deletions.',
] as const

/** What the length alone gives away of the strings outside: a property of the items. */
export const lengthOnly: Analysis = byCondition({
  id: 'proficiency/length-only',
  title: 'How well the length alone separates strings outside',
  notes: lengthNotes,
  needs: lengthNeeds,
  run: (frame) => ({ tables: [lengthTable(frame)] }),
})

interface Sized {
  readonly repetition: string
  /** '0' for strings of the language, '1'.. for edits, 'twin', 'unrelated'. */
  readonly distance: string
  readonly edit: string
  readonly score: number
}

/** By language, distance and kind of edit, all kinds of a distance first. */
export const lengthTable = (frame: Frame): Table =>
  table(
    'proficiency/length-only',
    'AUC of the length alone',
    [language, distanceColumn, column.text('edit', 'Edit'), column.estimate('auc', 'AUC of the length', 'share')],
    [...byLanguage(frame)].flatMap(([name, strings]) =>
      kindsOf(strings).flatMap(({ distance, edit }) => {
        const auc = averageAuc(repetitionsOf(strings, distance, edit))
        return auc === null ? [] : [{ language: name, distance, edit, auc }]
      }),
    ),
  )

/** Each string once, whatever the number of contexts and models. */
function byLanguage(frame: Frame): ReadonlyMap<string, readonly Sized[]> {
  const [distances, tests] = [frame.number('feature_distance'), frame.number('feature_test')]
  const probability = frame.number('feature_lengthProbability')
  const out = new Map<string, Sized[]>()
  const seen = new Set<string>()
  const axes = ['feature_language', 'feature_repetition', 'feature_kind', 'feature_edit']
  for (const { key, rows } of partition(frame, axes)) {
    const [name, repetition, kind, edit] = axes.map((axis) => key[axis] ?? '') as [string, string, string, string]
    const strings = out.get(name) ?? []
    out.set(name, strings)
    for (const row of rows) {
      const distance = distanceName(kind, distances[row] as number, edit)
      if (distance === 'seen') continue
      const id = `${name}\n${repetition}\n${distance}\n${edit}\n${tests[row]}`
      if (seen.has(id)) continue
      seen.add(id)
      strings.push({ repetition, distance, edit, score: probability[row] as number })
    }
  }
  return out
}

const every = 'any'

function kindsOf(strings: readonly Sized[]): { distance: string; edit: string }[] {
  const found = new Map<string, Set<string>>()
  for (const { distance, edit } of strings)
    if (distance !== '0') found.set(distance, (found.get(distance) ?? new Set()).add(edit))
  return [...found]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .flatMap(([distance, edits]) =>
      (edits.size > 1 ? [every, ...[...edits].sort()] : [...edits]).map((edit) => ({ distance, edit })),
    )
}

function repetitionsOf(strings: readonly Sized[], distance: string, edit: string): Labelled[] {
  const used = strings.filter(
    (s) => s.distance === '0' || (s.distance === distance && (edit === every || s.edit === edit)),
  )
  return [...new Set(used.map(({ repetition }) => repetition))].map((repetition) => {
    const own = used.filter((s) => s.repetition === repetition)
    return { scores: own.map(({ score }) => score), positive: own.map((s) => s.distance === '0') }
  })
}

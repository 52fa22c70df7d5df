import type { Analysis, Frame, Table } from '../../../core/index.ts'
import { partition } from '../../../libraries/statistics/index.ts'
import { averageAuc, type Labelled } from './auc-of.ts'
import { byBlock } from './blocks.ts'
import { estimate, text } from './cells.ts'

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
  'The length-only score is the probability of the string’s length in the language: where its AUC is far above one half, a model may have learnt lengths only.',
  'Strings of G1 and G2 all have 72 tokens, so insertions and deletions are told by their length.',
] as const

/** What the length alone gives away of the strings outside: a property of the items, whoever scores them. */
export const lengthOnly: Analysis = byBlock({
  id: 'proficiency/length-only',
  title: 'How well the length alone tells strings outside',
  notes: lengthNotes,
  needs: lengthNeeds,
  run: (frame) => ({ tables: lengthTables(frame) }),
})

interface Sized {
  readonly repetition: string
  /** '0' for strings of the language, '1'.. for edits, 'twin', 'unrelated'. */
  readonly distance: string
  readonly edit: string
  readonly score: number
}

/** The table by language, distance and kind of edit, all kinds of a distance first; none where there is nothing outside. */
export function lengthTables(frame: Frame): readonly Table[] {
  const rows = [...byLanguage(frame)].flatMap(([language, strings]) =>
    kindsOf(strings).flatMap(({ distance, edit }) => {
      const auc = averageAuc(repetitionsOf(strings, distance, edit))
      return auc === null ? [] : [{ language, distance, edit, auc }]
    }),
  )
  if (rows.length === 0) return []
  const columns = [
    text('language', 'Language'),
    text('distance', 'Distance'),
    text('edit', 'Edit'),
    estimate('auc', 'AUC of the length', 'share'),
  ]
  return [{ id: 'proficiency/length-only', title: 'AUC of the length alone', columns, rows }]
}

/** Each string once, however many contexts and models it was scored in. */
function byLanguage(frame: Frame): ReadonlyMap<string, readonly Sized[]> {
  const [distances, tests] = [frame.number('feature_distance'), frame.number('feature_test')]
  const probability = frame.number('feature_lengthProbability')
  const out = new Map<string, Sized[]>()
  const seen = new Set<string>()
  const axes = ['feature_language', 'feature_repetition', 'feature_kind', 'feature_edit']
  for (const { key, rows } of partition(frame, axes)) {
    const [language, repetition, kind, edit] = axes.map((axis) => key[axis] ?? '') as [string, string, string, string]
    const strings = out.get(language) ?? []
    out.set(language, strings)
    for (const row of rows) {
      const distance = kind === 'inside' ? '0' : kind === 'unrelated' || kind === 'twin' ? kind : String(distances[row])
      const id = `${language}\n${repetition}\n${distance}\n${tests[row]}`
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

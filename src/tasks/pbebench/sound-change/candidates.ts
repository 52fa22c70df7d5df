import {
  changed,
  isOf,
  lawSize,
  printLaw,
  type SegmentPattern,
  type SoundLaw,
  soundOf,
  type Word,
} from '../../../libraries/rewriting/sounds/index.ts'

/** A law that may be in force, and of how many differences it is a reason. */
interface Candidate {
  readonly law: SoundLaw
  readonly covers: number
}

/** What a neighbour may be in a law: anything, an edge, a class, the sound itself. */
interface Neighbour {
  readonly units: readonly SegmentPattern[]
  readonly edge: boolean
}

const anything: Neighbour = { units: [], edge: false }
const edge: Neighbour = { units: [], edge: true }

/** Terms by which laws speak of neighbours. */
const TERMS = [
  'vowel',
  'consonant',
  'front',
  'back',
  'high',
  'rounded',
  'voiceless',
  'nasal',
  'nasalised',
  'obstruent',
  'sonorant',
  'labial',
  'bilabial',
  'velar',
  'stop',
] as const
const classOf = (...terms: string[]): SegmentPattern => ({ kind: 'class', terms })
const soundUnit = (symbol: string): SegmentPattern => ({ kind: 'sound', symbol })

/** Descriptions of a place, by what stands there. */
const unitsFor = (symbol: string): readonly SegmentPattern[] => [
  ...TERMS.filter((term) => isOf(soundOf(symbol), [term])).map((term) => classOf(term)),
  soundUnit(symbol),
]

function neighbours(near: string | undefined, far: string | undefined, order: 'left' | 'right'): readonly Neighbour[] {
  if (near === undefined) return [anything, edge]
  const close = unitsFor(near)
  const inOrder = (a: SegmentPattern, b: SegmentPattern): readonly SegmentPattern[] =>
    order === 'left' ? [b, a] : [a, b]
  const kind = classOf(soundOf(near).values['kind'] ?? 'consonant')
  return [
    anything,
    ...close.map((unit) => ({ units: [unit], edge: false })),
    ...(far === undefined
      ? [{ units: [kind], edge: true }]
      : unitsFor(far).map((unit) => ({ units: inOrder(kind, unit), edge: false }))),
  ]
}

/** Terms that make one sound into another; null: no terms do. */
function termsBetween(from: string, to: string): readonly string[] | null {
  const [a, b] = [soundOf(from), soundOf(to)]
  const terms = [...b.terms].filter((term) => !a.terms.has(term) && changed(a, [term]) !== a)
  const values = Object.entries(b.values).flatMap(([attribute, value]) =>
    a.values[attribute] === value ? [] : [value],
  )
  const wanted = [...new Set([...values, ...terms.filter((term) => !Object.values(b.values).includes(term))])]
  return wanted.length > 0 && changed(a, wanted).symbol === b.symbol ? wanted : null
}

/** Ways of saying what becomes what: the sounds, or classes with terms made true. */
function changes(from: string, to: string): readonly Pick<SoundLaw, 'from' | 'to'>[] {
  const one = { from: from === '' ? [] : [soundUnit(from)], to: to === '' ? [] : [soundUnit(to)] }
  if (from === '') return [one]
  const own = [...soundOf(from).terms].filter((term) => FOCUS.has(term))
  const classes = [...own.map((term) => [term]), ...own.flatMap((a, i) => own.slice(i + 1).map((b) => [a, b]))]
  const terms = to === '' ? [] : termsBetween(from, to)
  if (terms === null) return [one]
  return [
    one,
    ...classes.map((wanted) => ({ from: [classOf(...wanted)], to: terms.length === 0 ? [] : [classOf(...terms)] })),
  ]
}

const FOCUS = new Set(
  'vowel consonant voiceless voiced stop fricative affricate nasal liquid obstruent front back high close-mid long short nasalised rounded'.split(
    ' ',
  ),
)

/** How a law may name the sounds it changes: single sounds, or also classes. */
export type Focus = 'sounds' | 'classes'

/** Laws that explain differences of words, those that may save most first; `most` of them. */
export function candidatesOf(
  words: readonly Word[],
  targets: readonly Word[],
  focus: Focus,
  most: number,
): readonly Candidate[] {
  const found = new Map<string, { law: SoundLaw; covers: number }>()
  for (const [i, word] of words.entries())
    for (const difference of differencesOf(word, targets[i] as Word)) {
      const own = new Set<string>()
      for (const law of lawsFor(word, difference, focus)) {
        const text = printLaw(law)
        if (own.has(text)) continue
        own.add(text)
        const known = found.get(text)
        if (known === undefined) found.set(text, { law, covers: 1 })
        else known.covers++
      }
    }
  return [...found.values()]
    .sort((a, b) => gainBound(b) - gainBound(a) || (printLaw(a.law) < printLaw(b.law) ? -1 : 1))
    .slice(0, most)
}

/** What a law can save at most. */
export const gainBound = ({ law, covers }: Candidate): number => 3 * covers - lawSize(law) - 1

function lawsFor(word: Word, { at, from, to }: Difference, focus: Focus): readonly SoundLaw[] {
  const right = at + (from === '' ? 0 : 1)
  const before = neighbours(word[at - 1], word[at - 2], 'left')
  const after = neighbours(word[right], word[right + 1], 'right')
  const statements = changes(from, to)
  const all = (focus === 'sounds' ? statements.slice(0, 1) : statements).flatMap((change, k) =>
    before.flatMap((l) =>
      after.flatMap((r): readonly SoundLaw[] => {
        // Classes of sounds with two neighbours each way are too many; the refinement finds them from plain sounds.
        if (k > 0 && l.units.length + r.units.length > 1) return []
        if (l.units.length + r.units.length > 2) return []
        return [{ ...change, before: l.units, after: r.units, start: l.edge, end: r.edge }]
      }),
    ),
  )
  return from === '' ? all.filter((law) => law.before.length + law.after.length > 0 || law.start || law.end) : all
}

/** The same of a class that is wider or narrower by a term, or has another one. */
function refocused(law: SoundLaw): readonly SoundLaw[] {
  const [from] = law.from
  if (from?.kind !== 'class' || law.from.length > 1) return []
  const { terms } = from
  const others = [...FOCUS].filter((term) => !terms.includes(term))
  const sets = [
    ...(terms.length > 1 ? terms.map((term) => terms.filter((one) => one !== term)) : []),
    ...(terms.length < 3 ? others.map((term) => [...terms, term]) : []),
    ...terms.flatMap((_, k) => others.map((term) => terms.with(k, term))),
  ]
  return sets.map((set) => ({ ...law, from: [classOf(...set)] }))
}

/** Laws like one, a step wider or narrower: other words for its sounds, and for its neighbours. */
export function variantsOf(law: SoundLaw): readonly SoundLaw[] {
  const [from, to] = [law.from[0], law.to[0]]
  const plain = from?.kind === 'sound' && law.from.length === 1 && law.to.length <= 1 && to?.kind !== 'list'
  const focus = plain
    ? changes(from.symbol, to?.kind === 'sound' ? to.symbol : '').map((change) => ({ ...law, ...change }))
    : []
  const others = (units: readonly SegmentPattern[]): readonly (readonly SegmentPattern[])[] =>
    units.flatMap((unit, k) => {
      const wider =
        unit.kind === 'sound'
          ? unitsFor(unit.symbol)
          : TERMS.filter((term) => unit.kind === 'class' && unit.terms[0] !== term).map((term) => classOf(term))
      return wider.map((other) => units.with(k, other))
    })
  return [
    ...focus,
    ...refocused(law),
    { ...law, before: [], start: false },
    { ...law, after: [], end: false },
    { ...law, before: law.before.slice(1), start: false },
    { ...law, after: law.after.slice(0, -1), end: false },
    ...others(law.before).map((before) => ({ ...law, before })),
    ...others(law.after).map((after) => ({ ...law, after })),
    ...(law.before.length === 0 && !law.start
      ? ['vowel', 'consonant'].map((term) => ({ ...law, before: [classOf(term)] }))
      : []),
    ...(law.after.length === 0 && !law.end
      ? ['vowel', 'consonant'].map((term) => ({ ...law, after: [classOf(term)] }))
      : []),
    ...(law.start ? [] : [{ ...law, start: true }]),
    ...(law.end ? [] : [{ ...law, end: true }]),
  ].filter((one) => one.from.length > 0 || one.before.length + one.after.length > 0 || one.start || one.end)
}

/** A sound that differs between two aligned words: in the earlier word at `at`; '' stands for no sound. */
interface Difference {
  readonly at: number
  readonly from: string
  readonly to: string
}

/** Twice the edits between two words; a vowel in the place of a consonant counts one and a half. */
const EDIT = 2
const costOf = (a: string, b: string): number => {
  if (a === b) return 0
  const [one, other] = [soundOf(a).values['kind'], soundOf(b).values['kind']]
  return one === other ? EDIT : EDIT + 1
}

function tableOf(earlier: Word, later: Word): readonly Int32Array[] {
  const rows = [Int32Array.from({ length: later.length + 1 }, (_, j) => j * EDIT)]
  for (const [i, sound] of earlier.entries()) {
    const above = rows[i] as Int32Array
    const row = new Int32Array(later.length + 1)
    row[0] = (i + 1) * EDIT
    for (let j = 1; j <= later.length; j++)
      row[j] = Math.min(
        (above[j - 1] as number) + costOf(sound, later[j - 1] as string),
        (above[j] as number) + EDIT,
        (row[j - 1] as number) + EDIT,
      )
    rows.push(row)
  }
  return rows
}

/** Description length of correcting one word into the other: 2 per edit. */
export const distanceOf = (earlier: Word, later: Word): number =>
  tableOf(earlier, later)[earlier.length]?.[later.length] ?? 0

/** The differences of one best alignment, from the left. */
function differencesOf(earlier: Word, later: Word): readonly Difference[] {
  const rows = tableOf(earlier, later)
  const out: Difference[] = []
  let [i, j] = [earlier.length, later.length]
  while (i > 0 || j > 0) {
    const here = rows[i]?.[j]
    const [from, to] = [earlier[i - 1] ?? '', later[j - 1] ?? '']
    if (i > 0 && j > 0 && here === (rows[i - 1]?.[j - 1] ?? 0) + costOf(from, to)) {
      if (from !== to) out.push({ at: i - 1, from, to })
      i--
      j--
    } else if (i > 0 && here === (rows[i - 1]?.[j] ?? 0) + EDIT) {
      out.push({ at: i - 1, from, to: '' })
      i--
    } else {
      out.push({ at: i, from: '', to })
      j--
    }
  }
  return out.reverse()
}

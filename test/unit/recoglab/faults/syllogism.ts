import { syllogism } from '../../../../src/tasks/recoglab/syllogism/task.ts'
import { type Any, answering, asking, type Faults, finding, without } from './fault.ts'

const chooses = (g: Any): boolean => g.ask.kind === 'choose'
const converted = ([mood, s, p]: Any): Any => [mood, p, s]
/** Every premise of one kind written as another. */
const read = (kind: string, as: string) =>
  asking((g) => ({ ...g, premises: g.premises.map(([m, s, p]: Any) => [m === kind ? as : m, s, p]) }))
const sentenceOf = (g: Any, [mood, s, p]: Any): string => {
  const [a, b] = [g.terms[s], g.terms[p]]
  return { A: `All ${a} are ${b}`, E: `No ${a} are ${b}`, I: `Some ${a} are ${b}`, O: `Some ${a} are not ${b}` }[
    mood as 'A'
  ]
}
const option = (g: Any, mood: string): string => sentenceOf(g, [mood, g.ask.subject, g.ask.predicate])
const moodOf = (g: Any, answer: string): string =>
  ['A', 'E', 'I', 'O'].find((mood) => option(g, mood) === answer) ?? 'none'
const choosing = (edit: (mood: string, g: Any) => string | null | undefined) =>
  answering((a, g) => {
    const mood = chooses(g) ? edit(moodOf(g, a), g) : null
    return mood === null || mood === undefined ? null : option(g, mood)
  })
const judging = (edit: (g: Any) => Any) => asking((g) => (chooses(g) ? null : edit(g)))

interface Slips {
  readonly premises?: (premises: Any[]) => Any[]
  /** All S are P says nothing about what is no P. */
  readonly forwardOnly?: boolean
  /** No S are P says nothing about P. */
  readonly oneSided?: boolean
  /** All "some" are about one and the same. */
  readonly oneIndividual?: boolean
  readonly existentialImport?: (g: Any) => boolean
  readonly weakerToo?: boolean
}

/** A prover by carrying along what is known of one individual; without slips it agrees with the oracle. */
function solve(g: Any, slips: Slips): string | null {
  const premises = slips.premises?.(g.premises) ?? g.premises
  const hasImport = slips.existentialImport?.(g) ?? g.existentialImport
  /** Literal of term t: 2t inside, 2t + 1 outside. */
  const close = (literals: number[]): Set<number> => {
    const known = new Set(literals)
    for (let size = -1; size !== known.size; ) {
      size = known.size
      for (const [m, s, p] of premises) {
        if (m === 'A' && known.has(2 * s)) known.add(2 * p)
        if (m === 'A' && known.has(2 * p + 1) && slips.forwardOnly !== true) known.add(2 * s + 1)
        if (m === 'E' && known.has(2 * s)) known.add(2 * p + 1)
        if (m === 'E' && known.has(2 * p) && slips.oneSided !== true) known.add(2 * s + 1)
      }
    }
    return known
  }
  const impossible = (known: Set<number>) => [...known].some((literal) => known.has(literal ^ 1))
  const somes = premises.flatMap(([m, s, p]: Any) =>
    m === 'I' ? [[2 * s, 2 * p]] : m === 'O' ? [[2 * s, 2 * p + 1]] : [],
  )
  const members = hasImport ? g.terms.map((_: Any, t: number) => [2 * t]) : []
  const individuals: number[][] = slips.oneIndividual === true ? [somes.flat(), ...members] : [...somes, ...members]
  const follows = ([m, s, p]: Any): boolean => {
    if (m === 'A') return impossible(close([2 * s, 2 * p + 1]))
    if (m === 'E') return impossible(close([2 * s, 2 * p]))
    return individuals.some((literals) => {
      const known = close(literals)
      return known.has(2 * s) && known.has(m === 'I' ? 2 * p : 2 * p + 1)
    })
  }
  if (!chooses(g)) return follows(g.ask.conclusion) ? 'Yes' : 'No'
  const found = ['A', 'E', 'I', 'O'].filter((mood) => follows([mood, g.ask.subject, g.ask.predicate]))
  const strongest =
    slips.weakerToo === true
      ? found
      : found.filter((m) => !(m === 'I' && found.includes('A')) && !(m === 'O' && found.includes('E')))
  if (strongest.length === 0 && g.ask.none) return 'None of these follows'
  return strongest.length === 1 ? option(g, strongest[0] as string) : null
}
/** null is an answer here: none of the four. */
const prover = (slips: Slips) => (g: Any, answer: Any) => solve(g, slips) === answer

/** Particular where a premise is, negative where one is. */
const atmosphere = (g: Any): string => {
  const kinds = g.premises.map(([m]: Any) => m).join('')
  const negative = /[EO]/.test(kinds)
  return /[IO]/.test(kinds) ? (negative ? 'O' : 'I') : negative ? 'E' : 'A'
}

export const faults: Faults = {
  task: syllogism,
  configs: [
    {},
    { construction: 'path' },
    { construction: 'padded', existentialImport: true },
    { existentialImport: true },
    { ask: 'judge' },
    { construction: 'padded', terms: 8 },
  ],
  wrong: ({ answer }, choices) => choices.filter((choice) => choice !== answer),
  generator: {
    'first premise lost': asking((g) => ({ ...g, premises: without(g.premises, 0) })),
    'last premise lost': asking((g) => ({ ...g, premises: without(g.premises, -1) })),
    'first premise converted': asking((g) => ({ ...g, premises: [converted(g.premises[0]), ...g.premises.slice(1)] })),
    'last premise converted': asking((g) => ({
      ...g,
      premises: [...g.premises.slice(0, -1), converted(g.premises.at(-1))],
    })),
    'all premises converted': asking((g) => ({ ...g, premises: g.premises.map(converted) })),
    'predicate of a premise off by one': asking((g) => {
      const [[m, s, p], ...rest] = g.premises
      return { ...g, premises: [[m, s, (p + 1) % g.terms.length], ...rest] }
    }),
    'a premise twice, its neighbour never': asking((g) => ({
      ...g,
      premises: [g.premises[0], ...g.premises.slice(0, -1)],
    })),
    'All for No': read('E', 'A'),
    'No for All': read('A', 'E'),
    'Some for Some-not': read('O', 'I'),
    'Some-not for Some': read('I', 'O'),
    'Some for All': read('A', 'I'),
    'All for Some': read('I', 'A'),
    'Some-not for No': read('E', 'O'),
    'subject and predicate of the question swapped': asking((g) =>
      chooses(g) ? { ...g, ask: { ...g.ask, subject: g.ask.predicate, predicate: g.ask.subject } } : null,
    ),
    'import forgotten': asking((g) => (g.existentialImport ? { ...g, existentialImport: false } : null)),
    'weaker conclusion stored': choosing((mood) => (mood === 'A' ? 'I' : mood === 'E' ? 'O' : null)),
    'stronger conclusion stored': choosing((mood) => (mood === 'I' ? 'A' : mood === 'O' ? 'E' : null)),
    'affirmed for denied': choosing((mood) => ({ A: 'E', E: 'A', I: 'O', O: 'I' })[mood]),
    'atmosphere for logic': choosing((_, g) => atmosphere(g)),
    'judged conclusion converted': judging((g) => ({
      ...g,
      ask: { ...g.ask, conclusion: converted(g.ask.conclusion) },
    })),
    'judged conclusion weakened': judging((g) => {
      const [m, s, p] = g.ask.conclusion
      return m === 'A' || m === 'E' ? { ...g, ask: { ...g.ask, conclusion: [m === 'A' ? 'I' : 'O', s, p] } } : null
    }),
    'Yes and No exchanged': answering((a) => (a === 'Yes' ? 'No' : a === 'No' ? 'Yes' : null)),
  },
  oracle: {
    'no contraposition of All': prover({ forwardOnly: true }),
    'No taken one way only': prover({ oneSided: true }),
    'all that some are is one': prover({ oneIndividual: true }),
    'import never': prover({ existentialImport: () => false }),
    'import always': prover({ existentialImport: () => true }),
    'weaker conclusions count': prover({ weakerToo: true }),
    'first premise not read': prover({ premises: (list) => list.slice(1) }),
    'last premise not read': prover({ premises: (list) => list.slice(0, -1) }),
    'All read backwards': prover({ premises: (list) => list.map((p) => (p[0] === 'A' ? converted(p) : p)) }),
    'Some-not read backwards': prover({ premises: (list) => list.map((p) => (p[0] === 'O' ? converted(p) : p)) }),
    atmosphere: finding((g) => (chooses(g) ? option(g, atmosphere(g)) : null)),
  },
  survivors: {},
}

/** Without slips the prover above is right: only its faults are seen. */
export const sound = prover({})

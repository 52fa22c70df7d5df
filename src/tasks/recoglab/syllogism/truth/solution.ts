import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  memoize,
  optionalStep,
  type SolutionStep,
} from '../../../../core/index.ts'
import type { Problem } from '../../../../core/task.ts'
import { isAsserted, listedAfter } from '../../../../libraries/language/asserted.ts'
import { goldLine } from '../../common/answers.ts'
import {
  type Given,
  type Mood,
  moods,
  nothing,
  type Proposition,
  type Question,
  type Shared,
  sentence,
} from '../question.ts'
import { derivation } from './derive.ts'
import { countermodel, holds } from './entail.ts'

type P = Problem<Shared, Given, string>

const candidates = ({ ask }: Given): readonly Proposition[] =>
  ask.kind === 'judge' ? [ask.conclusion] : moods.map((mood) => [mood, ask.subject, ask.predicate] as const)

/** Of what follows, the strongest: "All" says more than "Some" where there are some. */
const strongestOf = (derived: readonly Proposition[]): Proposition | undefined =>
  derived.find(
    ([mood]) => !derived.some(([other]) => (mood === 'I' && other === 'A') || (mood === 'O' && other === 'E')),
  )

interface Known {
  readonly numbers: ReadonlyMap<string, number>
  /** Most words of a term. */
  readonly words: number
  readonly follows: (said: Proposition) => boolean
  readonly strongest: Proposition | undefined
}

const knownOf = memoize((given: Given): Known => {
  const { terms, premises, existentialImport } = given
  const cache = new Map<string, boolean>()
  const follows = (said: Proposition): boolean => {
    const key = said.join()
    const known = cache.get(key)
    if (known !== undefined) return known
    const found = countermodel(terms.length, premises, said, existentialImport) === null
    cache.set(key, found)
    return found
  }
  return {
    numbers: new Map(terms.map((term, i) => [term.toLowerCase(), i])),
    words: Math.max(...terms.map((term) => term.split(' ').length)),
    follows,
    strongest: strongestOf(candidates(given).filter(follows)),
  }
})

/**
 * What follows, in steps; where nothing does, of every conclusion a case in which all statements hold and it does not. In short
 * no premise is said again, and a case that other cases make needless is left out.
 */
export function solution(problem: P): readonly SolutionStep[] {
  const { given } = problem
  const { strongest } = knownOf(given)
  const lines = strongest === undefined ? cases(given) : derived(given, strongest)
  return [...lines, goldLine(problem)]
}

function derived(given: Given, strongest: Proposition): SolutionStep[] {
  const steps = derivation(given, strongest) ?? []
  return steps.map(({ said, premise }, i) => {
    const text = sentence(said, given.terms)
    const line = premise ? `${text}.` : `So ${lowered(text)}.`
    if (i === steps.length - 1) return line
    return premise ? fullOnly(line) : optionalStep(line)
  })
}

function cases(given: Given): SolutionStep[] {
  const { terms, premises, existentialImport } = given
  const against = candidates(given).map((said) => ({
    said,
    kinds: countermodel(terms.length, premises, said, existentialImport) ?? [],
  }))
  // The weak conclusions come last, and a case against one is often a case against a strong one.
  const needed: typeof against = []
  for (const one of [...against].reverse()) if (needed.every(({ kinds }) => holds(kinds, one.said))) needed.push(one)
  return against.map((one) => {
    const things = one.kinds.map((kind) =>
      kind.length === 0 ? '(none of these)' : kind.map((t) => terms[t]).join(' + '),
    )
    const line = `A case without "${sentence(one.said, terms)}", one thing of each kind: ${things.join('; ')}.`
    return needed.includes(one) ? line : fullOnly(line)
  })
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const NEAR = 80
const SAID = /\b([Aa]ll|[Nn]o|[Ss]ome) ([^".,:;\n]{1,80}?) are (not )?/gu
const CASE = /^A case without "([^"\n]{1,200})", one thing of each kind: ([^\n]{0,100000})\.$/gmu
const MOODS: { readonly [word: string]: Mood } = { all: 'A', no: 'E', some: 'I' }

/** Statements about the terms and cases against one, each checked against the premises. Linear in the text. */
export function stated({ given }: Question, text: string): CheckedSteps {
  const known = knownOf(given)
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  const refuted = new Set<Mood>()
  const told = [...text.matchAll(CASE)]
  for (const match of told) {
    const said = propositionOf(known, match[1] ?? '')
    const kinds = kindsOf(known, match[2] ?? '', unknown)
    const wanted = said !== null && candidates(given).some((one) => one.join() === said.join())
    const shown = said !== null && kinds !== null && isCase(given, kinds) && !holds(kinds, said)
    if (shown) for (const one of candidates(given)) if (!holds(kinds, one)) refuted.add(one[0])
    const all = refuted.size === candidates(given).length
    steps.push({
      span: [match.index, match.index + match[0].length],
      holds: shown,
      decides: wanted && all ? (given.ask.kind === 'judge' ? 'No' : nothing) : null,
    })
  }
  let inside = 0
  for (const match of text.matchAll(SAID)) {
    // What a case names is no statement.
    while (inside < told.length && end(told[inside] as RegExpMatchArray) <= match.index) inside++
    if (inside < told.length && (told[inside]?.index ?? 0) <= match.index) continue
    const after = match.index + match[0].length
    const subject = known.numbers.get((match[2] ?? '').toLowerCase())
    const predicate = termAfter(known, text.slice(after, after + NEAR))
    if (subject === undefined || predicate === null) {
      if (subject === undefined && predicate !== null) unknown.push(match[2] ?? '')
      continue
    }
    const mood = MOODS[(match[1] ?? '').toLowerCase()] ?? 'I'
    const said: Proposition = [match[3] === undefined ? mood : mood === 'I' ? 'O' : mood, subject, predicate.term]
    // "All X are not Y" is read in two ways: it is no step.
    if (match[3] !== undefined && mood !== 'I') continue
    const span = [match.index, after + predicate.length] as const
    if (!isAsserted(text, span) || namesMore(known, listedAfter(text, span[1]))) continue
    steps.push({
      span,
      holds: known.follows(said),
      decides: decided(given, known, said),
    })
  }
  return { steps: steps.sort((a, b) => a.span[0] - b.span[0]), unknown }
}

const end = (match: RegExpMatchArray): number => (match.index ?? 0) + match[0].length

/** The answer that a true statement gives: the strongest conclusion is the one to be judged or chosen. */
function decided({ ask, terms }: Given, { strongest }: Known, said: Proposition): string | null {
  if (strongest === undefined || said.join() !== strongest.join()) return null
  return ask.kind === 'judge' ? 'Yes' : sentence(said, terms)
}

function termAfter({ numbers, words }: Known, text: string): { readonly term: number; readonly length: number } | null {
  const parts = /^[^".,:;\n()]*/u.exec(text)?.[0].split(' ').slice(0, words) ?? []
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join(' ')
    const term = numbers.get(name.toLowerCase())
    if (term !== undefined) return { term, length: name.length }
  }
  return null
}

/** Do terms go on, so that the statement is about several? */
function namesMore(known: Known, listed: string | null): boolean {
  if (listed === null) return false
  const terms = listed.replace(/^not /u, '')
  const next = termAfter(known, terms)
  return next !== null && !terms.startsWith(' are ', next.length)
}

function propositionOf(known: Known, text: string): Proposition | null {
  const match = /^(All|No|Some) (.{1,80}?) are (not )?(.{1,80})$/u.exec(text)
  const [subject, predicate] = [match?.[2], match?.[4]].map((name) => known.numbers.get((name ?? '').toLowerCase()))
  const mood = MOODS[(match?.[1] ?? '').toLowerCase()]
  if (match === null || mood === undefined || subject === undefined || predicate === undefined) return null
  return [match[3] === undefined ? mood : 'O', subject, predicate]
}

function kindsOf({ numbers }: Known, text: string, unknown: string[]): readonly (readonly number[])[] | null {
  if (text === '') return []
  const kinds: number[][] = []
  for (const kind of text.split('; ')) {
    if (kind === '(none of these)') {
      kinds.push([])
      continue
    }
    const terms = kind.split(' + ').map((name) => numbers.get(name.toLowerCase()))
    if (terms.includes(undefined)) {
      unknown.push(kind.slice(0, NEAR))
      return null
    }
    kinds.push(terms as number[])
  }
  return kinds
}

/** Do all statements hold of these things? */
function isCase(given: Given, kinds: readonly (readonly number[])[]): boolean {
  const inhabited = !given.existentialImport || given.terms.every((_, t) => kinds.some((kind) => kind.includes(t)))
  return inhabited && given.premises.every((premise) => holds(kinds, premise))
}

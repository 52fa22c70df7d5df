import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  memoize,
  optionalStep,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { isAsserted, listedAfter } from '../../../libraries/language/asserted.ts'
import { goldLine } from '../common/answers.ts'
import { inOrder, spanOf } from '../common/steps.ts'
import { countermodel, holds, isModel } from './oracle.ts'
import {
  candidates,
  type Given,
  type Mood,
  nothing,
  type Proposition,
  type Question,
  type Shared,
  sentence,
  strongest,
} from './question.ts'

type P = Problem<Shared, Given, string>

interface Derivable {
  readonly numbers: ReadonlyMap<string, number>
  /** Most words of a term. */
  readonly words: number
  readonly follows: (said: Proposition) => boolean
  readonly strongest: Proposition | undefined
}

const knownOf = memoize((given: Given): Derivable => {
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
    strongest: strongest(candidates(given).filter(follows))[0],
  }
})

/**
 * The derivation in steps; where nothing follows, a counterexample to every conclusion. In short form premises and
 * redundant counterexamples are omitted.
 */
export function solution(problem: P): readonly SolutionStep[] {
  const { given } = problem
  const found = knownOf(given).strongest
  const lines = found === undefined ? cases(given) : derived(given, found)
  return [...lines, goldLine(problem)]
}

function derived(given: Given, conclusion: Proposition): SolutionStep[] {
  const steps = derivation(given, conclusion) ?? []
  return steps.map(({ said, premise }, i) => {
    const text = sentence(said, given.terms)
    const line = premise ? `${text}.` : `So ${lowerFirst(text)}.`
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

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const NEAR = 80
const SAID = /\b([Aa]ll|[Nn]o|[Ss]ome) ([^".,:;\n]{1,80}?) are (not )?/gu
const CASE = /^A case without "([^"\n]{1,200})", one thing of each kind: ([^\n]{0,100000})\.$/gmu
const MOODS: { readonly [word: string]: Mood } = { all: 'A', no: 'E', some: 'I' }

/** Statements about the terms and cases against one, each checked against the premises. Linear in the text. */
export function checkSteps({ given }: Question, text: string): CheckedSteps {
  const known = knownOf(given)
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  const refuted = new Set<Mood>()
  const told = [...text.matchAll(CASE)]
  for (const match of told) {
    const said = propositionOf(known, match[1] ?? '')
    const kinds = kindsOf(known, match[2] ?? '', unknown)
    const wanted = said !== null && candidates(given).some((one) => one.join() === said.join())
    const shown = said !== null && kinds !== null && isModel(given, kinds) && !holds(kinds, said)
    if (shown) for (const one of candidates(given)) if (!holds(kinds, one)) refuted.add(one[0])
    const all = refuted.size === candidates(given).length
    steps.push({
      span: spanOf(match),
      holds: shown,
      decides: wanted && all ? (given.ask.kind === 'judge' ? 'No' : nothing) : null,
    })
  }
  let inside = 0
  for (const match of text.matchAll(SAID)) {
    // What a case names is no statement.
    while (inside < told.length && spanOf(told[inside] as RegExpMatchArray)[1] <= match.index) inside++
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
  return { steps: inOrder(steps), unknown }
}

/** The answer that a true statement gives: the strongest conclusion. */
function decided({ ask, terms }: Given, known: Derivable, said: Proposition): string | null {
  if (said.join() !== known.strongest?.join()) return null
  return ask.kind === 'judge' ? 'Yes' : sentence(said, terms)
}

function termAfter(
  { numbers, words }: Derivable,
  text: string,
): { readonly term: number; readonly length: number } | null {
  const parts = /^[^".,:;\n()]*/u.exec(text)?.[0].split(' ').slice(0, words) ?? []
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join(' ')
    const term = numbers.get(name.toLowerCase())
    if (term !== undefined) return { term, length: name.length }
  }
  return null
}

/** Does a list of terms continue, so that the statement is about several? */
function namesMore(known: Derivable, listed: string | null): boolean {
  if (listed === null) return false
  const terms = listed.replace(/^not /u, '')
  const next = termAfter(known, terms)
  return next !== null && !terms.startsWith(' are ', next.length)
}

function propositionOf(known: Derivable, text: string): Proposition | null {
  const match = /^(All|No|Some) (.{1,80}?) are (not )?(.{1,80})$/u.exec(text)
  const [subject, predicate] = [match?.[2], match?.[4]].map((name) => known.numbers.get((name ?? '').toLowerCase()))
  const mood = MOODS[(match?.[1] ?? '').toLowerCase()]
  if (match === null || mood === undefined || subject === undefined || predicate === undefined) return null
  return [match[3] === undefined ? mood : 'O', subject, predicate]
}

function kindsOf({ numbers }: Derivable, text: string, unknown: string[]): readonly (readonly number[])[] | null {
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

/** One step of a derivation: a premise, or a consequence of earlier steps. */
interface Derived {
  readonly said: Proposition
  readonly premise: boolean
}

const A = (s: number, p: number): Proposition => ['A', s, p]

/**
 * How a conclusion follows, by carrying it along "All" statements from the statement that is not of that kind; null where it does
 * not follow.
 */
function derivation(given: Given, conclusion: Proposition): readonly Derived[] | null {
  const { terms, premises, existentialImport } = given
  if (countermodel(terms.length, premises, conclusion, existentialImport) !== null) return null
  const [mood, s, p] = conclusion
  const up = wider(given)
  if (mood === 'A') return along(up, s, p)
  for (const [m, x, y] of premises) {
    if (m === 'E' && mood === 'E')
      for (const [u, v] of bothWays(x, y)) {
        const [left, right] = [along(up, s, u), along(up, p, v)]
        if (left !== null && right !== null)
          return [...left, ...right, told(m, x, y), ...follows('E', [s, v], [s, p], [u, v])]
      }
    if (m === 'I' || m === 'O') {
      const found = fromSome(given, up, conclusion, [m, x, y])
      if (found !== null) return found
    }
  }
  if (existentialImport)
    for (let x = 0; x < terms.length; x++) {
      const found = fromSome(given, up, conclusion, ['I', x, x])
      if (found !== null) return found
    }
  return [{ said: conclusion, premise: false }]
}

/** "Some S are P" or "some S are not P" from one "some" statement; [I, x, x]: there are x. */
function fromSome(given: Given, up: Wider, [mood, s, p]: Proposition, [m, x, y]: Proposition): Derived[] | null {
  const first = x === y ? [] : [told(m, x, y)]
  if (m === 'O') {
    if (mood !== 'O') return null
    const [left, right] = [along(up, x, s), along(up, p, y)]
    return left === null || right === null
      ? null
      : [...first, ...left, ...right, ...follows('O', [s, y], [s, p], [x, y])]
  }
  for (const [u, v] of bothWays(x, y)) {
    const left = along(up, u, s)
    if (left === null) continue
    if (mood === 'I') {
      const right = along(up, v, p)
      if (right !== null) return [...first, ...left, ...right, ...follows('I', [s, v], [s, p], [u, v])]
    }
    if (mood === 'O')
      for (const [e, a, b] of given.premises)
        if (e === 'E')
          for (const [c, d] of bothWays(a, b)) {
            const [right, far] = [along(up, v, c), along(up, p, d)]
            if (right !== null && far !== null)
              return [...first, ...left, ...right, told(e, a, b), ...far, ...follows('O', [s, d], [s, p], [-1, -1])]
          }
  }
  return null
}

type Wider = readonly (readonly number[])[]

const wider = ({ terms, premises }: Given): Wider =>
  terms.map((_, t) => premises.flatMap(([m, x, y]) => (m === 'A' && x === t ? [y] : [])))

/** "All x are z" by the shortest chain of "All" statements, saying after each what follows; nothing where x is z. */
function along(up: Wider, x: number, z: number): readonly Derived[] | null {
  const from = new Map<number, number>([[x, x]])
  for (const [t] of from) for (const next of up[t] ?? []) if (!from.has(next)) from.set(next, t)
  if (!from.has(z)) return null
  const chain: number[] = []
  for (let t = z; t !== x; t = from.get(t) as number) chain.unshift(t)
  return chain.flatMap((t, i) => {
    const step = told('A', i === 0 ? x : (chain[i - 1] as number), t)
    return i === 0 ? [step] : [step, { said: A(x, t), premise: false }]
  })
}

const told = (mood: Mood, s: number, p: number): Derived => ({ said: [mood, s, p], premise: true })

/** Consequences when first one side of a statement is carried along, then the other; unchanged ones are omitted. */
function follows(mood: Mood, ...[middle, end, was]: readonly (readonly [number, number])[]): Derived[] {
  const same = (one: readonly [number, number] | undefined, other: readonly [number, number] | undefined): boolean =>
    one?.[0] === other?.[0] && one?.[1] === other?.[1]
  return [middle, end].flatMap((pair, i) =>
    pair === undefined || same(pair, was) || (i === 1 && same(pair, middle)) || pair[0] === pair[1]
      ? []
      : [{ said: [mood, pair[0], pair[1]] as const, premise: false }],
  )
}

const bothWays = (x: number, y: number): readonly (readonly [number, number])[] =>
  x === y
    ? [[x, y]]
    : [
        [x, y],
        [y, x],
      ]

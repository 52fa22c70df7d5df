import {
  type CheckedStep,
  type CheckedSteps,
  type Extraction,
  fullOnly,
  isArray,
  isObject,
  type Json,
  optionalStep,
  type Parser,
  type Problem,
  type Question,
  type SolutionStep,
} from '../../../core/index.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { arrangementOf, isCrossed, placeOf, stringsOf } from './crossed.ts'
import { type Derivation, derivationNodes, derives, leavesOf, over, rulesOf, widthOf } from './derivation.ts'
import { treeDrawing } from './drawings.ts'
import { liftedOf, ruleSetOf, type Shared, symbolsOf, tokensOf } from './grammar.ts'
import { codeOf } from './present.ts'

export const ABOUT_PARTS = 'A[1-2, 5] is A over the pair of tokens 1 to 2 and token 5.'
const ABOUT_SPANS = 'A[1-4] is A over tokens 1 to 4.'

/** The line of a span in a solution: the whole string is the reason, the short form omits the shortest spans. */
export function spanLine(shared: Shared, text: string, bounds: readonly number[], whole: number): SolutionStep {
  const width = widthOf(bounds)
  return width === whole ? text : width === (isCrossed(shared) ? 2 : 1) ? fullOnly(text) : optionalStep(text)
}

/** A derivation in steps, one rule a line with the tokens that it covers, and what `behind` adds of a node. */
export function derivationLines(
  shared: Shared,
  derivation: Derivation,
  behind: (at: number, size: number) => string = () => '',
): readonly SolutionStep[] {
  const nodes = derivationNodes(shared, derivation) ?? []
  const [about, least] = isCrossed(shared) ? [ABOUT_PARTS, 'two'] : [ABOUT_SPANS, 'single']
  return [
    {
      reason: `The first rule of a derivation; ${about}`,
      short: `A derivation without the rules of ${least} tokens; ${about}`,
      full: `A derivation, rule by rule; ${about}`,
    },
    ...nodes.map(({ rule: [left = ''], bounds, parts, size }, at) => {
      const right = parts.map((part) => (part.isToken ? `'${part.name}'` : over(shared, part.name, part.bounds)))
      const text = `${over(shared, left, bounds)} -> ${right.join(' ')}${behind(at, size)}`
      return spanLine(shared, text, bounds, nodes[0]!.bounds[1]!)
    }),
  ]
}

/** The lines of a text up to a length that match a pattern, with their places. */
export function* matchingLines(text: string, pattern: RegExp, longest: number) {
  let start = 0
  for (const line of text.split('\n')) {
    const match = line.length <= longest ? pattern.exec(line) : null
    if (match !== null) yield { match, span: [start, start + line.length] as const }
    start += line.length + 1
  }
}

const SPAN = String.raw`\[[\d, -]{1,30}\]`
const STEP = new RegExp(
  String.raw`^\s{0,8}([^\s[\]'"]{1,64})(${SPAN})\s{0,4}(?:->|→)\s{0,4}((?:\S[^\n]{0,400}?)?)\s{0,8}$`,
  'u',
)
const PART = new RegExp(String.raw`^(?:'(\S{1,64})'|([^\s[\]'"]{1,64})(${SPAN}))$`, 'u')
/** Between parts, but not inside `[1-2, 7]`. */
const BETWEEN_PARTS = /(?<!\d,)[ \t]+/u

/** `[1-4]` as bounds; of grammars over pairs also `[3]` and `[1-2, 7]`. null: written in another way. */
export function boundsOf(shared: Shared, span: string): readonly number[] | null {
  const match = /^\[(\d{1,4})(?:-(\d{1,4}))?(?:, {0,4}(\d{1,4})(?:-(\d{1,4}))?)?\]$/u.exec(span)
  if (match === null) return null
  const [, from, to, second, end] = match
  if (!isCrossed(shared)) return to === undefined || second !== undefined ? null : [Number(from) - 1, Number(to)]
  const first = [Number(from) - 1, Number(to ?? from)]
  return second === undefined ? first : [...first, Number(second) - 1, Number(end ?? second)]
}

/** Do bounds stand in order inside a string? */
export const isInside = (bounds: readonly number[], length: number): boolean =>
  bounds.every((bound, at) => bound >= (bounds[at - 1] ?? 0)) && bounds.at(-1)! <= length

/** A symbol of a rule as a line states it; `bounds` null: a token. */
interface Stated {
  readonly name: string
  readonly bounds: readonly number[] | null
}

/** What the tokens of a rule cover, and whether its parts join as it says; null where they do not. */
function joined(shared: Shared, rule: readonly string[], bounds: readonly number[], parts: readonly Stated[]) {
  if (!isCrossed(shared)) {
    let place = bounds[0]!
    const covered = parts.map((part) => {
      const own = part.bounds ?? [place, place + 1]
      const fits = own[0] === place
      place = own[1]!
      return fits ? own : null
    })
    return place === bounds[1] && !covered.includes(null) ? (covered as (readonly number[])[]) : null
  }
  const arrangement = arrangementOf(shared, rule.join(' '))
  if (arrangement == null) {
    const pair = [bounds.slice(0, 2), bounds.slice(2)]
    return pair.every((one) => one.length === 2 && widthOf(one) === 1) ? pair : null
  }
  const strings = stringsOf(arrangement)
  const fits = strings.every((letters, at) => {
    let place = bounds[2 * at]
    for (const letter of letters) {
      const [child, string] = placeOf(letter)
      const own = parts[child]!.bounds ?? []
      if (own[2 * string] !== place) return false
      place = own[2 * string + 1]
    }
    return place === bounds[2 * at + 1]
  })
  return fits && bounds.length === 2 * strings.length ? parts.map((part) => part.bounds ?? []) : null
}

/**
 * Lines `A[1-4] -> B[1-2] C[3-4]` about a string (`A[5-4]` is empty): is that a rule, do the parts join, does each symbol derive its part?
 * `whole`: is it a rule of the start symbol over the whole string?
 */
export function* derivationSteps(shared: Shared, string: string, text: string) {
  const { nonterminals, tokens: codes } = symbolsOf(shared)
  const tokens = tokensOf(shared, string)
  for (const { match, span } of matchingLines(text, STEP, 600)) {
    const [, written = '', range = '', right = ''] = match
    const bounds = boundsOf(shared, range)
    if (bounds === null) continue
    const name = codeOf(shared, written)
    const matches = right.split(BETWEEN_PARTS).flatMap((part) => (part === '' ? [] : [PART.exec(part)]))
    const parts = matches.map(
      (part): Stated => ({
        name: codeOf(shared, part?.[1] ?? part?.[2] ?? ''),
        bounds: part?.[3] === undefined ? null : boundsOf(shared, part[3]),
      }),
    )
    const rule = [name, ...parts.map((part) => part.name)]
    const isWellFormed = parts.every(
      (part, at) => codes.has(part.name) === (part.bounds === null) && matches[at] !== null,
    )
    const covered =
      isWellFormed && ruleSetOf(shared).has(rule.join(' ')) && isInside(bounds, tokens.length)
        ? joined(shared, rule, bounds, parts)
        : null
    const holds =
      covered?.every(
        (own, at) =>
          isInside(own, tokens.length) &&
          (parts[at]!.bounds === null
            ? tokens[own[0]!] === codes.get(parts[at]!.name)
            : derives(shared, tokens, parts[at]!.name, own)),
      ) ?? false
    yield {
      name,
      bounds,
      span,
      holds,
      whole: name === liftedOf(shared).start && bounds[0] === 0 && bounds[1] === tokens.length,
      unknown: [written, ...matches.map((part) => part?.[1] ?? part?.[2] ?? '')].filter(
        (_, at) => !nonterminals.has(rule[at]!) && !codes.has(rule[at]!),
      ),
    }
  }
}

/** Do these rules of the lifted grammar (over pairs: of its text), as a proof has them, derive the string? */
export function provesMember(shared: Shared, string: string, rules: Json | undefined): boolean {
  if (!isNumbers(rules)) return false
  if (!isCrossed(shared)) return checkDerivation(liftedOf(shared).cnf, tokensOf(shared, string), rules)
  const named = rules.flatMap((number) => liftedOf(shared).rules[number] ?? [])
  const nodes = derivationNodes(
    shared,
    named.map(({ left, right }) => [left, ...right.map(({ name }) => name)]),
  )
  return named.length === rules.length && nodes !== null && leavesOf(nodes).join(' ') === string
}

export const isNumbers = (value: Json | undefined): value is readonly number[] =>
  value !== undefined && isArray(value) && value.every((part) => typeof part === 'number')

/** A part of a proof by its name. */
export const partOf = (proof: Json, name: string): Json | undefined =>
  isObject(proof) ? (proof as { readonly [key: string]: Json | undefined })[name] : undefined

interface StatedLine {
  readonly span: readonly [number, number]
  readonly holds: boolean
  /** Names in it that the grammar does not have. */
  readonly unknown: readonly string[]
}

/** Stated lines as steps, and the answer that the text ends with. */
export function withAnswer<G, A>(
  question: Question<Shared, G>,
  stated: Iterable<StatedLine>,
  final: Extraction<A>,
  {
    oracle,
    decides,
  }: { oracle(question: Question<Shared, G>, answer: A): boolean; decides(shared: Shared, answer: A): string },
): CheckedSteps {
  const lines = [...stated]
  const steps: CheckedStep[] = lines.map(({ span, holds }) => ({ span, holds, decides: null }))
  const unknown = lines.flatMap((line) => line.unknown)
  if (final.kind === 'unparsed') return { steps, unknown }
  const holds = oracle(question, final.answer)
  steps.push({ span: final.span, holds, decides: holds ? decides(question.shared, final.answer) : null })
  return { steps, unknown }
}

/**
 * Proof, solution and steps of a task whose answer says how a string of the language is derived, or which. `stringOf`: the
 * string of an answer, or of the question alone; null where the question has none.
 */
export function provedByDerivation<G, A>(own: {
  stringOf(question: Question<Shared, G>, answer: A | null): string | null
  derivationOf(problem: Problem<Shared, G, A>): Derivation
  oracle(question: Question<Shared, G>, answer: A): boolean
  gold(problem: Problem<Shared, G, A>): string
  readonly parser: Parser<Shared, G, A>
  decides(shared: Shared, answer: A): string
  /** The lines of a text about a string that are checked; default: {@link derivationSteps}. */
  stated?(shared: Shared, string: string, text: string): Iterable<StatedLine>
}) {
  const stringOf = (problem: Problem<Shared, G, A>): string => own.stringOf(problem, problem.answer) ?? ''
  return {
    gold: own.gold,
    oracle: own.oracle,
    witness: (problem: Problem<Shared, G, A>): Json => ({ rules: [...rulesOf(problem.shared, stringOf(problem))] }),
    check: (problem: Problem<Shared, G, A>, proof: Json): boolean =>
      provesMember(problem.shared, stringOf(problem), partOf(proof, 'rules')) && own.oracle(problem, problem.answer),
    solution: (problem: Problem<Shared, G, A>): readonly SolutionStep[] => [
      ...derivationLines(problem.shared, own.derivationOf(problem)),
      own.gold(problem),
    ],
    /** Lines of a derivation, and the answer that the text ends with. */
    checkSteps(question: Question<Shared, G>, text: string): CheckedSteps {
      const final = own.parser(text, question)
      const string = own.stringOf(question, final.kind === 'extracted' ? final.answer : null)
      const stated = string === null ? [] : (own.stated ?? derivationSteps)(question.shared, string, text)
      return withAnswer(question, stated, string === null ? { kind: 'unparsed', reason: 'no string' } : final, own)
    },
    drawings: (problem: Problem<Shared, G, A>): readonly Json[] =>
      treeDrawing(problem.shared, own.derivationOf(problem)),
  }
}

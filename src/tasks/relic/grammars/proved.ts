import {
  type CheckedStep,
  type CheckedSteps,
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
import { isCrossed } from './crossed.ts'
import { ABOUT_PARTS, pairLines, pairStep, provesPairs } from './crossed-proof.ts'
import { type Derivation, derivationNodes, partsOfNode, rulesOf } from './derivation.ts'
import { treeDrawing } from './drawings.ts'
import { analyzerOf, liftedOf, ruleSetOf, type Shared, symbolsOf, tokensOf } from './grammar.ts'
import { codeOf } from './present.ts'

/** A symbol over the tokens that it covers, counted from 1, both ends included: `NT5[1-4]`. */
export const over = (symbol: string, from: number, to: number): string => `${symbol}[${from + 1}-${to}]`

/** The line of a span in a solution: the whole string is the reason, the short form omits single tokens. */
export const spanLine = (text: string, width: number, whole: number): SolutionStep =>
  width === whole ? text : width === 1 ? fullOnly(text) : optionalStep(text)

/** A derivation in steps, one rule a line with the tokens that it covers, and what `behind` adds of a node. */
export function derivationLines(
  shared: Shared,
  derivation: Derivation,
  behind: (at: number, size: number) => string = () => '',
): readonly SolutionStep[] {
  if (isCrossed(shared)) {
    const lines = pairLines(shared, derivation)
    return [
      {
        reason: `The first rule of a derivation; ${ABOUT_PARTS}`,
        short: `A derivation without the rules of two tokens; ${ABOUT_PARTS}`,
        full: `A derivation, rule by rule; ${ABOUT_PARTS}`,
      },
      // A rule of two tokens is the shortest there is: as single tokens elsewhere.
      ...lines.map(({ text, width }) => spanLine(text, width / 2, lines[0]!.width / 2)),
    ]
  }
  const nodes = derivationNodes(shared, derivation) ?? []
  const whole = nodes[0]?.to ?? 0
  const lines = nodes.map(({ rule: [left = ''], from, to, size }, at) => {
    const parts = partsOfNode(shared, nodes, at).map((part) =>
      part.isToken ? `'${part.name}'` : over(part.name, part.from, part.to),
    )
    return spanLine(`${over(left, from, to)} -> ${parts.join(' ')}${behind(at, size)}`, to - from, whole)
  })
  return [
    {
      reason: 'The first rule of a derivation; A[1-4] is A over tokens 1 to 4.',
      short: 'A derivation without the rules of single tokens; A[1-4] is A over tokens 1 to 4.',
      full: 'A derivation, rule by rule; A[1-4] is A over tokens 1 to 4.',
    },
    ...lines,
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

const STEP = /^\s{0,8}([^\s[\]'"]{1,64})\[(\d{1,4})-(\d{1,4})\]\s{0,4}(?:->|→)\s{0,4}((?:\S[^\n]{0,400}?)?)\s{0,8}$/u
const PART = /^(?:'(\S{1,64})'|([^\s[\]'"]{1,64})\[(\d{1,4})-(\d{1,4})\])$/u

/**
 * Lines `A[1-4] -> B[1-2] C[3-4]` about a string (`A[5-4]` is empty): is that a rule, do the parts join, does each symbol derive its part?
 * `whole`: is it a rule of the start symbol over the whole string?
 */
export function* derivationSteps(shared: Shared, tokens: readonly number[], text: string) {
  const symbols = symbolsOf(shared)
  const rules = ruleSetOf(shared)
  const { empty, start } = liftedOf(shared)
  const derives = (name: string, from: number, to: number): boolean =>
    analyzerOf(shared)
      .chart(tokens)
      .has(symbols.nonterminals.get(name) ?? -1, from, to) ||
    (from === to && empty.has(name))
  for (const { match, span } of matchingLines(text, STEP, 600)) {
    const parts = (match[4] as string).split(/[ \t]+/u).flatMap((part) => (part === '' ? [] : [PART.exec(part)]))
    const written = [match[1] as string, ...parts.map((part) => part?.[1] ?? part?.[2] ?? '')]
    const names = written.map((name) => codeOf(shared, name))
    const [from, to] = [Number(match[2]) - 1, Number(match[3])]
    let place = from
    let holds = from >= 0 && to >= from && to <= tokens.length && rules.has(names.join(' '))
    for (const [at, part] of parts.entries()) {
      const name = names[at + 1] as string
      if (part === null) holds = false
      else if (part[1] !== undefined) {
        holds &&= symbols.tokens.has(name) && tokens[place] === symbols.tokens.get(name)
        place++
      } else {
        const end = Number(part[4])
        holds &&= Number(part[3]) - 1 === place && end >= place && end <= tokens.length && derives(name, place, end)
        place = end
      }
    }
    yield {
      name: names[0] as string,
      from,
      to,
      span,
      holds: holds && place === to,
      whole: names[0] === start && from === 0 && to === tokens.length,
      unknown: written.filter((_, at) => !symbols.nonterminals.has(names[at]!) && !symbols.tokens.has(names[at]!)),
    }
  }
}

/** Lines of a derivation in a text about a string, each checked. */
export function* statedRules(shared: Shared, string: string, text: string) {
  if (!isCrossed(shared)) yield* derivationSteps(shared, tokensOf(shared, string), text)
  else
    for (const { match, span } of matchingLines(text, /^.*$/u, 600)) {
      const step = pairStep(shared, string, match[0])
      if (step !== null) yield { ...step, span }
    }
}

/** Do these rules of the lifted grammar (over pairs: of its text), as a proof has them, derive the string? */
export function provesMember(shared: Shared, string: string, rules: Json | undefined): boolean {
  if (!isNumbers(rules)) return false
  return isCrossed(shared)
    ? provesPairs(shared, string, rules)
    : checkDerivation(liftedOf(shared).cnf, tokensOf(shared, string), rules)
}

export const isNumbers = (value: Json | undefined): value is readonly number[] =>
  value !== undefined && isArray(value) && value.every((part) => typeof part === 'number')

/** A part of a proof by its name. */
export const partOf = (proof: Json, name: string): Json | undefined =>
  isObject(proof) ? (proof as { readonly [key: string]: Json | undefined })[name] : undefined

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
      const { shared } = question
      const final = own.parser(text, question)
      const string = own.stringOf(question, final.kind === 'extracted' ? final.answer : null)
      if (string === null) return { steps: [], unknown: [] }
      const found = [...statedRules(shared, string, text)]
      const steps: CheckedStep[] = found.map(({ span, holds }) => ({ span, holds, decides: null }))
      const unknown = found.flatMap((step) => step.unknown)
      if (final.kind === 'unparsed') return { steps, unknown }
      const holds = own.oracle(question, final.answer)
      steps.push({ span: final.span, holds, decides: holds ? own.decides(shared, final.answer) : null })
      return { steps, unknown }
    },
    drawings: (problem: Problem<Shared, G, A>): readonly Json[] =>
      treeDrawing(problem.shared, own.derivationOf(problem)),
  }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { median } from './cpu.ts'

/** What the bench uses of nearley 2.20, which has no types. */
interface Nearley {
  readonly Rule: new (name: string, symbols: readonly (string | { readonly literal: string })[]) => unknown
  readonly Grammar: new (rules: readonly unknown[], start: string) => unknown
  readonly Parser: {
    new (grammar: unknown): { feed(tokens: readonly string[]): void; readonly results: readonly unknown[] }
    readonly prototype: { reportError: () => string }
  }
}

export interface NearleyJob {
  readonly start: string
  readonly rules: readonly (readonly [string, ...{ readonly kind: string; readonly name: string }[]])[]
  readonly strings: readonly (readonly [string, boolean])[]
}

/** In a process of its own, so that it can be stopped: ambiguous strings take it exponential time. */
const nearley: Nearley = createRequire(import.meta.url)('nearley')
nearley.Parser.prototype.reportError = () => ''
const job: NearleyJob = JSON.parse(readFileSync(0, 'utf8'))
const grammar = new nearley.Grammar(
  job.rules.map(
    ([left, ...right]) =>
      new nearley.Rule(
        left,
        right.map(({ kind, name }) => (kind === 'nonterminal' ? name : { literal: name })),
      ),
  ),
  job.start,
)
const accepts = (tokens: readonly string[]): boolean => {
  const parser = new nearley.Parser(grammar)
  try {
    parser.feed(tokens)
    return parser.results.length > 0
  } catch {
    return false
  }
}
const strings = job.strings.map(([text, member]) => ({ tokens: text.split(' '), member }))
let wrong = 0
const pass = (): number => {
  const start = process.cpuUsage()
  for (const { tokens, member } of strings) if (accepts(tokens) !== member) wrong++
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}
const cold = pass()
process.stdout.write(`${JSON.stringify({ seconds: cold, wrong })}\n`)
// Warm: half a second or ten passes, then the median of five.
for (let spent = 0, i = 0; spent < 0.5 && i < 10; i++) spent += pass()
process.stdout.write(`${JSON.stringify({ seconds: median(Array.from({ length: 5 }, pass)), wrong })}\n`)

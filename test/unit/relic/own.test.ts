import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { below, type Json, type JsonObject, namedStream, pick, type Stream } from '../../../src/core/index.ts'
import type { CfgRule } from '../../../src/libraries/grammars/grammar/cfg.ts'
import { nonterminal, terminal } from '../../../src/libraries/grammars/grammar/cfg.ts'
import { printNltkGrammar } from '../../../src/libraries/grammars/notation/nltk.ts'
import { derivationOf } from '../../../src/tasks/relic/grammars/derivation.ts'
import { textOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { languageOf, lengthsOf, recognizerOf } from '../../../src/tasks/relic/grammars/languages.ts'
import { readOwn } from '../../../src/tasks/relic/grammars/own.ts'
import { parserOf } from '../../../src/tasks/relic/grammars/text-parser.ts'
import { oracle as derives } from '../../../src/tasks/relic/parse/oracle.ts'
import { problemsOf, scored, solvedBy, stepsOf } from './drawn.ts'

const texts: { readonly [name: string]: string } = {
  'marks as tokens': `S -> A '(' S ')' | A '[' S ']' "'" | '"' A | S '->' A | S '|' A ',' | B A
A -> '=>' | '**' | '\`' | '::=' | '$' | '.' | '-' | '#' B
B -> | B ';' | 'ε'`,
  'brackets, empty rules': "S -> '(' S ')' S | '[' S ']' S |",
  'patterns of Lark, and rules without use': `start: "a" start "b" | NAME | "d" start NAME | start "e" start | dead "a"
dead: dead "x"
other: "y" "z"
NAME: /[a-z]+/`,
}
const files = ['json.cfg', 'arithmetic.bnf', 'english.lark', ...Object.keys(texts)]
const read = (file: string): string => texts[file] ?? readFileSync(`examples/grammars/${file}`, 'utf8')
const names = ['recognize', 'parse', 'next', 'fill', 'repair']
const cases = files.flatMap((file) => names.map((name) => [file, name] as const))
const lengths = { minLength: 6, maxLength: 14 }
const configOf = (file: string, name: string): JsonObject => ({
  grammar: read(file),
  ...lengths,
  ...(name === 'recognize' ? { twins: 'none' } : {}),
})

describe('a grammar of one’s own', () => {
  test.each(cases)(
    '%s: relic/%s asks different questions that the oracle confirms and every reader reads',
    (file, name) => {
      const { task, problems } = problemsOf(`relic/${name}`, '', 20, configOf(file, name))
      expect(problems).toHaveLength(20)
      expect(new Set(problems.map(({ given }) => JSON.stringify(given))).size).toBe(20)
      const source = task.source(task.configure(configOf(file, name)), { split: 'test', seed: '1' })
      for (const style of task.styles) source.request(source.item(0) as never, style)
      const all = problems.map((problem) => ({ task, problem }))
      for (const one of all) {
        const problem = one.problem as never
        expect(task.oracle(problem, one.problem.answer as Json)).toBe(true)
        expect(task.check!(problem, task.witness!(problem))).toBe(true)
        for (const parser of ['strict', 'lenient']) expect(scored(one, task.gold!(problem), parser)).toBe(1)
        const { steps, unknown } = stepsOf(one)
        expect(steps.every(({ holds }) => holds)).toBe(true)
        expect(unknown).toEqual([])
      }
      expect(solvedBy(all, name === 'recognize' ? 'cyk' : 'chart')).toBe(1)
    },
  )

  test.each(names.slice(1))('relic/%s: no question belongs to two splits', (name) => {
    const task = problemsOf(`relic/${name}`, '', 1, configOf('json.cfg', name)).task
    const of = (split: string) => {
      const source = task.source(task.configure(configOf('json.cfg', name)), { split, seed: '1' })
      return Array.from({ length: 40 }, (_, index) => source.item(index)).flatMap((item) =>
        item.kind === 'item' ? [JSON.stringify(item.given)] : [],
      )
    }
    const train = new Set(of('train'))
    expect(of('test').filter((given) => train.has(given))).toEqual([])
  })

  test('its text stands in the prompt as it was written, its names in the question', () => {
    const { task } = problemsOf('relic/parse', '', 1, configOf('arithmetic.bnf', 'parse'))
    const source = task.source(task.configure(configOf('arithmetic.bnf', 'parse')), { split: 'test', seed: '1' })
    const request = JSON.stringify(source.request(source.item(0) as never, 'zero-shot'))
    expect(request).toContain(JSON.stringify(read('arithmetic.bnf').trim()).slice(1, -1))
    expect(request).toContain('from <expr>')
  })

  test.each([
    ["S -> 'a' S", 'recognize', /got none/],
    ["S -> 'a' B", 'parse', /expected a rule for each symbol/],
    ["S -> 'a b'", 'parse', /without blanks/],
    ["S -> 'S'", 'parse', /different names/],
    ["S -> 'a' 'b' | 'a' S 'b'", 'parse', /no string of 51 to 51 tokens, only of 2, 4, 6/],
    ["S -> A | A S\nA -> 'a' | 'b'", 'recognize', /every sequence of tokens belongs/],
    ["S -> A | A S\nA -> 'a' | 'b'", 'repair', /cannot be used like this/],
    ["S -> 'a' 'b' | 'a' S 'b'", 'recognize', /Set twins to none/],
    ['S -> a (b', 'parse', /line 1/],
  ])('%s cannot be asked by relic/%s, which says why', (grammar, name, why) => {
    const length = why.source.includes('51') ? { minLength: 51, maxLength: 51 } : { minLength: 6, maxLength: 10 }
    expect(() => problemsOf(`relic/${name}`, '', 1, { grammar, ...length })).toThrow(why)
  })
})

/** Rules with long, unit and empty right-hand sides. */
function anyGrammar(stream: Stream): readonly CfgRule[] {
  const symbol = () => nonterminal(pick(stream, ['S', 'A', 'B', 'C']))
  const token = () => terminal(pick(stream, ['{', 'b', "'"]))
  const rules = ['S', 'S', 'A', 'A', 'B', 'B', 'C', 'C', 'C'].map((left) => ({
    left,
    right: Array.from({ length: below(stream, 4) }, () => (below(stream, 2) === 0 ? symbol() : token())),
    weight: null,
  }))
  return [...rules, { left: 'C', right: [token()], weight: null }]
}

test('strings of any grammar have derivations by its own rules, and no other strings do', () => {
  const stream = namedStream('own test', 'grammars')
  let [members, others] = [0, 0]
  for (let k = 0; k < 300; k++) {
    let shared: ReturnType<typeof readOwn>
    try {
      shared = readOwn(printNltkGrammar({ start: 'S', rules: anyGrammar(stream) }))
    } catch {
      continue
    }
    const found = lengthsOf({ minLength: 1, maxLength: 6 }, shared)
    const size = languageOf(shared, 6).grammar.terminals.length
    for (let n = 0; n < 6; n++) {
      const member = languageOf(shared, 6).sampler.sample(stream, pick(stream, found))
      const string = textOf(shared, member)
      expect(derives({ shared, given: { string } }, derivationOf(shared, string)), shared.grammar).toBe(true)
      const tokens = Array.from({ length: 1 + below(stream, 5) }, () => below(stream, size))
      const accepted = recognizerOf(shared).accepts(tokens)
      expect(parserOf(shared).accepts(textOf(shared, tokens).split(' ')), shared.grammar).toBe(accepted)
      if (accepted) members++
      else others++
    }
  }
  expect(Math.min(members, others)).toBeGreaterThan(100)
})

import { expect, test } from 'vitest'
import { namedStream } from '../../../src/core/index.ts'
import { parseClauses } from '../../../src/libraries/grammars/notation/clauses.ts'
import { canBePaired, hasLegalNeighbours, pairChartOf } from '../../../src/tasks/relic/grammars/crossed.ts'
import type { Derivation } from '../../../src/tasks/relic/grammars/derivation.ts'
import { type Shared, tokensOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { grammarText, presentations, presentGrammar } from '../../../src/tasks/relic/grammars/present.ts'
import type { Given } from '../../../src/tasks/relic/grammars/strings.ts'
import { clausesOf } from '../../../src/tasks/relic/grammars/text-parser.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { drawn, scored, solvedBy, stepsOf } from './drawn.ts'

const parses = drawn<Shared, Given, Derivation>('relic/parse', ['parse-crossed-easy', 10], ['parse-crossed', 4])
const strings = drawn<Shared, Given, boolean>('relic/recognize', ['relic-crossed', 18])

const draws = { stream: (label: string) => namedStream('crossed test', label) } as never

test('the oracle reads the grammar that the prompt shows', () => {
  for (const { problem } of [...parses, ...strings])
    expect(clausesOf(problem.shared)).toEqual(parseClauses(grammarText(problem.shared), 'S'))
})

test('derivations are read as clauses, as rules with spans, and with words as names', () => {
  for (const one of parses) {
    const { shared, answer } = one.problem
    const clause = new Map(
      grammarText(shared)
        .split('\n')
        .map((line) => [line.replaceAll(/\([^()']*\)/gu, '').replace(/\('(.*)', '(.*)'\)/u, ' -> $1 $2'), line]),
    )
    const lines = answer.map(([left, ...right]) => clause.get(`${left} -> ${right.join(' ')}`)!)
    const solution = one.task.solution!(one.problem as never)
    const spans = solution.flatMap((step) => (typeof step === 'string' ? step : (step.full ?? []))).slice(1, -1)
    for (const text of [
      lines.join('\n'),
      `\`\`\`\n${lines.map((line, k) => `${k + 1}. ${line}`).join('\n')}\n\`\`\``,
      spans.join('\n'),
    ])
      for (const parser of ['strict', 'lenient']) expect(scored(one, text, parser), text).toBe(1)
  }
})

test('the grammar is the same in every style, and its clauses are those of the answer', () => {
  const { shared } = parses[0]!.problem
  const rules = parseClauses(grammarText(shared), 'S').rules.length
  for (const style of presentations) {
    const text = presentGrammar(shared, style, draws).split('```')[1]!.trim()
    const written = style === 'bars' ? text.split('\n').flatMap((line) => line.split(' | ')) : text.split('\n')
    expect(written.length, style).toBe(style === 'distract-50' ? Math.floor(1.5 * rules) : rules)
    if (style !== 'bars' && style !== 'prose') expect(() => parseClauses(text, 'S')).not.toThrow()
  }
})

test('members and others of relic-crossed have equal neighbours, all legal, and both proofs hold', () => {
  const labels = strings.map(({ problem }) => problem.answer)
  expect(labels.filter(Boolean).length).toBe(strings.length / 2)
  for (const { task, problem } of strings) {
    const { shared, given, answer } = problem
    const tokens = tokensOf(shared, given.string)
    expect(hasLegalNeighbours(shared, tokens)).toBe(true)
    expect(canBePaired(shared, tokens)).toBe(true)
    expect(pairChartOf(shared, tokens).goal !== undefined).toBe(answer)
    expect(task.oracle(problem, answer)).toBe(true)
    expect(task.oracle(problem, !answer)).toBe(false)
    const proof = task.witness(problem as never)
    expect(task.check(problem as never, proof)).toBe(true)
    expect(task.check({ ...problem, answer: !answer } as never, proof)).toBe(false)
  }
  expect(solvedBy(strings, 'cyk')).toBe(1)
  expect(solvedBy(strings, 'cyk-with-proof')).toBe(1)
  expect(solvedBy(strings, 'bigram')).toBe(0.5)
})

test('steps of a solution hold, and lines about other parts do not', () => {
  for (const one of strings) {
    const { steps, unknown } = stepsOf(one as never)
    expect(unknown).toEqual([])
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.every(({ holds }) => holds)).toBe(true)
    const moved = stepsOf(one as never, (text) => text.replaceAll(/^(.*)\[(\d+)([^\]]*)\](:| ->)/gmu, '$1[99$2$3]$4'))
    expect(moved.steps.some(({ holds }) => holds)).toBe(false)
  }
})

test('crossed grammars without matched pairs are refused', () => {
  const config = recognize.presets['relic-crossed']!.config
  expect(() => recognize.configure({ ...config, twins: 'none' } as never)).toThrow(/need matched pairs/u)
})

test('a look-ahead parser and a random derivation solve nothing of parse-crossed', () => {
  expect(solvedBy(parses, 'chart')).toBe(1)
  expect(solvedBy(parses, 'random')).toBe(0)
})

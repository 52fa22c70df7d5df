import { describe, expect, test } from 'vitest'
import { namedStream, type Problem, pick } from '../../../src/core/index.ts'
import { bracketed, type Derivation, derivationNodes } from '../../../src/tasks/relic/grammars/derivation.ts'
import { type Shared, symbolsOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { writerOf } from '../../../src/tasks/relic/grammars/present.ts'
import type { Given } from '../../../src/tasks/relic/grammars/strings.ts'
import { drawn, scored, solvedBy, stepsOf } from './drawn.ts'

type ParseProblem = Problem<Shared, Given, Derivation>
const all = drawn<Shared, Given, Derivation>(
  'relic/parse',
  ['parse-easy', 24],
  ['parse', 16],
  ['parse-greibach', 16],
  ['parse-crossed-easy', 8],
)

/** The tree's rules, and its sentential forms, in the order in which `next` picks a nonterminal. */
function rewritings({ shared, answer }: ParseProblem, next: 'first' | 'last') {
  const { tokens } = symbolsOf(shared)
  interface Node {
    readonly name: string
    children: readonly Node[]
  }
  const root: Node = { name: 'S', children: [] }
  const pending = [root]
  for (const [, ...right] of answer) {
    const node = pending.pop()!
    node.children = right.map((name) => ({ name, children: [] }))
    pending.push(...node.children.filter(({ name }) => !tokens.has(name)).toReversed())
  }
  let row: readonly Node[] = [root]
  const rules: string[] = []
  const quoted = (name: string): string => (tokens.has(name) ? `'${name}'` : name)
  const forms = ['S']
  for (;;) {
    const isOpen = (node: Node): boolean => !tokens.has(node.name)
    const at = next === 'first' ? row.findIndex(isOpen) : row.findLastIndex(isOpen)
    const node = row[at]
    if (node === undefined) return { rules, forms }
    rules.push(`${node.name} -> ${node.children.map(({ name }) => quoted(name)).join(' ')}`)
    row = [...row.slice(0, at), ...node.children, ...row.slice(at + 1)]
    forms.push(row.map(({ name }) => name).join(' '))
  }
}

const writings: { readonly [name: string]: (problem: ParseProblem) => string } = {
  'in a code block': ({ shared, answer }) => `So:\n\`\`\`\n${bracketed(shared, answer)}\n\`\`\``,
  'in square brackets': ({ shared, answer }) =>
    `The tree:\n\n${bracketed(shared, answer).replaceAll('(', '[').replaceAll(')', ']')}`,
  'over several lines': ({ shared, answer }) =>
    `\`\`\`text\n${bracketed(shared, answer).replaceAll(' (', '\n   (')}\n\`\`\``,
  'with quoted tokens': ({ shared, answer }) => bracketed(shared, answer).replaceAll(/\bt\d+/gu, "'$&'"),
  'as a JSON list': ({ shared, answer }) =>
    bracketed(shared, answer)
      .replaceAll(/[^\s()]+/gu, '"$&"')
      .replaceAll('(', '[')
      .replaceAll(')', ']')
      .replaceAll(' ', ', '),
  'in invented words': ({ shared, answer }) => bracketed(shared, answer, writerOf(shared, 'nonsense')),
  'in ordinary words': ({ shared, answer }) => bracketed(shared, answer, writerOf(shared, 'words')),
  'as numbered rules': (problem) =>
    rewritings(problem, 'first')
      .rules.map((rule, k) => `${k + 1}. ${rule}`)
      .join('\n'),
  'as rules from the right': (problem) => rewritings(problem, 'last').rules.join('\n'),
  'as sentential forms': (problem) => rewritings(problem, 'first').forms.join(' => '),
  'as sentential forms from the right': (problem) => rewritings(problem, 'last').forms.join('\n=> '),
}

describe('readers', () => {
  test.each(Object.keys(writings))('the derivation is read %s', (name) => {
    // Rules that give one symbol two children of one name are a derivation from either side, of different strings.
    const isClear = ({ answer }: ParseProblem): boolean => answer.every(([, first, second]) => first !== second)
    for (const one of name === 'as rules from the right' ? all.filter(({ problem }) => isClear(problem)) : all)
      for (const parser of ['strict', 'lenient']) {
        const text = writings[name]!(one.problem)
        expect(scored(one, text, parser), text).toBe(1)
      }
  })

  test('lenient takes the last tree from prose; strict does not', () => {
    const { problem } = all[0]!
    const text = `First I tried (S NT1 NT2), which fails. The tree ${bracketed(problem.shared, problem.answer)} works (I checked).`
    expect(scored(all[0]!, text)).toBeNull()
    expect(scored(all[0]!, text, 'lenient')).toBe(1)
  })

  test.each([
    '('.repeat(100_000),
    `${'('.repeat(100_000)}S${')'.repeat(100_000)}`,
    'S -> '.repeat(30_000),
    'S => '.repeat(20_000),
    `${'S => NT1 NT2\n'.repeat(10_000)}`,
    '\n \n'.repeat(50_000),
    '<think>(S (NT1 t1) (NT2 t2))',
    '',
  ])('hostile text %# is unparsed', (text) => {
    for (const parser of ['strict', 'lenient']) expect(scored(all[0]!, text, parser)).toBeNull()
  })
})

test('a changed derivation scores 1 only where it is one by the independent oracle', () => {
  const stream = namedStream('parse test', 'mutants')
  let accepted = 0
  for (const { task, problem } of all) {
    const names = [...symbolsOf(problem.shared).nonterminals.keys(), ...symbolsOf(problem.shared).tokens.keys()]
    for (let k = 0; k < 12; k++) {
      const answer = problem.answer.map((rule) => [...rule])
      const rule = pick(stream, answer)
      const place = pick(stream, [...rule.keys()])
      if (k % 3 === 0) answer.splice(answer.indexOf(rule), 1)
      else if (k % 3 === 1) rule[place] = pick(stream, names)
      else
        for (const one of answer) for (const [at, name] of one.entries()) if (name === rule[place]) one[at] = names[k]!
      const { value, parts } = task.grade!(problem as never, answer)
      expect(value === 1, JSON.stringify(answer)).toBe(task.oracle(problem, answer))
      expect(parts!['nodes']! < 1).toBe(value === 0)
      accepted += value
    }
  }
  expect(accepted).toBeLessThan(0.05 * 12 * all.length)
})

test('subscore nodes counts what stands before the first node that no derivation has', () => {
  const { task, problem } = all[0]!
  const nodes = derivationNodes(problem.shared, problem.answer)!
  const last = nodes.findLastIndex(({ rule }) => rule.length === 2)
  const broken = problem.answer.map((rule, at) => (at === last ? [rule[0]!, 't99'] : rule))
  expect(task.grade!(problem as never, broken).parts!['nodes']).toBe(0)
  const tokens = [...symbolsOf(problem.shared).tokens.keys()]
  const wrong = problem.answer.map((rule, at) =>
    at === last ? [rule[0]!, tokens.find((name) => name !== rule[1])!] : rule,
  )
  expect(task.grade!(problem as never, wrong).parts!['nodes']).toBeCloseTo(last / nodes.length)
})

test('steps of a solution hold, and a step with a wrong span or rule does not', () => {
  for (const one of all) {
    const { steps, unknown } = stepsOf(one)
    expect(unknown).toEqual([])
    expect(steps.length).toBe(one.problem.answer.length + 1)
    expect(steps.every(({ holds }) => holds)).toBe(true)
    const wrong = stepsOf(one, (text) => text.replaceAll(/\[[^\]]*\] ->/gu, '[1-99] ->'))
    expect(wrong.steps.filter(({ holds }) => holds).length).toBe(1)
  }
})

test('a corrupted witness is refused', () => {
  for (const { task, problem } of [...all.slice(0, 20), ...all.slice(-4)]) {
    const proof = task.witness(problem as never) as { readonly rules: readonly number[] }
    expect(task.check(problem as never, proof as never)).toBe(true)
    for (const rules of [proof.rules.slice(1), [...proof.rules, 0], proof.rules.map((rule) => rule + 1)])
      expect(task.check(problem as never, { rules })).toBe(false)
  }
})

test('no baseline without a chart derives a string', () => {
  expect(solvedBy(all, 'chart')).toBe(1)
  expect(solvedBy(all, 'random')).toBe(0)
  expect(solvedBy(all, 'look-ahead')).toBeLessThan(0.12)
})

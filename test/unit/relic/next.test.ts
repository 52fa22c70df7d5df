import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/core/index.ts'
import { namedStream, shuffle } from '../../../src/core/index.ts'
import { compileRecognizer } from '../../../src/libraries/grammars/index.ts'
import { liftedOf, type Shared, symbolsOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { writerOf } from '../../../src/tasks/relic/grammars/present.ts'
import type { Answer, Given } from '../../../src/tasks/relic/next/draw.ts'
import { drawn, scored, solvedBy, stepsOf } from './drawn.ts'

type NextProblem = Problem<Shared, Given, Answer>
const all = drawn<Shared, Given, Answer>('relic/next', ['next-easy', 24], ['next', 16], ['next-regular', 16])

/** By brute force: tokens that some string of the language has behind the beginning, up to `more` further tokens. */
function enumerated({ shared, given }: NextProblem, more: number): ReadonlySet<string> {
  const { accepts } = compileRecognizer(liftedOf(shared).cnf)
  const names = [...symbolsOf(shared).tokens.keys()]
  const numbers = new Map(liftedOf(shared).cnf.terminals.map((name, token) => [name, token]))
  const found = new Set<string>()
  const start = given.beginning.split(' ').map((name) => numbers.get(name) as number)
  if (accepts(start)) found.add('END')
  const grow = (tokens: readonly number[], first: string | null, left: number): void => {
    for (const name of names) {
      const own = first ?? name
      if (found.has(own)) continue
      const longer = [...tokens, numbers.get(name) as number]
      if (accepts(longer)) found.add(own)
      else if (left > 1) grow(longer, own, left - 1)
    }
  }
  grow(start, null, more)
  return found
}

test('what short strings show is in the answer, and every token of it begins a string', () => {
  for (const { task, problem } of all.slice(0, 12)) {
    for (const name of enumerated(problem, 3)) expect(problem.answer, problem.given.beginning).toContain(name)
    expect(task.check(problem as never, task.witness(problem as never))).toBe(true)
  }
})

const writings: { readonly [name: string]: (problem: NextProblem) => string } = {
  'on a labelled line': ({ answer }) => `After t1 the symbol NT2 is open.\nAnswer: ${answer.join(' ')}`,
  'with commas': ({ answer }) => `So:\n${answer.join(', ')}`,
  'as a set': ({ answer }) => `Answer: {${answer.map((name) => `'${name}'`).join(', ')}}`,
  'in a code block': ({ answer }) => `\`\`\`\n${answer.join('\n')}\n\`\`\``,
  'in another order': (problem) =>
    `Answer: ${shuffle(namedStream('next test', problem.given.beginning), problem.answer).join(' ')}`,
  'with the end in words': ({ answer }) => `Answer: ${answer.join(', ').replace('END', 'end of string')}`,
  'in invented words': ({ shared, answer }) => `Answer: ${answer.map(writerOf(shared, 'nonsense')).join(' ')}`,
}
describe('readers', () => {
  test.each(Object.keys(writings))('the set is read %s', (name) => {
    for (const one of all)
      for (const parser of ['strict', 'lenient']) {
        const text = writings[name]!(one.problem)
        expect(scored(one, text, parser), text).toBe(1)
      }
  })

  test('a name that is no token is wrong, prose is unparsed', () => {
    const answer = all[0]!.problem.answer
    expect(scored(all[0]!, `Answer: ${answer.join(' ')} t99`)).toBe(0)
    expect(scored(all[0]!, 'I cannot tell which tokens follow.')).toBeNull()
    const loose = `The tokens are:\nAnswer: ${answer.join(' and ')}\nI am sure.`
    expect(scored(all[0]!, loose, 'lenient')).toBe(1)
  })
})

test('naming all tokens, or all that may stand behind the last one, earns nothing', () => {
  for (const { task, problem } of all) {
    const names = [...symbolsOf(problem.shared).tokens.keys(), 'END']
    expect(task.grade!(problem as never, names)).toMatchObject({ value: 0, parts: { set: 0 } })
  }
  expect(solvedBy(all, 'all')).toBe(0)
  expect(solvedBy(all, 'chart')).toBe(1)
  expect(solvedBy(all, 'followers')).toBeLessThan(0.1)
})

test('steps of a solution hold; a string that is not in the language does not', () => {
  for (const one of all.slice(0, 20)) {
    const { given, answer } = one.problem
    const { steps } = stepsOf(one)
    expect(steps.length).toBe(answer.length + 1)
    expect(steps.every(({ holds }) => holds)).toBe(true)
    const wrong = stepsOf(one, () => `${answer[0]}: ${given.beginning} ${given.beginning}`)
    expect(wrong.steps.some(({ holds }) => holds)).toBe(false)
  }
})

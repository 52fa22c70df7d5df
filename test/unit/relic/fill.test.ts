import { describe, expect, test } from 'vitest'
import { below, namedStream, type Problem, pick } from '../../../src/core/index.ts'
import type { Answer, Given } from '../../../src/tasks/relic/fill/draw.ts'
import { liftedOf, type Shared, symbolsOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { problemsOf } from './drawn.ts'

type FillProblem = Problem<Shared, Given, Answer>
const open = (preset: string, count: number) => problemsOf<Shared, Given, Answer>('relic/fill', preset, count)
const sets = [open('fill-easy', 24), open('fill', 16), open('fill-all', 12)]
const all = sets.flatMap(({ task, problems }) => problems.map((problem) => ({ task, problem })))
const scored = (
  task: (typeof all)[number]['task'],
  problem: FillProblem,
  parser: string,
  text: string,
): number | null => {
  const found = task.parsers![parser]!(text, problem)
  return found.kind === 'extracted' ? task.grade!(problem as never, found.answer).value : null
}

describe('readers', () => {
  test('the whole string is read on a line, with commas and in a code block', () => {
    for (const { task, problem } of all)
      for (const text of [
        `NT3 gives t4 first.\nAnswer: ${problem.answer.join(' ')}`,
        `**Answer:** ${problem.answer.join(', ')}`,
        `\`\`\`\n${problem.answer.join(' ')}\n\`\`\``,
        `The string is "${problem.answer.join(' ')}".\n\nAnswer: \`${problem.answer.join(' ')}\``,
      ])
        for (const parser of ['strict', 'lenient']) expect(scored(task, problem, parser, text), text).toBe(1)
  })

  test('tokens for the blanks alone are read by lenient only', () => {
    for (const { task, problem } of sets[1]!.problems.map((problem) => ({ task: sets[1]!.task, problem }))) {
      const blanks = problem.given.template.split(' ').flatMap((place, at) => (place === '_' ? [at] : []))
      const text = `Answer: ${blanks.map((at) => problem.answer[at]).join(' ')}`
      expect(scored(task, problem, 'strict', text)).toBe(null)
      expect(scored(task, problem, 'lenient', text)).toBe(1)
    }
  })

  test('a template left as it is, and a string of another length, are unparsed', () => {
    for (const { task, problem } of all.slice(0, 10)) {
      expect(scored(task, problem, 'lenient', `Answer: ${problem.given.template}`)).toBe(null)
      expect(scored(task, problem, 'strict', `Answer: ${problem.answer.join(' ')} t1`)).toBe(null)
    }
  })
})

test('changed strings score 1 exactly where the independent oracle accepts them', () => {
  const stream = namedStream('fill test', 'mutants')
  for (const { task, problem } of all) {
    const names = [...symbolsOf(problem.shared).tokens.keys()]
    for (let k = 0; k < 20; k++) {
      const answer = [...problem.answer]
      for (let edits = 1 + below(stream, 3); edits > 0; edits--)
        answer[below(stream, answer.length)] = pick(stream, names)
      const { value, parts } = task.grade!(problem as never, answer)
      expect(value === 1, answer.join(' ')).toBe(task.oracle(problem, answer))
      expect(parts!['prefix']! <= 1 && (value === 1) === (parts!['prefix'] === 1)).toBe(true)
    }
  }
})

test('subscore prefix never falls as blanks are filled rightly from the left', () => {
  const stream = namedStream('fill test', 'prefix')
  for (const { task, problem } of all.slice(0, 24)) {
    const { terminals } = liftedOf(problem.shared).cnf
    const blanks = problem.given.template.split(' ').flatMap((place, at) => (place === '_' ? [at] : []))
    let before = 0
    for (let right = 0; right <= blanks.length; right++) {
      const answer = problem.answer.map((name, at) =>
        blanks.indexOf(at) >= right ? (terminals[below(stream, terminals.length)] as string) : name,
      )
      const share = task.grade!(problem as never, answer).parts!['prefix']!
      expect(share).toBeGreaterThanOrEqual(right / blanks.length)
      before = Math.max(before, share)
    }
    expect(before).toBe(1)
  }
})

test('guessing fills few, a chart fills all', () => {
  const share = (name: string): number =>
    all.filter(({ task, problem }) => {
      const baseline = task.baselines![name]!
      if (baseline.kind !== 'chat') return false
      const draws = { stream: (label: string) => namedStream(`fill test ${label}`, problem.given.template) }
      return scored(task, problem, 'strict', baseline.answer(problem, draws as never)) === 1
    }).length / all.length
  expect(share('chart')).toBe(1)
  expect(share('bigram')).toBeLessThan(0.1)
  expect(share('random')).toBeLessThan(0.1)
})

import { describe, expect, test } from 'vitest'
import { below, namedStream, pick } from '../../../src/core/index.ts'
import type { Answer, Given } from '../../../src/tasks/relic/fill/draw.ts'
import { liftedOf, type Shared, symbolsOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { drawn, scored, solvedBy } from './drawn.ts'

const all = drawn<Shared, Given, Answer>('relic/fill', ['fill-easy', 24], ['fill', 16], ['fill-all', 12])

describe('readers', () => {
  test('the whole string is read on a line, with commas and in a code block', () => {
    for (const one of all) {
      const { problem } = one
      for (const text of [
        `NT3 gives t4 first.\nAnswer: ${problem.answer.join(' ')}`,
        `**Answer:** ${problem.answer.join(', ')}`,
        `\`\`\`\n${problem.answer.join(' ')}\n\`\`\``,
        `The string is "${problem.answer.join(' ')}".\n\nAnswer: \`${problem.answer.join(' ')}\``,
      ])
        for (const parser of ['strict', 'lenient']) expect(scored(one, text, parser), text).toBe(1)
    }
  })

  test('tokens for the blanks alone are read by lenient only', () => {
    for (const one of drawn<Shared, Given, Answer>('relic/fill', ['fill', 16])) {
      const { problem } = one
      const blanks = problem.given.template.split(' ').flatMap((place, at) => (place === '_' ? [at] : []))
      const text = `Answer: ${blanks.map((at) => problem.answer[at]).join(' ')}`
      const each = blanks.map((at, k) => `Blank ${k + 1}: ${problem.answer[at]}`)
      for (const written of [text, each.join('\n'), `- ${each.toReversed().join(', ')}`]) {
        expect(scored(one, written)).toBe(null)
        expect(scored(one, written, 'lenient'), written).toBe(1)
      }
      expect(scored(one, each.slice(1).join('\n'), 'lenient')).toBe(null)
      expect(scored(one, `It is not so that\nI take ${each.join(', ')} back`, 'lenient')).toBe(null)
    }
  })

  test('a template left as it is, and a string of another length, are unparsed', () => {
    for (const one of all.slice(0, 10)) {
      expect(scored(one, `Answer: ${one.problem.given.template}`, 'lenient')).toBe(null)
      expect(scored(one, `Answer: ${one.problem.answer.join(' ')} t1`)).toBe(null)
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
  expect(solvedBy(all, 'chart')).toBe(1)
  expect(solvedBy(all, 'bigram')).toBeLessThan(0.1)
  expect(solvedBy(all, 'random')).toBeLessThan(0.1)
})

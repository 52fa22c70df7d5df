import { describe, expect, test } from 'vitest'
import { below, between, editDistance, namedStream } from '../../../src/core/index.ts'
import { compileRecognizer } from '../../../src/libraries/grammars/index.ts'
import { ngramModel } from '../../../src/libraries/grammars/negatives/ngram-model.ts'
import { nearestMember } from '../../../src/libraries/grammars/recognise/distance.ts'
import { liftedOf, type Shared, symbolsOf, tokensOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { languageOf } from '../../../src/tasks/relic/grammars/languages.ts'
import type { Given } from '../../../src/tasks/relic/grammars/strings.ts'
import type { Answer } from '../../../src/tasks/relic/repair/draw.ts'
import { drawn, problemsOf, scored } from './drawn.ts'

const all = drawn<Shared, Given, Answer>('relic/repair', ['repair-easy', 16], ['repair', 12])

test('the nearest string is as far as the nearest of all short strings', () => {
  const { problems } = problemsOf<Shared, Given, Answer>('relic/parse', 'parse-easy', 6, {
    tokens: 6,
    rules: { low: 20, high: 20 },
    minLength: 4,
    maxLength: 6,
  } as never)
  const stream = namedStream('repair test', 'brute')
  let compared = 0
  for (const { shared } of problems) {
    const { cnf } = liftedOf(shared)
    const { accepts } = compileRecognizer(cnf)
    const size = cnf.terminals.length
    const members: number[][] = []
    const grow = (row: readonly number[]): void => {
      if (row.length > 0 && accepts(row)) members.push([...row])
      if (row.length < 5) for (let token = 0; token < size; token++) grow([...row, token])
    }
    grow([])
    for (let k = 0; k < 12; k++) {
      // Members of at most 5 tokens: those of a string of 3 tokens within 2 edits.
      const tokens = Array.from({ length: 3 }, () => below(stream, size))
      const least = Math.min(3, ...members.map((member) => editDistance(tokens, member)))
      expect(nearestMember(cnf, tokens, 2)?.distance ?? 3).toBe(least)
      compared++
    }
  }
  expect(compared).toBeGreaterThan(30)
})

describe('answers', () => {
  test('a nearest string is read and scores 1, the string itself and other members do not', () => {
    for (const one of all) {
      const { given, answer } = one.problem
      expect(scored(one, `I replace t3.\nAnswer: ${answer.join(' ')}`)).toBe(1)
      expect(scored(one, `\`\`\`\n${answer.join(', ')}\n\`\`\``)).toBe(1)
      expect(scored(one, `Answer: ${given.string}`)).toBe(0)
    }
  })

  test('changed strings score 1 exactly where the independent oracle accepts them', () => {
    const stream = namedStream('repair test', 'mutants')
    for (const { task, problem } of all.slice(0, 20)) {
      const names = [...symbolsOf(problem.shared).tokens.keys()]
      for (let k = 0; k < 10; k++) {
        const answer = problem.given.string.split(' ')
        answer[below(stream, answer.length)] = names[below(stream, names.length)]!
        if (k % 2 === 1) answer.splice(below(stream, answer.length), 1)
        expect(task.grade!(problem as never, answer).value === 1, answer.join(' ')).toBe(task.oracle(problem, answer))
      }
    }
  })

  test('edits in words, applied to the string, are read by lenient only', () => {
    const written = all.flatMap(({ problem, ...one }) => {
      const [from, to] = [problem.given.string.split(' '), problem.answer]
      const places = [...from.keys()].filter((at) => from[at] !== to[at])
      const [at = from.length] = places
      const gone = from.toSpliced(at, 1).join(' ') === to.join(' ')
      const texts =
        from.length === to.length && places.length <= 2
          ? [
              places.map((place) => `Replace token ${place + 1} (${from[place]}) by ${to[place]}`).join('\n'),
              places.map((place, k) => `${k + 1}. Change the ${place + 1}th token to '${to[place]}'.`).join('\n'),
            ]
          : gone
            ? [`Answer: delete token ${at + 1}`, `I **remove ${from[at]} at position ${at + 1}**`.replace('I ', '')]
            : from.toSpliced(at, 0, to[at]!).join(' ') === to.join(' ')
              ? [`insert ${to[at]} before token ${at + 1}`].concat(
                  at > 0 ? [`Edit 1: add ${to[at]} after token ${at}`] : [],
                )
              : []
      return texts.map((text) => ({ one: { ...one, problem }, text }))
    })
    expect(
      new Set(written.map(({ text }) => /replace|change|delete|remove|insert|add/iu.exec(text)?.[0])).size,
    ).toBeGreaterThan(3)
    for (const { one, text } of written) {
      expect(scored(one, text)).toBe(null)
      expect(scored(one, `These edits:\n${text}`, 'lenient'), text).toBe(1)
      if (!text.includes('\n')) expect(scored(one, `Do not ${text}`, 'lenient')).toBe(null)
    }
    expect(scored(all[0]!, 'Delete token 99', 'lenient')).toBe(null)
  })

  test('no string is given that belongs to the language already, and the witness proves the answer', () => {
    for (const { task, problem } of all) {
      const { accepts } = compileRecognizer(liftedOf(problem.shared).cnf)
      expect(accepts(tokensOf(problem.shared, problem.given.string))).toBe(false)
      expect(task.check(problem as never, task.witness(problem as never))).toBe(true)
      expect(task.check(problem as never, { rules: [0] })).toBe(false)
    }
  })
})

test('the likeliest single edit by a trigram model of other strings of the grammar seldom repairs a string', () => {
  const { problems } = problemsOf<Shared, Given, Answer>('relic/repair', 'repair-easy', 48, {}, '7')
  const stream = namedStream('repair test', 'attacker')
  const repaired = problems.filter(({ shared, given }) => {
    const { cnf } = liftedOf(shared)
    const { sampler } = languageOf(shared, 12)
    const strings = Array.from({ length: 800 }, () => sampler.sample(stream, between(stream, 8, 12)))
    const { ordinariness } = ngramModel(strings, cnf.terminals.length)
    const tokens = tokensOf(shared, given.string)
    const edits = Array.from({ length: tokens.length }, (_, at) => at).flatMap((at) => [
      tokens.toSpliced(at, 1),
      ...cnf.terminals.flatMap((_, token) => [tokens.toSpliced(at, 1, token), tokens.toSpliced(at, 0, token)]),
    ])
    const best = Math.max(...edits.map(ordinariness))
    return compileRecognizer(cnf).accepts(edits.find((edit) => ordinariness(edit) === best)!)
  })
  // 0.37 where strings are taken as they come.
  expect(repaired.length / problems.length).toBeLessThan(0.17)
})

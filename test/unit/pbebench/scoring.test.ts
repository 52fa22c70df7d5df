import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/libraries/rewriting/index.ts'
import { cascadeParsers } from '../../../src/tasks/pbebench/answers/index.ts'
import { gradeCascade, graphemeCount, wordDistance } from '../../../src/tasks/pbebench/grade.ts'
import { cascadeIsRight } from '../../../src/tasks/pbebench/oracle.ts'
import type { CascadeAnswer, Examples } from '../../../src/tasks/pbebench/types.ts'
import { checkTrace } from '../../../src/tasks/pbebench/witness.ts'

const question = (inputs: string[], outputs: string[], limits: Partial<Examples['limits']> = {}): Examples => ({
  inputs,
  outputs,
  limits: { rules: 5, side: 3, letters: 'abcdxyz', count: 'code-points', ...limits },
})

describe('grading a cascade', () => {
  it('gives the published and the correct Edit_Sim of the worked examples', () => {
    const two = gradeCascade(question(['ab', 'cd'], ['xb', 'cd']), [['a', 'y']])
    expect(two.parts).toMatchObject({ editSimPublished: 0, editSim: 0, wordsRight: 0.5 })
    const one = gradeCascade(question(['abc'], ['xyc']), [['a', 'x']])
    expect(one.parts).toMatchObject({ editSimPublished: 0, editSim: 0.5 })
    expect(gradeCascade(question(['ab'], ['xb']), [['b', 'cc']]).parts?.['editSim']).toBe(-2)
  })

  it('gives doing nothing full marks where nothing is to do', () => {
    expect(gradeCascade(question(['ab'], ['ab']), [])).toMatchObject({
      value: 1,
      parts: { editSim: 1, editSimPublished: 1 },
    })
    expect(gradeCascade(question(['ab'], ['ab']), [['a', 'x']]).parts).toMatchObject({
      editSim: 0,
      editSimPublished: 0,
    })
  })

  it('reads the first rules up to the limit, and skips invalid ones', () => {
    const q = question(['a'], ['d'], { rules: 2 })
    expect(
      gradeCascade(q, [
        ['a', 'b'],
        ['b', 'd'],
        ['d', 'x'],
      ]),
    ).toMatchObject({ value: 1, parts: { overLimit: 1, valid: 2 } })
    expect(
      gradeCascade(q, [
        ['a', 'bbbb'],
        ['a', 'd'],
      ]),
    ).toMatchObject({ value: 1, parts: { valid: 1, invalid: 1 } })
    expect(gradeCascade(q, [null, ['a', 'd']])).toMatchObject({ value: 1, parts: { invalid: 1 } })
  })

  it('takes any letter, where the released check holds rules to the alphabet', () => {
    const q = question(['ab', 'b'], ['ba', 'a'])
    const answer: Rule[] = [
      ['a', 'q'],
      ['b', 'a'],
      ['qa', 'ba'],
    ]
    expect(gradeCascade(q, answer)).toMatchObject({
      value: 1,
      parts: { valid: 3, invalid: 0, passPublished: 0, validPublished: 1, invalidPublished: 2 },
    })
    expect(cascadeIsRight(q, answer)).toBe(true)
  })

  it('knows that the released check lets an empty left side write everywhere', () => {
    const grade = gradeCascade(question(['ab'], ['xaxbx']), [['', 'x']])
    expect(grade).toMatchObject({ value: 0, parts: { passPublished: 1, validPublished: 1, valid: 0, invalid: 1 } })
    // Blanks at the ends pass the released alphabet test.
    expect(gradeCascade(question(['ab'], ['ab']), [[' a', 'b']]).parts).toMatchObject({ validPublished: 1 })
    expect(gradeCascade(question(['ab'], ['ab']), [['a b', 'b']]).parts).toMatchObject({ validPublished: 0 })
  })

  it('bounds words that explode, and a million rules', () => {
    const grow: Rule[] = Array.from({ length: 50 }, () => ['a', 'aaa'])
    const grade = gradeCascade(question(['a'], ['b'], { rules: 50 }), grow)
    expect(grade.value).toBe(0)
    expect(grade.parts?.['editSim']).toBeUndefined()
    expect(cascadeIsRight(question(['a'], ['b'], { rules: 50 }), grow)).toBe(false)
    const many: CascadeAnswer = Array.from({ length: 1_000_000 }, (): Rule => ['a', 'b'])
    expect(gradeCascade(question(['a'], ['b']), many)).toMatchObject({ value: 1, parts: { overLimit: 999_995 } })
  })

  it('agrees with the oracle on whatever an answer holds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x', 'q', 'ʔ', '😀'), maxLength: 4 })
    const answer = fc.array(fc.oneof(fc.constant(null), fc.tuple(text, text)), { maxLength: 7 })
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'x'), maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(words, answer, answer, (inputs, truth, said) => {
        const q = question(inputs, inputs)
        const outputs = said.length % 2 === 0 ? inputs : inputs.map((word) => word.split('a').join('b'))
        const asked = { ...q, outputs }
        for (const one of [truth, said, [['a', 'b'] as Rule]])
          expect(gradeCascade(asked, one).value === 1).toBe(cascadeIsRight(asked, one))
      }),
      { numRuns: 500 },
    )
  })

  it('counts graphemes where asked', () => {
    expect([graphemeCount('t͡s'), graphemeCount('aː'), graphemeCount('ẽ'.normalize('NFD'))]).toEqual([1, 2, 1])
    const q = question(['t͡sa'], ['sa'], { side: 1, letters: '', count: 'graphemes' })
    expect(gradeCascade(q, [['t͡s', 's']]).value).toBe(1)
    expect(cascadeIsRight(q, [['t͡s', 's']])).toBe(true)
    expect(gradeCascade({ ...q, limits: { ...q.limits, count: 'code-points' } }, [['t͡s', 's']]).value).toBe(0)
  })

  it('scores hostile responses right', () => {
    const q = question(['ab'], ['bb'])
    const value = (text: string, parser = 'lenient') => {
      const found = cascadeParsers[parser]?.(text, { shared: null, given: q })
      return found?.kind === 'extracted' ? gradeCascade(q, found.answer).value : found?.reason
    }
    expect(value("```python\n[\"replace('', 'x')\", \"replace('a', 'b')\"]\n```")).toBe(1)
    expect(value(`\`\`\`python\n[${'replace("a", "b"),'.repeat(100_000)}]\n\`\`\``)).toBe(1)
    expect(value('```python\n[replace("(a+)+$", "b")]\n```')).toBe(0)
    expect(value('```python\n[replace("а", "b")]\n```')).toBe(0)
  })
})

describe('edit distance', () => {
  it('is a metric in code points', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 6 })
    expect([wordDistance('kitten', 'sitting'), wordDistance('', 'ab'), wordDistance('😀', 'a')]).toEqual([3, 2, 1])
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(wordDistance(a, b)).toBe(wordDistance(b, a))
        expect(wordDistance(a, c)).toBeLessThanOrEqual(wordDistance(a, b) + wordDistance(b, c))
      }),
    )
  })
})

describe('the trace checker', () => {
  it('rejects every change of one letter', () => {
    const rules: Rule[] = [
      ['ab', 'c'],
      ['c', 'da'],
    ]
    const q = { inputs: ['xabab', 'cb'], outputs: ['xdada', 'dab'] }
    const trace = [
      ['xcc', 'cb'],
      ['xdada', 'dab'],
    ]
    expect(checkTrace(q, rules, trace)).toBe(true)
    for (const [k, state] of trace.entries())
      for (const [i, word] of state.entries())
        for (let at = 0; at < word.length; at++) {
          const broken = trace.map((s) => [...s])
          ;(broken[k] as string[])[i] = `${word.slice(0, at)}q${word.slice(at + 1)}`
          expect(checkTrace(q, rules, broken)).toBe(false)
        }
    expect(checkTrace(q, rules, trace.slice(1))).toBe(false)
  })
})

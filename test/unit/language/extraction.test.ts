import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locateReasoning, visibleSpans } from '../../../src/core/index.ts'
import { choiceParser, lenientChoice, strictChoice } from '../../../src/libraries/language/choice-parser.ts'
import { eachFence, firstFence, lastFence } from '../../../src/libraries/language/fences.ts'
import { sample } from '../../nightly.ts'

const yesNo = ['Yes', 'No']
const read = (result: ReturnType<typeof strictChoice>, text: string) =>
  result.kind === 'extracted' ? [result.answer, text.slice(...result.span)] : result.reason

describe('reasoning blocks', () => {
  it.each([
    ['plain', [], false],
    ['<think>a</think>b', [[0, 16]], false],
    ['a<THINKING >x</Thinking>b', [[1, 24]], false],
    ['[THINK]x[/THINK]y', [[0, 16]], false],
    ['◁think▷x◁/think▷y', [[0, 16]], false],
    ['opened in the prompt</think>Yes', [[0, 28]], false],
    ['<think>a<think>b</think>c</think>d', [[0, 33]], false],
    ['<think>a', [[0, 8]], true],
    ['<reasoning>a</think>', [[0, 20]], true],
    ['[Reasoning] not a tag', [], false],
  ])('%s', (text, spans, unclosed) => {
    expect(locateReasoning(text)).toEqual({ spans, unclosed })
  })

  it('partitions any text', () => {
    const piece = fc.constantFrom(
      '<think>',
      '</think>',
      '[THINK]',
      '[/THINK]',
      'x',
      '\n',
      '<reason',
      '>',
      '</reasoning>',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const all = [...locateReasoning(text).spans, ...visibleSpans(text)].sort((a, b) => a[0] - b[0])
        let at = 0
        for (const [start, end] of all) {
          expect(start).toBe(at)
          at = end
        }
        expect(at).toBe(text.length)
      }),
    )
  })
})

describe('closed answers, strict', () => {
  it.each([
    ['Yes', 'Yes', 'Yes'],
    ['thinking aloud, no idea\n\n**YES.**\n', 'Yes', 'YES'],
    ['Answer: no', 'No', 'no'],
    ['**Final Answer:** `Yes`', 'Yes', 'Yes'],
    ['No。', 'No', 'No'],
    ['So the answer is: "No".', 'No', 'No'],
    ['```\nNo\n```', 'No', 'No'],
    ['$\\boxed{\\text{Yes}}$', 'Yes', 'Yes'],
    ['Final Answer: The final answer is $\\boxed{No}$.', 'No', 'No'],
    ['<think>No</think>\nYes', 'Yes', 'Yes'],
    ['Answer:\r\nYes\r\n', 'Yes', 'Yes'],
  ])('%j says %s', (text, answer, spanned) => {
    expect(read(strictChoice(text, yesNo), text)).toEqual([answer, spanned])
  })
  it.each([
    ['', 'no visible text'],
    ['\u0000', 'last line is not one of the choices'],
    ['```', 'no visible text'],
    ['Yes or No', 'last line is not one of the choices'],
    ['Yesterday', 'last line is not one of the choices'],
    ['<think>Yes', 'reasoning block never closed'],
    ['Yes\nI hope this helps!', 'last line is not one of the choices'],
    ['x'.repeat(5000), 'last line too long'],
    ['\ud800', 'last line is not one of the choices'],
  ])('%j is unparsed', (text, reason) => {
    expect(read(strictChoice(text, yesNo), text)).toBe(reason)
  })
  it('reads choices of several words', () => {
    const moods = ['All A are B', 'Some A are not B']
    expect(read(strictChoice('Answer: some a  are not b.', moods), 'Answer: some a  are not b.')).toEqual([
      'Some A are not B',
      'some a  are not b',
    ])
  })
})

describe('closed answers, lenient', () => {
  it('takes the last whole word outside reasoning', () => {
    const text = 'Yes? No, nothing known. <think>Yes</think> end'
    expect(read(lenientChoice(text, yesNo), text)).toEqual(['No', 'No'])
    expect(read(lenientChoice('Nothing. Yesterday. Noé', yesNo), '')).toBe('no answer is stated outside reasoning')
    // An answer on a condition is none.
    for (const text of ['Answer: Yes if it parses, otherwise No', 'It prints "Yes" if it matches and "No" otherwise.'])
      expect(read(lenientChoice(text, yesNo), text)).toMatch(/no answer is stated|several answers/)
    const settled = 'The answer would be Yes if S derived it. It does not, so the answer is No.'
    expect(read(lenientChoice(settled, yesNo), settled)).toEqual(['No', 'No'])
  })
  it('reads the text before an unclosed block', () => {
    expect(read(lenientChoice('Yes <think>No', yesNo), 'Yes <think>No')).toEqual(['Yes', 'Yes'])
  })
  const people = ['Calvin', 'Nelson', 'Hope', 'Mark', 'Don', 'Rita']
  it.each([
    ['Calvin should hand it to Nelson. Hope this helps!', 'Nelson'],
    ['Answer: Nelson (mark this)', 'Nelson'],
    ['Answer: Calvin should hand it to Nelson because Rita is far', 'Nelson'],
    ['**Answer:** Nelson\n\nMark and Rita are further away.', 'Nelson'],
    ['Answer:\n**Nelson**\n\nRita comes later.', 'Nelson'],
    ['It is Nelson. Don’t ask why.', 'Nelson'],
    ['nelson, I hope', 'Nelson'],
    ['After Nelson it is Hope.', 'Hope'],
    ['Nelson is wrong. Mark and Rita would do, or just Mark', 'Mark'],
    ['Hope knows everybody', 'Hope'],
  ])('reads %j as %s', (text, answer) => {
    expect(read(choiceParser(people, { named: true }).lenient(text), text)[0]).toBe(answer)
  })
  it('prefers the longest choice at one place', () => {
    const moods = ['Some A are B', 'Some A are not B', 'Some A']
    expect(read(lenientChoice('I say some A are not B!', moods), 'I say some A are not B!')?.[0]).toBe(
      'Some A are not B',
    )
  })
  it('is total and its span holds the choice', () => {
    const part = fc.oneof(fc.constantFrom('Yes', 'no', '<think>', '</think>', ' ', '\n', '`', '\ud83d'), fc.string())
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        for (const result of [strictChoice(text, yesNo), lenientChoice(text, yesNo)]) {
          if (result.kind === 'extracted') {
            expect(text.slice(...result.span).toLowerCase()).toBe(result.answer.toLowerCase())
          }
        }
      }),
    )
  })
  it('reads megabytes of hostile text', () => {
    const length = sample({ nightly: 1e7, otherwise: 3e5 })
    for (const bad of ['No ', '<think', '```\n', '*_`', '</think>', ' ', '<think '.padEnd(90, 'x')]) {
      const text = bad.repeat(Math.ceil(length / bad.length))
      strictChoice(text, yesNo)
      lenientChoice(text, yesNo)
      lastFence(text)
    }
  })
})

describe('fences', () => {
  const text = 'a\n```python\n[1]\n```\nb\n<think>```\n[9]\n```</think>\n~~~~\n[2]\n~~~\n~~~~~\nend'
  const body = (fence: { start: number; end: number } | null) => (fence ? text.slice(fence.start, fence.end) : null)
  it('finds first and last outside reasoning', () => {
    expect(body(firstFence(text))).toBe('[1]')
    expect(body(lastFence(text))).toBe('[2]\n~~~')
    expect(firstFence(text)?.info).toBe('python')
  })
  it('takes an unclosed block to the end', () => {
    expect(lastFence('```json\n[1, 2]')).toEqual({ info: 'json', start: 8, end: 14, closed: false })
    expect(lastFence('```')).toEqual({ info: '', start: 3, end: 3, closed: false })
  })
  it('gives an empty body for an empty block', () => {
    const seen: string[] = []
    eachFence('```\n```\n', (fence) => seen.push('```\n```\n'.slice(fence.start, fence.end)))
    expect(seen).toEqual([''])
  })
})

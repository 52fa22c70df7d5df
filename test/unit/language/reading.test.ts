import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Extraction, locateReasoning, normalizeText, readingParsers } from '../../../src/core/index.ts'
import { choiceParser } from '../../../src/libraries/language/choice-parser.ts'
import { lenientList, strictList } from '../../../src/libraries/language/lists.ts'
import { lenientNumber, strictNumber } from '../../../src/libraries/language/numbers.ts'
import { codePoint } from '../../code-point.ts'
import { sample } from '../../nightly.ts'

type Parse = (text: string) => Extraction<unknown>

const bare = {
  choice: choiceParser(['Yes', 'No']) as { strict: Parse; lenient: Parse },
  number: { strict: (text: string) => strictNumber(text), lenient: (text: string) => lenientNumber(text) },
  list: { strict: strictList as Parse, lenient: (text: string) => lenientList(text) },
}
const question = { shared: null, given: null }
const read = (kind: keyof typeof bare, how: 'strict' | 'lenient', text: string) =>
  readingParsers(bare[kind])[how](text, question)
/** The answer with the text that its span points to; null: unparsed. */
const said = (kind: keyof typeof bare, how: 'strict' | 'lenient', text: string) => {
  const found = read(kind, how, text)
  return found.kind === 'unparsed' ? null : [found.answer, text.slice(...found.span)]
}

describe('text in one spelling', () => {
  it.each([
    ['a\u2010b\u2011c\u2012d\u2212e\u00adf', 'a-b-c-d-e-f'],
    ['no\u00a0break\u3000wide\u202fthin', 'no break wide thin'],
    ['\u200bzero\u2060width\ufeff\u202a\ufe0f', 'zerowidth'],
    ['Ｙｅｓ：３！', 'Yes:3!'],
    ['𝐘𝐞𝐬 𝟗 ٣ ५ ⑫', 'Yes 9 3 5 12'],
    ['\\boxed{\\text{mother}}', 'mother'],
    ['\\textbf{a {b} c} {d}', 'a {b} c {d}'],
    ['\\\\boxed{4}', '4'],
    ['–> and yes—but', '-> and yes—but'],
    ['ĩ ʰ ɔ̃ ¹ t͡s', 'ĩ ʰ ɔ̃ ¹ t͡s'],
    ['a\u2028b', 'a\nb'],
  ])('%j is %j', (text, expected) => {
    expect(normalizeText(text).text).toBe(expected)
  })

  it('is ASCII text itself, and normalised text itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        fc.pre(!/\\[a-z]/i.test(text))
        expect(normalizeText(text).text).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const once = normalizeText(text).text
        fc.pre(!once.includes('\\'))
        expect(normalizeText(once).text).toBe(once)
      }),
    )
  })

  it('points every span into the stored text, each character to what it was made of', () => {
    const part = fc.constantFrom('a', '\u2011', '\u200b', '３', '⑫', '\\text{', '}', '{', ' ', '\u3000', '𝐘', '\n', 'é')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const { text: plain, original } = normalizeText(text)
        let before = 0
        for (let i = 0; i < plain.length; i++) {
          const [start, end] = original([i, i + 1])
          expect(0 <= start && start < end && end <= text.length).toBe(true)
          expect(start).toBeGreaterThanOrEqual(before)
          expect(normalizeText(text.slice(start, end)).text).toContain(plain[i])
          before = start
        }
        const [start, end] = original([0, plain.length])
        expect(0 <= start && start <= end && end <= text.length).toBe(true)
      }),
    )
  })

  it('changes nothing of what plain ASCII responses parse to', () => {
    const word = fc.constantFrom(
      ...'Yes|No|yes|Answer:|**|`|```\n|\n| |3|1,000|twenty|[a, b]|a -> b|not|is|the answer is|.|,|-|(|)|> |# |:|so|wait'.split(
        '|',
      ),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join('')
        for (const kind of ['choice', 'number', 'list'] as const)
          for (const how of ['strict', 'lenient'] as const) expect(read(kind, how, text)).toEqual(bare[kind][how](text))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['choice', 'Answer：Ｙｅｓ。', ['Yes', 'Ｙｅｓ']],
    ['choice', 'It is so.\n\\textbf{Answer:} \\mathrm{Yes}', ['Yes', 'Yes']],
    ['choice', '$\\boxed{\\textbf{No}}$', ['No', 'No']],
    ['choice', '\u200bNo\u200b', ['No', 'No']],
    ['number', 'Answer: ３', ['3', '３']],
    ['number', '\\boxed{１２}', ['12', '１２']],
    ['number', 'twenty‑one', ['21', 'twenty‑one']],
    ['number', 'twenty–one', ['21', 'twenty–one']],
  ] as const)('%s %j is read by both, from where it stands', (kind, text, expected) => {
    for (const how of ['strict', 'lenient'] as const) expect(said(kind, how, text)).toEqual(expected)
  })
})

/** What servers pass on of models' thoughts: opening, closing, what may stand before the answer and behind it. */
const formats = [
  ['think', '<think>', '</think>', '', ''],
  ['Kimi-VL', '◁think▷', '◁/think▷', '', ''],
  ['Magistral', '[THINK]', '[/THINK]', '', ''],
  ['Seed', '<seed:think>', '</seed:think>', '', ''],
  ['MiniMax M3', '<mm:think>', '</mm:think>', '', ''],
  ['LongCat', '<longcat_think>', '</longcat_think>', '', ''],
  ['Hunyuan', '<think:6124c78e>', '</think:6124c78e>', '', ''],
  ['K2', '<ifm|think_fast>', '</ifm|think_fast>', '', ''],
  ['Kimi K3', '<|open|>think<|sep|>', '<|close|>think<|sep|>', '<|open|>response<|sep|>', '<|close|>response<|sep|>'],
  ['Kimi K3 without separator', '<|open|>think<|sep|>', '<|close|>think', '<|open|>response<|sep|>', ''],
  ['Cohere', '<|START_THINKING|>', '<|END_THINKING|>', '<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  ['Gemma 4', '<|channel>thought\n', '<channel|>', '', ''],
  ['MedGemma', '<unused94>thought\n', '<unused95>', '', ''],
  [
    'harmony',
    '<|channel|>analysis<|message|>',
    '<|end|><|start|>assistant<|channel|>final<|message|>',
    '',
    '<|return|>',
  ],
  ['harmony without its tokens', 'analysis', 'assistantfinal', '', ''],
  ['Solar Open 2', '<|think:start|>', '<|think:end|>', '', ''],
  ['Step', '<|think_start|>', '<|think_end|>', '', ''],
  ['Sky-T1', '<|begin_of_thought|>', '<|end_of_thought|>', '<|begin_of_solution|>', '<|end_of_solution|>'],
  ['Apertus', '<|inner_prefix|>', '<|inner_suffix|>', '', ''],
  ['Apriel', 'Here are my reasoning steps:\n', '[BEGIN FINAL RESPONSE]\n', '', '\n[END FINAL RESPONSE]'],
  ['a tag of another name', '<chain_of_thought>', '</chain_of_thought>', '', ''],
  ['escaped', '&lt;think&gt;', '&lt;/think&gt;', '', ''],
  ['a token of another name', '<|reasoning|>', '<|/reasoning|>', '', '<turn|>'],
  ['camel case', '<antThinking>', '</antThinking>', '', '</s>'],
  ['Granite', 'Here is my thought process:', 'Here is my response:', '', ''],
] as const

describe('thoughts', () => {
  it.each(formats)('of %s are no answer, whole, cut or opened in the prompt', (_, open, close, before, after) => {
    const draft = 'We try it. Answer: No\n```\nNo\n```\n'
    for (const how of ['strict', 'lenient'] as const) {
      expect(said('choice', how, `${open}${draft}${close}${before}Answer: Yes${after}`)).toEqual(['Yes', 'Yes'])
      expect(said('choice', how, `${draft}${close}${before}Yes${after}`)).toEqual(['Yes', 'Yes'])
      expect(said('choice', how, `${open}${draft}`)).toBeNull()
      expect(
        said('choice', how, `Yes\n${open.replace('analysis', '<think>').replace(/^Here/, '<think>Here')}No`),
      ).toBeNull()
      expect(said('list', how, `${open}We try\n\`\`\`\n[1, 2]\n\`\`\`\nthis fails, so`)).toBeNull()
      expect(said('choice', how, `${open}${draft}${close}${before}${after}`)).toBeNull()
    }
  })

  it.each([
    ['<think>a <think>b</think> Answer: No', null],
    ['<think>\n<think>\nNo</think>Yes', 'Yes'],
    ['<think>I close with `</think>`. No', null],
    ['I thought in `<think>` tags.\nYes', 'Yes'],
    ['<|channel|>analysis<|message|>No<|end|><|start|>assistant<|channel|>commentary<|message|>No', null],
    ['<|channel|>analysis<|message|>No<|channel|>final<|message|>Yes', 'Yes'],
    ['<|channel|>final<|message|>Yes<|end|>', 'Yes'],
    ['finalYes', 'Yes'],
    ['Finally:\nYes', 'Yes'],
    ['Analysis: it is long.\nYes', 'Yes'],
    ['analysis of the string follows.\nYes', 'Yes'],
    ['<|begin_of_box|>Yes<|end_of_box|>', 'Yes'],
    ['<response>Yes</response>', 'Yes'],
    ['Yes<|im_end|>', 'Yes'],
    ['</mm:think>Yes', 'Yes'],
    ['<details type="reasoning" done="true">\n> No\n</details>\nYes', 'Yes'],
    ['<details type="reasoning">\nAnswer: No', null],
    ['<details>\nI count.\n</details>\nYes', 'Yes'],
    ['Thinking...\nAnswer: No\n...done thinking.\n\nYes', 'Yes'],
    ['Thinking...\nAnswer: No\n', null],
    ['Yes<｜end▁of▁sentence｜>', 'Yes'],
  ])('%j says %j', (text, answer) => {
    for (const how of ['strict', 'lenient'] as const) expect(said('choice', how, text)?.[0] ?? null).toBe(answer)
  })

  it('are located in linear time', () => {
    for (const bad of [
      '<|channel|>',
      '<|start|>assistant',
      'assistant',
      '<think:',
      '<|',
      '[',
      '<|open|>think',
      '`<think>`',
    ])
      locateReasoning(bad.repeat(sample({ nightly: 100_000, otherwise: 30_000 })))
  })
})

describe('what a response repeats or computes is not what it says', () => {
  it.each([
    '```python\nif ok:\n    print("Yes")\nelse:\n    print("No")\n```',
    '```\nif member:\n  Yes\nelse:\n  No\n```',
    'if ok: print("Yes") else: print("No")',
    'return "Yes"',
    'The question asks "is the answer No?"',
    'I was asked to end with "Answer: No".',
    'You want me to end with "Yes", or "No".',
    'Question: answer Yes if it is a member',
    'It is a yes-man.',
    'Answer: Yes\nExplanation: the answer is No.',
    'It is in the list. Wait, no, let me look again:',
    'Oh, yes, so A can expand to b. Then',
    'If they are equal, it prints "Yes". Otherwise, it prints "No". The string is an example.',
    'A no-Yes is odd',
  ])('%j', (text) => {
    for (const how of ['strict', 'lenient'] as const) expect(said('choice', how, text)).toBeNull()
  })

  it.each([
    ['I answer "Yes".', 'Yes'],
    ['```\nYes\n```', 'Yes'],
    ['Yes—because it fits', 'Yes'],
    ['The answer is Yes. Wait, no, it is not in it.\nNo', 'No'],
    ['So, yes, it is in the language.', 'Yes'],
    ['Answer: Yes\n\n**Explanation:** No rule yields c, but a does. No other.', 'Yes'],
    ['final_answer("Yes")', 'Yes'],
    ['<answer>No</answer> I mean: Yes', 'No'],
    ['The answer is Yes.\n<answer>No', 'No'],
    ['<answer>...</answer>\nYes', 'Yes'],
    ['I use `<answer>` tags. Yes', 'Yes'],
    ['<answer>Yes</answer> or rather <answer>No</answer>', 'No'],
    ['<think><answer>Yes</answer></think>No', 'No'],
  ])('%j says %s', (text, answer) => {
    expect(said('choice', 'lenient', text)?.[0]).toBe(answer)
  })

  it('an answer tag without an answer is no reason to read the text around it', () => {
    for (const how of ['strict', 'lenient'] as const)
      expect(said('choice', how, '<answer>perhaps</answer>\nYes')).toBeNull()
  })

  it.each([
    ['one hundred', null],
    ['It has two-thirds', null],
    ['It takes twenty-one.', '21'],
    ['It takes ninety nine.', '99'],
    ['She has 40 - 19.5 = 20.5 left.\nA: 20.5', null],
    ['There are 30 of 3 kinds.\nAnswer: -10', null],
    ['He ate 12 of 16.\n**3/4 cakes**', null],
    ['It takes 2.5 hours and 4 steps.', '4'],
    ['Answer: 3½', null],
    ['Answer: 10^3', null],
    ['Answer: 12:30', null],
    ['Answer: ≥ 5', null],
    ['Answer: 5%', null],
    ['Answer: at least 5', null],
    ['Answer: less than or equal to 5', null],
    ['Answer: one hundred and five', null],
    ['It is so -> 5', '5'],
    ['{"answer": 5, "confidence": 90}', '5'],
  ])('the number of %j is %j', (text, answer) => {
    expect(said('number', 'lenient', text)?.[0] ?? null).toBe(answer)
  })

  it('other parsers see the response as it is', () => {
    const parsers = readingParsers({
      ...bare.choice,
      published: (text: string) => ({ kind: 'unparsed', reason: text }),
    })
    expect(parsers['published']?.('<think>Ｙ', question)).toEqual({ kind: 'unparsed', reason: '<think>Ｙ' })
  })
})

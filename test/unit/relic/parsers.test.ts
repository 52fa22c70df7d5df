import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsers } from '../../../src/tasks/relic/recognize/parsers.ts'

type Reading = 'Yes' | 'No' | '-'
type Row = readonly [text: string, strict: Reading, lenient: Reading, published: Reading]

const question = { shared: { grammar: "S -> A A\nA -> 't0'" }, given: { string: 't0 t0' } }
const reading = (name: keyof typeof parsers, text: string): Reading => {
  const found = parsers[name](text, question)
  if (found.kind === 'unparsed') return '-'
  return found.answer ? 'Yes' : 'No'
}

/** `published` is specs' rule to the letter: the last yes or no between word boundaries, anywhere, in any case. */
const rows: readonly Row[] = [
  // as asked
  ['Yes', 'Yes', 'Yes', 'Yes'],
  ['No', 'No', 'No', 'No'],
  ['S -> A B, so it derives.\n\nYes', 'Yes', 'Yes', 'Yes'],
  ['Yes\n\n\n', 'Yes', 'Yes', 'Yes'],
  ['reasons\r\nNo\r\n', 'No', 'No', 'No'],
  ['YES', 'Yes', 'Yes', 'Yes'],
  ['no.', 'No', 'No', 'No'],
  // dressed
  ['**No**', 'No', 'No', 'No'],
  ["'No'", 'No', 'No', 'No'],
  ['“Yes”', 'Yes', 'Yes', 'Yes'],
  ['`yes`', 'Yes', 'Yes', 'Yes'],
  ['Answer: No', 'No', 'No', 'No'],
  ['**Final answer:** Yes', 'Yes', 'Yes', 'Yes'],
  ['So the answer is no!', 'No', 'No', 'No'],
  ['$\\boxed{No}$', 'No', 'No', 'No'],
  ['\\boxed{No}', 'No', 'No', 'No'],
  ['\\boxed{\\text{Yes}}', 'Yes', 'Yes', 'Yes'],
  ['```\nYes\n```', 'Yes', 'Yes', 'Yes'],
  ['> No', 'No', 'No', 'No'],
  ['- Yes', 'Yes', 'Yes', 'Yes'],
  // underscores and digits are word characters of the published rule; Markdown emphasis is a frame of the strict one
  ['_No_', 'No', 'No', '-'],
  ['__Yes__', 'Yes', 'Yes', '-'],
  ['no_match', '-', '-', '-'],
  ['NT_no', '-', '-', '-'],
  ['no2', '-', '-', '-'],
  ['2no', '-', '-', '-'],
  ['yes-no', '-', '-', 'No'],
  ["no's", '-', '-', 'No'],
  // inside other words, by letters of any script
  ['I do not know', '-', '-', '-'],
  ['Nothing, noon, yesterday, eyes', '-', '-', '-'],
  ['éno', '-', '-', '-'],
  ['noé', '-', '-', '-'],
  ['ноno', '-', '-', '-'],
  ['no\u0661', '-', '-', '-'],
  ['𝐱no', '-', '-', '-'],
  ['是Yes', '-', '-', '-'],
  ['answer:no。', 'No', 'No', 'No'],
  // words on the way
  ['There is no derivation that fits, so I say: Yes', '-', 'Yes', 'Yes'],
  ['Yes\nWait, there is no rule for t3.', '-', '-', 'No'],
  ['Yes, it is. No other string is as short.', '-', 'Yes', 'No'],
  ['Answer: Yes, since S -> A A\n\nNo, wait. No.\nI am done', '-', '-', 'No'],
  ['There is no derivation', '-', '-', 'No'],
  ['Yes would need a rule for t3, so no, or', '-', 'No', 'No'],
  ['Is it? yes or no? Yes, no, yes', '-', '-', 'Yes'],
  ['Yes, the string belongs to the language.', '-', 'Yes', 'Yes'],
  ['Yes and no', '-', '-', 'No'],
  // thoughts
  ['<think>There is no rule. No.</think>\nYes', 'Yes', 'Yes', 'Yes'],
  ['<think>so no</think>', '-', '-', 'No'],
  ['<think>it is yes, no', '-', '-', 'No'],
  ['The string fails: no</think>\n\nYes', 'Yes', 'Yes', 'Yes'],
  ['Yes <think>but no</think>', 'Yes', 'Yes', 'No'],
  // what is no answer, and what a server adds
  ['Yes/No', '-', '-', 'No'],
  ['I cannot decide: Yes or No', '-', '-', 'No'],
  ['It derives (rule No. 5)', '-', '-', 'No'],
  ['No</s>', 'No', 'No', 'No'],
  ['Yes<|im_end|>', 'Yes', 'Yes', 'Yes'],
  ['\u200bNo\u200b', 'No', 'No', 'No'],
  // nothing
  ['', '-', '-', '-'],
  ['\n\n', '-', '-', '-'],
  ['The string is accepted.', '-', '-', '-'],
  ['true', '-', '-', '-'],
  ['Oui', '-', '-', '-'],
  ['y', '-', '-', '-'],
  // hostile
  [`${'no '.repeat(100_000)}yes`, '-', '-', 'Yes'],
  [`${'<think>'.repeat(10_000)}no`, '-', '-', 'No'],
  [`${'*'.repeat(1500)}Yes`, 'Yes', 'Yes', 'Yes'],
  ['yes\0', '-', 'Yes', 'Yes'],
  ['\ud800no\udfff', '-', 'No', 'No'],
  ['ye\u200bs', '-', '-', '-'],
  ['\u202eno', 'No', 'No', 'No'],
]

describe('what the three parsers read', () => {
  it.each(rows.map(([text, ...readings]) => ({ text: text.slice(0, 60), whole: text, readings })))(
    '$text',
    ({ whole, readings }) => {
      const [strict, lenient, published] = readings
      expect({
        strict: reading('strict', whole),
        lenient: reading('lenient', whole),
        published: reading('published', whole),
      }).toEqual({ strict, lenient, published })
    },
  )

  it('has at least 40 rows, each reading in each column', () => {
    expect(rows.length).toBeGreaterThanOrEqual(40)
    for (const column of [1, 2, 3] as const) expect(new Set(rows.map((row) => row[column])).size).toBe(3)
  })
})

/** The published pattern character by character: whole words between characters that are no letter, digit or underscore. */
function lastWord(text: string): Reading {
  const words = text.split(/[^\p{L}\p{N}_]+/u).map((word) => word.toLowerCase())
  const last = words.findLast((word) => word === 'yes' || word === 'no')
  return last === undefined ? '-' : last === 'yes' ? 'Yes' : 'No'
}

describe('the published rule', () => {
  const piece = fc.constantFrom(
    'yes',
    'No',
    'NO',
    '_',
    ' ',
    '\n',
    '.',
    '*',
    "'",
    'a',
    'é',
    '7',
    '-',
    '<think>',
    '是',
    '\\',
  )
  it('is the last whole word of a cut at everything but letters, digits and underscores', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(reading('published', text), JSON.stringify(text)).toBe(lastWord(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('points at the word it read', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        for (const name of ['strict', 'lenient', 'published'] as const) {
          const found = parsers[name](text, question)
          if (found.kind === 'unparsed') continue
          expect(text.slice(...found.span).toLowerCase()).toBe(found.answer ? 'yes' : 'no')
        }
      }),
      { numRuns: 2000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cascadeParsers } from '../../../src/tasks/pbebench/answers/index.ts'
import { pythonLiteral } from '../../../src/tasks/pbebench/answers/published.ts'
import { answerBlock } from '../../../src/tasks/pbebench/prompt.ts'
import type { Examples } from '../../../src/tasks/pbebench/types.ts'

const question: { shared: null; given: Examples } = {
  shared: null,
  given: { inputs: ['ab'], outputs: ['ba'], limits: { rules: 5, side: 3, letters: 'abcxyz', count: 'code-points' } },
}
const read = (parser: string, text: string) => {
  const found = cascadeParsers[parser]?.(text, question)
  return found?.kind === 'extracted' ? found.answer : 'unparsed'
}
const block = (body: string, info = 'python') => `Some words.\n\`\`\`${info}\n${body}\n\`\`\`\n`
const ab = [['a', 'b']]
const two = [
  ['a', 'b'],
  ['bc', ''],
]

describe('the released extraction', () => {
  it.each([
    ['quoted calls', block(`["replace('a', 'b')", "replace('bc', '')"]`), two],
    ['double quotes in single-quoted strings', block(`['replace("a", "b")']`), ab],
    ['bare calls in single quotes', block("[replace('a','b')]"), ab],
    ['bare calls in double quotes break the wrapping', block('[replace("a","b")]'), []],
    ['one rule per line is no literal', block("replace('a','b')\nreplace('b','c')"), []],
    ['one call alone', block("replace('a','b')"), ab],
    ['an assignment is no literal', block(`x = ["replace('a','b')"]`), []],
    ['method calls are no literals', block("[s.replace('a','b')]"), []],
    ['a tuple is not taken', block(`("replace('a','b')", "replace('b','c')")`), []],
    ['a bare fence is not seen', block(`["replace('a','b')"]`, ''), []],
    ['a capital letter is not seen', block(`["replace('a','b')"]`, 'Python'), []],
    ['no block', 'replace("a","b")', []],
    ['an unclosed fence', "```python\n[replace('a','b')]", []],
    ['an empty response is one rule that does nothing', '', [['x', 'x']]],
    ['a third argument is ignored', block(`["replace('a', 'b', 1)"]`), ab],
    ['only the last of chained calls counts', block(`['replace("a","b").replace("b","c")']`), [['b', 'c']]],
    ['unquoted arguments pass', block('["replace(a, b)"]'), ab],
    ['items that are no strings are kept as gaps', block(`[1, "replace('a','b')"]`), [null, ...ab]],
    ['an empty left side is extracted', block(`["replace('', 'x')"]`), [['', 'x']]],
    ['inner blanks stay', block(`["replace(' a', 'b')"]`), [[' a', 'b']]],
    ['neighbouring strings are one string', block(`["replace('a'" ",'b')"]`), ab],
    ['comments', block(`[ # first\n "replace('a','b')", # done\n]`), ab],
    ['the last of two blocks', block(`["replace('x','y')"]`) + block(`["replace('a','b')"]`), ab],
  ])('%s', (_, text, expected) => {
    expect(read('published', text)).toEqual(expected)
  })

  it('can take the first block', () => {
    expect(read('published-first', block(`["replace('a','b')"]`) + block('[]'))).toEqual(ab)
  })
})

describe('our extraction', () => {
  it.each([
    ['quoted calls', block(`["replace('a', 'b')", "replace('bc', '')"]`), two],
    ['bare calls', block(`[replace("a", "b"), replace('bc', '')]`), two],
    ['one rule per line', block("replace('a','b')\nreplace('bc','')"), two],
    ['an assignment', block(`programs = ["replace('a','b')"]`), ab],
    ['JSON with escaped quotes', block(String.raw`["replace(\"a\", \"b\")"]`, 'json'), ab],
    ['typographic quotes', block('[“replace(‘a’, ‘b’)”]'), ab],
    ['comments', block(`[\n  "replace('a','b')",  # why\n]`), ab],
    ['a bare fence', block(`["replace('a','b')"]`, ''), ab],
    ['an empty list', block('[]'), []],
    ['escapes', block(String.raw`["replace('\u0294', '')"]`), [['ʔ', '']]],
    ['an apostrophe escaped twice', block(String.raw`["replace('k\\'', 'g')"]`), [["k'", 'g']]],
    ['an apostrophe escaped once', block(String.raw`['replace("k\'", "g")']`), [["k'", 'g']]],
    ['an apostrophe in quotes', block(`[replace("k'", "g")]`), [["k'", 'g']]],
    ['a third argument is a gap', block(`["replace('a','b',1)", "replace('a','b')"]`), [null, ...ab]],
    ['after reasoning', `<think>${block("[replace('x','y')]")}</think>${block("[replace('a','b')]")}`, ab],
  ])('strict and lenient read %s', (_, text, expected) => {
    expect(read('strict', text)).toEqual(expected)
    if (expected.length > 0) expect(read('lenient', text)).toEqual(expected)
  })

  it.each([
    ['chained calls', block("s = s.replace('a','b').replace('bc','')"), two],
    ['a function', block("def f(s):\n  s = s.replace('a','b')\n  return s.replace('bc','')"), two],
    ['a list in running text', "The answer is [replace('a','b'), replace('bc','')].", two],
    ['JSON pairs', block('[["a","b"],["bc",""]]', 'json'), two],
    ['JSON objects', block('{"rules":[{"from":"a","to":"b"},{"from":"bc","to":""}]}', 'json'), two],
    ['arrows', block('1. a -> b\n2. bc -> ∅', ''), two],
    ['an unclosed fence', "```python\n[replace('a','b')", ab],
  ])('only lenient reads %s', (_, text, expected) => {
    expect(read('strict', text)).toBe('unparsed')
    expect(read('lenient', text)).toEqual(expected)
  })

  const answer = block("[replace('a','b'), replace('bc','')]")
  it.each([
    ['arrows of words', block('ab -> ba', '')],
    ['words that it got wrong', block('abcd -> xyz\nab -> ba', '')],
    ['JSON pairs of words', block('[["ab", "ba"]]', 'json')],
    ['a loop', block('for w in words:\n  for r in rules:\n    w = w.replace(*r)\n  print(w)')],
    ['a loop by place', block('w = w.replace(r[0], r[1])\nassert w == out')],
  ])('lenient reads the answer before a block that checks it: %s', (_, check) => {
    const asked = { ...question, given: { ...question.given, inputs: ['ab', 'abcd'], outputs: ['ba', 'xy'] } }
    const found = cascadeParsers.lenient(`${answer}\nCheck:\n${check}`, asked)
    expect(found).toMatchObject({ kind: 'extracted', answer: two })
    // By itself the check is no answer with rules.
    const alone = cascadeParsers.lenient(check, asked)
    expect(alone.kind === 'unparsed' || alone.answer.every((rule) => rule === null)).toBe(true)
  })

  it('lenient never drops a rule that is written in another way', () => {
    expect(read('lenient', block("replace('a', 'b')\nc -> d"))).toBe('unparsed')
    expect(read('lenient', block("replace('a', 'b')  # c -> d\nab -> ba"))).toEqual(ab)
  })

  it('lenient takes pairs that are rules, also of whole words', () => {
    expect(read('lenient', block('ab -> c\nc -> ba', ''))).toEqual([
      ['ab', 'c'],
      ['c', 'ba'],
    ])
  })

  it.each(['\ufeff', '\u200b', '\u2060\u200b', '\u00a0'])('sees a fence behind %j', (unseen) => {
    for (const parser of ['strict', 'lenient'])
      expect(read(parser, `${unseen}\`\`\`python\n[replace('a','b')]\n${unseen}\`\`\``)).toEqual(ab)
  })

  it('reads every rule back that the prompts write', () => {
    const side = fc.string({
      unit: fc.constantFrom('a', "'", '"', '\\', 'x41', ',', ')', 'ʔ', '😀', ' '),
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side), { maxLength: 3 }), (rules) => {
        for (const parser of ['strict', 'lenient'])
          if (rules.length > 0) expect(read(parser, answerBlock(rules))).toEqual(rules)
      }),
      { numRuns: 500 },
    )
  })

  it('takes hostile texts in linear time', () => {
    const hostile = [
      '```python\n'.repeat(100_000),
      `\`\`\`python\n${'replace('.repeat(120_000)})"\n\`\`\``,
      `\`\`\`python\n[${'replace("a", "b"), '.repeat(50_000)}]\n\`\`\``,
      `\`\`\`python\n${'"\'“'.repeat(300_000)}\n\`\`\``,
      `\`\`\`python\n${'['.repeat(500_000)}\n\`\`\``,
      `\`\`\`json\n${'['.repeat(500_000)}\n\`\`\``,
      `\`\`\`python\n["${'\\'.repeat(800_000)}\n\`\`\``,
      `\`\`\`python\n${'replace("'.repeat(100_000)}\n\`\`\``,
      `\`\`\`\n${' '.repeat(900_000)}a -> b\n\`\`\``,
      'replace(\u0000)\ud800 \udc00'.repeat(50_000),
    ]
    for (const text of hostile) for (const parser of Object.keys(cascadeParsers)) read(parser, text)
    expect(read('strict', hostile[2] as string)).toBe('unparsed')
    expect((read('lenient', hostile[2] as string) as unknown[]).length).toBe(1000)
  })
})

describe('Python literals', () => {
  it.each([
    ["'a' 'b'", { kind: 'text', text: 'ab' }],
    ['["a", ]', { kind: 'list', items: [{ kind: 'text', text: 'a' }] }],
    ['("a")', { kind: 'text', text: 'a' }],
    ['("a",)', { kind: 'other' }],
    ['{"a": [1, 2.5e3, None]}', { kind: 'other' }],
    ["r'\\n'", { kind: 'text', text: '\\n' }],
    ["'''a\nb'''", { kind: 'text', text: 'a\nb' }],
    ["'a\nb'", null],
    ['["a"', null],
    ['f("a")', null],
    ["'a' b'b'", null],
    ['', null],
  ])('%j', (source, expected) => {
    expect(pythonLiteral(source)).toEqual(expected)
  })
})

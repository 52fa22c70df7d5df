import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRecognizer, normalForm, printNltkGrammar, readGrammar } from '../../../src/libraries/grammars/index.ts'

const plain = (text: string, start?: string) =>
  printNltkGrammar(readGrammar(text, start === undefined ? {} : { start }).grammar)
const accepts = (text: string, ...strings: string[]) => {
  const { grammar, derivesEmpty } = normalForm(readGrammar(text).grammar)
  const recognizer = compileRecognizer(grammar)
  return strings.map((string) => (string === '' ? derivesEmpty : recognizer.acceptsText(string)))
}

describe('one language in the notation of', () => {
  const arithmetic = ['n + n', 'n * ( n + n )', '( n', 'n n', '']
  it.each([
    ['NLTK', "E -> E '+' T | T\nT -> T '*' F | F\nF -> 'n' | '(' E ')'"],
    ['arrows', "E → E '+' T\n  | T\nT → T '*' F | F\nF → 'n' | '(' E ')'"],
    [
      'BNF',
      '<expr> ::= <expr> "+" <term> | <term>\n<term> ::= <term> "*" <a factor>\n  | <a factor>\n<a factor> ::= "n" | "(" <expr> ")"',
    ],
    ['W3C', '/* sums */\nexpr ::= term ( "+" term )*\nterm ::= factor ("*" factor)*\nfactor ::= "n" | "(" expr ")"'],
    [
      'ISO',
      'expr = term, { "+", term };\nterm = a factor, { "*", a factor };\na factor = "n" | "(", expr, ")"; (* end *)',
    ],
    [
      'ISO with repeats',
      'expr = term, [ { "+", term }- ];\nterm = factor, 0 * "n", { "*", factor };\nfactor = 1 * "n" | "(", expr, ")";',
    ],
    ['Go', 'Expr = Term { "+" Term } .\nTerm = Factor { "*" Factor } .\nFactor = "n" | "(" Expr ")" .'],
    [
      'Lark',
      '%import common.WS\n%ignore WS\nN: "n"\n?start: term ("+" term)*  -> sum\n!term.2: factor | term TIMES factor\nTIMES: "*"\nfactor: N\n  | "(" start ")" -> inner // end\n',
    ],
  ])('%s', (_, text) => {
    expect(accepts(text, ...arithmetic)).toEqual([true, true, false, false, false])
  })
})

type Expression = { readonly written: string; readonly regex: string }

describe('groups, options and repeats', () => {
  const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        { written: '"a"', regex: 'a' },
        { written: "'b'", regex: 'b' },
        { written: '"a" "b"', regex: 'ab' },
      ),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([x, y]) => ({ written: `(${x.written} | ${y.written})`, regex: `(?:${x.regex}|${y.regex})` })),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([x, y]) => ({ written: `${x.written} ${y.written}`, regex: `${x.regex}${y.regex}` })),
      fc
        .tuple(tie('expression'), fc.constantFrom('*', '+', '?'))
        .map(([x, sign]) => ({ written: `(${x.written})${sign}`, regex: `(?:${x.regex})${sign}` })),
      tie('expression').map((x) => ({ written: `[${x.written}]`, regex: `(?:${x.regex})?` })),
    ),
  }))
  const strings = ['']
  for (const string of strings) if (string.length < 5) strings.push(`${string}a`, `${string}b`)

  it.each(['start ::= ', 'start: ', 'start = '])('after %j are what regular expressions make of them', (head) => {
    fc.assert(
      fc.property(expression, ({ written, regex }) => {
        const { grammar, derivesEmpty } = normalForm(readGrammar(head + written).grammar)
        const recognizer = compileRecognizer(grammar)
        const pattern = new RegExp(`^${regex}$`, 'u')
        for (const string of strings)
          expect(string === '' ? derivesEmpty : recognizer.acceptsText([...string].join(' '))).toBe(
            pattern.test(string),
          )
      }),
      { numRuns: 150 },
    )
  })

  it('have names that lead back to what the file says', () => {
    const { grammar, groups } = readGrammar('s ::= "a" ("b" | s_1)* [x]\ns_1 ::= "c"~2..3\nx ::= {"d"}')
    expect(groups).toEqual({ s_2: '("b" | s_1)*', s_3: '[x]', s_1_1: '"c"~2..3', x_1: '{"d"}' })
    const named = new Set(grammar.rules.map(({ left }) => left))
    expect([...named].sort()).toEqual(['s', 's_1', 's_1_1', 's_2', 's_3', 'x', 'x_1'])
  })
})

describe('what is not context-free rules of words', () => {
  it('is one terminal, or omitted, and named', () => {
    const text = [
      'start: NAME "=" value (sep value)* | "IF"i list{value}',
      'value: NAME | INT | OTHER',
      'sep: "," | ";" -> semicolon',
      'list{x}: x | list{x} x',
      'NAME: /[a-z]+/i',
      'WORDS: "a" | "b"',
      'PAIR: "a" "b"',
      '%import common.INT // whole numbers',
      '%ignore " "',
    ].join('\n')
    const { grammar, omitted } = readGrammar(text)
    expect(omitted).toEqual([
      'without a rule, so terminals: list{value}, INT, OTHER',
      'patterns, each one terminal: NAME, PAIR',
      'the template list{x}',
      '%import common.INT',
      '%ignore " "',
    ])
    expect(accepts(text, 'NAME = INT ; NAME', 'if list{value}')).toEqual([true, true])
    expect(grammar.rules.filter(({ left }) => left === 'WORDS')).toHaveLength(2)
  })

  it('such as ranges, classes, characters by code, exceptions and words about a pattern', () => {
    const { omitted } = readGrammar('a ::= [a-z] | [^"]+ | #x20 | "0".."9" | b - "x"\nb ::= ? any letter ?')
    expect(omitted).toEqual([
      'patterns, each one terminal: [a-z], [^"], #x20, "0".."9", ? any letter ?',
      'the exception - "x" in a',
    ])
  })

  it('and a text that is no grammar is refused at its place', () => {
    expect(() => readGrammar('')).toThrow(/line 1, column 1: expected a rule/)
    expect(() => readGrammar('a ::= "b"\nc ::= )')).toThrow(
      /line 2, column 7: expected a name, a word in quotes or a group, found \)/,
    )
    expect(() => readGrammar('FIRST(a)={b}')).toThrow(/expected a rule, found FIRST/)
  })
})

it('names with the start that is asked for', () => {
  expect(plain("A -> 'a'\nB -> A A", 'B').split('\n')[0]).toBe('%start B')
})

it('BNF without quotes has signs for words, and a name for nothing is nothing', () => {
  expect(plain('<sum> ::= <sum> + <term> | ( <sum> ) | <term>*\n<term> ::= x ;')).toBe(
    plain('sum ::= sum "+" term | "(" sum ")" | term*\nterm ::= "x"'),
  )
  expect(readGrammar('<sum> ::= <sum> + x').undefinedNames).toEqual([])
  expect(plain('S -> a S b | ε')).toBe("S -> 'a' S 'b'\nS ->")
})

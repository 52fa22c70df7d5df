import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summarizeTrace } from '../../../src/core/index.ts'
import { namedRules } from '../../../src/tasks/relic/recognize/named-rules.ts'
import { checkSteps } from '../../../src/tasks/relic/recognize/proof.ts'

const grammar = ['S -> NT0 NT2', 'NT1 -> NT0 NT2', 'NT2 -> NT1 NT0', "NT0 -> 't3'", "NT2 -> 't0'", "NT2 -> 't5'"].join(
  '\n',
)
const shared = { grammar }
const told = (line: string) => namedRules(shared, line).map(({ span, holds }) => [line.slice(...span), holds])

describe('rules that prose states', () => {
  it.each([
    ['The start rule is S -> NT0 NT2.', [['S -> NT0 NT2', true]]],
    ['- `NT0 → t3`', [['NT0 → t3', true]]],
    [String.raw`\( S \rightarrow NT0\, NT2 \)`, [[String.raw`S \rightarrow NT0\, NT2`, true]]],
    [
      "NT2 -> 't0' | 't5' | 't3'",
      [
        ["NT2 -> 't0'", true],
        ["NT2 -> 't0' | 't5'", true],
        ["NT2 -> 't0' | 't5' | 't3'", false],
      ],
    ],
    [
      "S -> NT0 NT2, NT0 -> 't3'",
      [
        ['S -> NT0 NT2', true],
        ["NT0 -> 't3'", true],
      ],
    ],
    ['NT2 -> NT0 NT1', [['NT2 -> NT0 NT1', false]]],
    ["NT44 => 't3'", [["NT44 => 't3'", false]]],
  ])('%s', (line, expected) => {
    expect(told(line)).toEqual(expected)
  })

  it.each([
    'S -> NT0 NT2 -> t3 NT2 -> t3 t0',
    'NT2 =>* t0',
    'Is there a rule S -> NT2 NT0?',
    'There is no rule S -> NT2 NT0',
    'It is false that S -> NT2 NT0',
    '`S -> NT2 NT0` is not a rule',
    'but S -> NT2 NT0 does NOT exist',
    "`NT0 -> 't5'` **is not listed**",
    'If NT0 -> t5 were there',
    'NT0 -> that token',
    'So -> No',
    'NT1 -> NT0 NT2 NT2',
    'a longer text without arrows, S NT0 NT2',
  ])('says nothing false: %s', (line) => {
    expect(told(line).filter(([, holds]) => holds === false)).toEqual([])
  })

  it('says nothing true: a rule that is there and is denied', () => {
    expect(told("NT0 -> 't3' is not in the grammar.")).toEqual([])
    // What a rule cannot do is said of one that is there.
    expect(told('S -> NT0 NT2 cannot derive t5.')).toEqual([['S -> NT0 NT2', true]])
  })

  it('a rule of the grammar holds however it is decorated, and one that is not does not', () => {
    const arrow = fc.constantFrom('->', '→', '=>', String.raw`\to`, String.raw`\rightarrow`)
    const around = fc.constantFrom(['', ''], ['`', '`'], ['**', '**'], ['$', '$'], ['(', ')'])
    const symbol = fc.constantFrom('S', 'NT0', 'NT1', 'NT2', 'NT9')
    fc.assert(
      fc.property(symbol, symbol, symbol, arrow, around, (a, b, c, to, [open, close]) => {
        const [found] = namedRules(shared, `Take ${open}${a} ${to} ${b} ${c}${close} now`)
        expect(found?.holds).toBe(grammar.includes(`${a} -> ${b} ${c}`))
        expect(found?.strangers.length !== 0).toBe([a, b, c].includes('NT9'))
      }),
    )
  })

  it('steps of prose and of our own notation stand side by side, where they are in the text', () => {
    const text = ["First, NT0 -> 't3'.", "NT2[2-2] -> 't0'", 'So S -> NT1 NT2, or NT7 -> t3.'].join('\n')
    const { steps, unknown } = checkSteps({ shared: { grammar }, given: { string: 't3 t0' } }, text)
    expect(steps.map(({ span, holds }) => [text.slice(...span), holds])).toEqual([
      ["NT0 -> 't3'", true],
      ["NT2[2-2] -> 't0'", true],
      ['S -> NT1 NT2', false],
      ['NT7 -> t3', false],
    ])
    expect(summarizeTrace({ steps, unknown }, 'Yes')).toMatchObject({
      steps: 4,
      trueSteps: 2,
      unknown: ['NT7'],
      supportsAnswer: null,
    })
  })

  it.each([
    ['NT0 -> t3, ', 1],
    ['S -> ', 0],
    ['->', 0],
    ["'t3' ", 0],
    ['A'.repeat(50), 0],
    ['NT0 -> NT0 -> ', 0],
    [String.raw`\( \to `, 0],
    ["NT2 -> 't0' | ", 1],
  ])('a long line of "%s" takes as long as it is', (piece, each) => {
    const times = 5_000
    const found = namedRules(shared, piece.repeat(times)).length
    expect(Math.abs(found - each * times)).toBeLessThanOrEqual(1)
  })
})

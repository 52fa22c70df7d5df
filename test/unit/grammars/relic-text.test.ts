import { describe, expect, it } from 'vitest'
import { parseRelicGrammar, printRelicGrammar } from '../../../src/libraries/grammars/index.ts'

const text = "S -> NT3 NT1\nS -> NT1 NT1\nNT3 -> NT1 NT3\nNT3 -> 't7'\nNT1 -> 't0'"

describe('the RELIC text form', () => {
  it('is read in order, symbols numbered by first occurrence', () => {
    expect(parseRelicGrammar(text)).toEqual({
      nonterminals: ['S', 'NT3', 'NT1'],
      terminals: ['t7', 't0'],
      binary: Int32Array.of(0, 1, 2, 0, 2, 2, 1, 2, 1),
      lexical: Int32Array.of(1, 0, 2, 1),
    })
  })

  it('comes back the same from reading and printing', () => {
    expect(printRelicGrammar(parseRelicGrammar(text))).toBe(text)
    expect(printRelicGrammar(parseRelicGrammar(`\uFEFF\n${text.replaceAll('\n', ' \r\n\r\n')}\n`))).toBe(text)
  })

  it('is printed start rules first, then binary, then lexical', () => {
    const mixed = "A -> 'x'\nA -> A A\nS -> A A"
    expect(printRelicGrammar(parseRelicGrammar(mixed))).toBe("S -> A A\nA -> A A\nA -> 'x'")
  })

  it.each([
    ['', /at least one rule/],
    ['S -> A B\nA -> B', /the rule A -> B is neither/],
    ['S -> A B C', /the rule S -> A B C is neither/],
    ["S -> 't1' A", /the rule S -> 't1' A is neither/],
    ['S ->', /the rule S -> is neither/],
    ['S A B', /line 1, column 3.*-> after/],
    ['S -> A B\nA -> S B', /the rule A -> S B has the start symbol on the right/],
    ["A -> 'x'\n\nA -> 'x'", /the rule A -> 'x' stands twice/],
    ["A -> 'x", /line 1, column 6.*not closed/],
    ["A -> ''", /no blanks/],
    ["A -> 'x y'", /no blanks/],
  ])('is refused where it is not of the form: %j', (bad, message) => {
    expect(() => parseRelicGrammar(bad)).toThrow(message)
  })

  it('reads another start symbol when told', () => {
    expect(parseRelicGrammar("Top -> A A\nA -> 'a'", { start: 'Top' }).nonterminals).toEqual(['Top', 'A'])
  })
})

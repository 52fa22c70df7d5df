import { describe, expect, it } from 'vitest'
import { GrammarSyntaxError } from '../../../src/libraries/grammars/grammar/cfg.ts'
import { parseRelicGrammar, printRelicGrammar } from '../../../src/libraries/grammars/notation/relic.ts'

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
    ['', 1, 1, 'at least one rule'],
    ['S -> A B\nA -> B', 2, 6, 'expected a second nonterminal'],
    ['S -> A B C', 1, 10, 'end of the line'],
    ["S -> 't1' A", 1, 11, 'after one terminal'],
    ['S ->', 1, 3, 'two nonterminals or one quoted terminal'],
    ['S A B', 1, 3, '-> after'],
    ['S -> A B\nA -> S B', 2, 6, 'other than the start symbol'],
    ["A -> 'x'\n\nA -> 'x'", 3, 1, 'line 1 already'],
    ["A -> 'x", 1, 6, 'not closed'],
    ['S -> A (B)', 1, 8, 'operator ('],
    ['S -> A | B', 1, 8, 'second nonterminal'],
    ["'a' -> A B", 1, 1, 'a nonterminal on the left'],
    ["A -> ''", 1, 6, 'without blanks'],
    ['S -> A \u0007', 1, 8, 'unexpected character'],
  ])('reports %j at its line and column', (bad, line, column, message) => {
    let error: unknown
    try {
      parseRelicGrammar(bad)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(GrammarSyntaxError)
    expect(error).toMatchObject({ line, column })
    expect((error as Error).message).toContain(message)
  })

  it('reads another start symbol when told', () => {
    expect(parseRelicGrammar("Top -> A A\nA -> 'a'", { start: 'Top' }).nonterminals).toEqual(['Top', 'A'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bestDerivation,
  copy,
  counting,
  dyck,
  mirror,
  type PaperGrammar,
  type Pcfg,
  paperGrammar,
  paperGrammars,
  parsePcfg,
  sampleDerivation,
  yieldOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { plainBestDerivation } from './best-derivation.ts'
import { anyGrammar, testStream } from './support.ts'

const same = (grammar: Pcfg, tokens: readonly number[]) =>
  expect(bestDerivation(grammar, tokens)).toEqual(plainBestDerivation(grammar, tokens))

describe('the best derivation is the plain one, ties included', () => {
  it('any grammar, strings of it and others', () => {
    fc.assert(
      fc.property(anyGrammar, fc.array(fc.nat(2), { maxLength: 9 }), fc.nat(), (grammar, drawn, seed) => {
        same(
          grammar,
          drawn.map((token) => token % grammar.terminals.length),
        )
        const sampled = yieldOf(grammar, sampleDerivation(grammar, testStream(seed))) ?? []
        if (sampled.length <= 12) same(grammar, sampled)
      }),
      { numRuns: 400 },
    )
  })

  const classes: Readonly<Record<string, Pcfg>> = {
    ...Object.fromEntries(
      Object.keys(paperGrammars).map((name) => [name, paperGrammar(name as PaperGrammar)] as const),
    ),
    'dyck-2': dyck(2),
    counting: counting(),
    copy: copy(4),
    mirror: mirror(),
  }
  it.each(Object.entries(classes))('%s', (_, grammar) => {
    for (let seed = 0; seed < 4; seed++) {
      const tokens = yieldOf(grammar, sampleDerivation(grammar, testStream(seed))) ?? []
      if (tokens.length > 50) continue
      same(grammar, tokens)
      same(grammar, tokens.slice(1))
      same(grammar, tokens.with(-1, 0))
    }
  })

  it('of equal ways the shortest first part, of equal rules the one printed first', () => {
    const ways = parsePcfg(
      "S -> A A A [1/2] | A B A [1/2]\nA -> 'a' [1/2] | 'a' 'a' [1/2]\nB -> 'a' [1/2] | 'a' 'a' [1/2]",
    )
    for (let length = 3; length <= 6; length++)
      same(
        ways,
        Array.from({ length }, () => 0),
      )
    expect(bestDerivation(ways, [0, 0, 0, 0])).toEqual([0, 2, 2, 3])
  })

  it('long strings whose probability is below the least double', () => {
    const rare = parsePcfg(
      "S -> 'a' S [1/1000] | 'a' A [1/1000] | 'b' [998/1000]\nA -> 'a' S [1/1000] | 'b' [999/1000]",
    )
    same(rare, [...Array.from({ length: 60 }, () => 0), 1])
    for (const length of [61, 63, 64, 65]) same(rare, [...Array.from({ length }, () => 0), 1])
  })
})

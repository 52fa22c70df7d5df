import { describe, expect, it } from 'vitest'
import { type Cnf, compileRecognizer, parseAnalyzer, trim } from '../../../src/libraries/grammars/index.ts'
import { checkClosedChart, checkDerivation } from '../../../src/libraries/grammars/witness/checks.ts'
import { sample } from '../../nightly.ts'
import { cykAccepts } from './cyk.ts'
import { earleyAccepts } from './earley-accepts.ts'
import { strings, subsets } from './enumerate.ts'
import { kernelVersions } from './kernel-versions.ts'
import { cnf } from './random-cnf.ts'

const bits = [0, 1]
const rules = [
  ...bits.flatMap((a) => bits.flatMap((b) => bits.map((c) => [a, b, c]))),
  ...bits.flatMap((a) => bits.map((t) => [a, t])),
]
/** Every grammar with at most 2 nonterminals, 2 terminals and 4 rules: 794, the start symbol allowed anywhere. */
const world: readonly Cnf[] = [...subsets(rules, 4)].map((some) =>
  cnf(
    2,
    2,
    some.filter((rule) => rule.length === 3),
    some.filter((rule) => rule.length === 2),
  ),
)
const longest = sample({ nightly: 6, otherwise: 5 })
const all = Array.from({ length: longest }, (_, i) => [...strings(2, i + 1)]).flat()

describe(`all grammars of the small world, all strings to length ${longest}`, () => {
  it('are recognised alike by the end-mask kernels, CYK, Earley and exact parse counts', () => {
    const wrong: unknown[] = []
    let members = 0
    for (const grammar of world) {
      const recognizer = compileRecognizer(grammar)
      const { 'shared, one word': oneWord, 'shared, many words': manyWords } = kernelVersions(grammar)
      const earley = earleyAccepts(grammar)
      const analyzer = parseAnalyzer(grammar)
      for (const tokens of all) {
        const count = analyzer.countExactly(tokens)
        const rounded = analyzer.count(tokens)
        const answers = [
          cykAccepts(grammar, tokens),
          recognizer.accepts(tokens),
          recognizer.acceptsText(tokens.map((t) => grammar.terminals[t]).join(' ')),
          oneWord(tokens),
          manyWords(tokens),
          earley(tokens),
          count > 0n,
        ]
        if (answers.some((answer) => answer !== answers[0])) wrong.push({ grammar, tokens, answers })
        if (rounded.exact !== true || BigInt(rounded.mantissa) !== count) wrong.push({ grammar, tokens, count })
        if (answers[0]) members++
      }
    }
    expect(wrong).toEqual([])
    expect(world).toHaveLength(794)
    expect(members).toBe(sample({ nightly: 4712, otherwise: 2878 }))
  })

  it('are each proved: members by a derivation, the others by a closed chart', () => {
    const wrong: unknown[] = []
    for (const grammar of world) {
      const analyzer = parseAnalyzer(grammar)
      for (const tokens of all) {
        const derivation = analyzer.derivation(tokens)
        const spans = analyzer.chart(tokens).cells()
        const proved =
          derivation === null ? checkClosedChart(grammar, tokens, spans) : checkDerivation(grammar, tokens, derivation)
        const alsoOther = derivation !== null && checkClosedChart(grammar, tokens, spans)
        if (!proved || alsoOther) wrong.push({ grammar, tokens })
      }
    }
    expect(wrong).toEqual([])
  })

  it('keep their language when trimmed, and have nothing left just where there are no strings', () => {
    for (const grammar of world) {
      const members = all.filter((tokens) => cykAccepts(grammar, tokens))
      const trimmed = trim(grammar)
      expect(trimmed === null).toBe(members.length === 0)
      if (trimmed === null) continue
      expect(trim(trimmed)).toEqual(trimmed)
      const recognizer = compileRecognizer(trimmed)
      const texts = members.map((tokens) => tokens.map((t) => grammar.terminals[t]).join(' '))
      expect(texts.filter((text) => !recognizer.acceptsText(text))).toEqual([])
      const others = all.filter((tokens) => !cykAccepts(grammar, tokens))
      expect(
        others.filter((tokens) => recognizer.acceptsText(tokens.map((t) => grammar.terminals[t]).join(' '))),
      ).toEqual([])
    }
  })
})

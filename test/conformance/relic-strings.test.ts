import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adjacency, bigramVerdict } from '../../src/libraries/grammars/grammar/adjacency.ts'
import { grammarStatistics, grammarStructure } from '../../src/libraries/grammars/grammar/statistics.ts'
import {
  type Cnf,
  compileRecognizer,
  parseAnalyzer,
  parseRelicGrammar,
  printRelicGrammar,
  trim,
} from '../../src/libraries/grammars/index.ts'
import { checkForbiddenToken } from '../../src/libraries/grammars/witness/checks.ts'
import { canonical } from '../../src/libraries/graphs/canonical.ts'
import { cykAccepts } from '../unit/grammars/cyk.ts'
import { earleyAccepts } from '../unit/grammars/earley-accepts.ts'
import { kernelVersions } from '../unit/grammars/kernel-versions.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared')
const root = join(shared, 'data/relic-500-sample/data/grammars')
const present = existsSync(root)

interface Sample {
  readonly text: string
  readonly positive: boolean
  readonly parses: string
}

const grammars = (present ? readdirSync(root) : []).map((name) => {
  const read = (file: string) => readFileSync(join(root, name, file), 'utf8')
  const [header = '', ...rows] = read('filtered_samples.csv').trimEnd().split(/\r?\n/)
  const column = (row: string, wanted: string) => row.split(',')[header.split(',').indexOf(wanted)] ?? ''
  const samples = rows.map(
    (row): Sample => ({
      text: column(row, 'sample'),
      positive: column(row, 'type') === 'positive',
      parses: column(row, 'num_parses'),
    }),
  )
  const text = read(`${name}.cfg`)
  return { name, text, grammar: parseRelicGrammar(text), samples, stored: JSON.parse(read('grammar_stats.json')) }
})

/** Every token is one of the grammar's. */
const tokensOf = (grammar: Cnf, text: string): number[] =>
  text.split(' ').map((name) => {
    const token = grammar.terminals.indexOf(name)
    if (token < 0) throw new Error(`no token ${name}`)
    return token
  })

describe.skipIf(!present)('the released RELIC strings (skipped where the data is not there)', () => {
  it('are 7172 strings of 12 grammars', () => {
    expect(grammars.length).toBe(12)
    expect(grammars.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(7172)
  })

  it('come with grammars that print as they were read, are trimmed, and have the stored statistics', () => {
    for (const { text, grammar, stored } of grammars) {
      expect(printRelicGrammar(grammar)).toBe(text)
      expect(trim(grammar)).toEqual(grammar)
      expect(grammarStatistics(grammar)).toEqual({
        terminals: stored.n_terminals,
        nonterminals: stored.n_nonterminals,
        lexical: stored.n_lexical_productions,
        nonlexical: stored.n_nonlexical_productions,
      })
    }
  })

  it('have the released labels by the recogniser, all versions of its kernel, parse counts and (every fifth) CYK and Earley', () => {
    const wrong: unknown[] = []
    for (const { name, grammar, samples } of grammars) {
      const recognizer = compileRecognizer(grammar)
      const tables = adjacency(grammar)
      const versions = Object.values(kernelVersions(grammar))
      const analyzer = parseAnalyzer(grammar)
      const earley = earleyAccepts(grammar)
      for (const [index, { text, positive }] of samples.entries()) {
        const tokens = tokensOf(grammar, text)
        const answers = [
          recognizer.acceptsText(text),
          recognizer.accepts(tokens),
          ...versions.map((accepts) => bigramVerdict(tables, tokens).kind === 'legal' && accepts(tokens)),
          analyzer.count(tokens).mantissa > 0,
          ...(index % 5 === 0 ? [cykAccepts(grammar, tokens), earley(tokens)] : []),
        ]
        if (answers.some((answer) => answer !== positive)) wrong.push({ name, text, positive, answers })
      }
    }
    expect(wrong).toEqual([])
  })

  it('have the stored parse counts, 60 of them', () => {
    let counts = 0
    for (const { grammar, samples } of grammars) {
      const analyzer = parseAnalyzer(grammar)
      for (const { text, parses } of samples) {
        if (parses === '') continue
        const tokens = tokensOf(grammar, text)
        counts++
        expect(analyzer.countExactly(tokens)).toBe(BigInt(Math.round(Number(parses))))
      }
    }
    expect(counts).toBe(60)
  })

  it('pass the bigram test when positive; negatives that fail it fail where the checker says', () => {
    const figures: Record<string, number> = {}
    for (const { name, grammar, samples } of grammars) {
      const tables = adjacency(grammar)
      let passing = 0
      for (const [index, { text, positive }] of samples.entries()) {
        const tokens = tokensOf(grammar, text)
        const verdict = bigramVerdict(tables, tokens)
        if (positive) expect({ text, verdict }).toEqual({ text, verdict: { kind: 'legal' } })
        if ('at' in verdict) {
          if (index % 7 === 0) expect(checkForbiddenToken(grammar, tokens, verdict.at)).toBe(true)
        }
        if (!positive && verdict.kind === 'legal') passing++
      }
      figures[name] = passing
    }
    // Negatives of each grammar that pass it.
    expect(figures).toMatchInlineSnapshot(`
      {
        "grammar_20250223120810": 0,
        "grammar_20250415145607_544790": 5,
        "grammar_20250415162504_999706": 2,
        "grammar_20250415162506_941312": 499,
        "grammar_20250415190222_227353": 227,
        "grammar_20250419114156_644286": 0,
        "grammar_20250419122213_213685": 500,
        "grammar_20250419124649_259057": 452,
        "grammar_20250419130804_281136": 135,
        "grammar_20250419174513_610479": 500,
        "grammar_20250420092408_878116": 500,
        "grammar_20250420092419_778939": 411,
      }
    `)
  })

  it('have grammars with canonical forms of their own that survive renaming and shuffling', () => {
    const forms = new Set<string>()
    for (const { grammar } of grammars) {
      const found = canonical('relic/grammar', grammarStructure(grammar))
      expect(found.form).not.toBeNull()
      forms.add(found.form as string)
      const N = grammar.nonterminals.length
      const T = grammar.terminals.length
      // Multipliers prime to every size turn numbers around without a table.
      const symbol = (a: number) => (a === 0 ? 0 : 1 + (((a - 1) * 10007) % (N - 1)))
      const renamed = {
        nonterminals: grammar.nonterminals,
        terminals: grammar.terminals,
        binary: grammar.binary.map(symbol),
        lexical: grammar.lexical.map((value, at) => (at % 2 === 0 ? symbol(value) : (value * 10007) % T)),
      }
      const backwards = (flat: Int32Array, width: number) =>
        Int32Array.from(
          flat,
          (_, at) => flat[flat.length - width * (Math.floor(at / width) + 1) + (at % width)] as number,
        )
      const shuffled = { ...renamed, binary: backwards(renamed.binary, 3), lexical: backwards(renamed.lexical, 2) }
      expect(canonical('relic/grammar', grammarStructure(shuffled)).form).toBe(found.form)
    }
    expect(forms.size).toBe(12)
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFeature } from '../../src/datasets/audit/measure.ts'
import { type Blocks, blocksOf, moments, numbered, twoClass, zOf } from '../../src/datasets/audit/statistic.ts'
import { adjacency, bigramVerdict } from '../../src/libraries/grammars/grammar/adjacency.ts'
import { parseRelicGrammar } from '../../src/libraries/grammars/index.ts'

/** The audit's statistic on the published strings of 12 grammars. */

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared')
const folder = join(shared, 'data/relic-500-sample/data/grammars')

interface Row {
  readonly grammar: string
  readonly tokens: readonly string[]
  readonly positive: boolean
  readonly legal: boolean
}

function rowsOf(grammar: string): Row[] {
  const cnf = parseRelicGrammar(readFileSync(join(folder, grammar, `${grammar}.cfg`), 'utf8'))
  const tables = adjacency(cnf)
  const number = new Map(cnf.terminals.map((terminal, t) => [terminal, t]))
  const [head, ...lines] = readFileSync(join(folder, grammar, 'filtered_samples.csv'), 'utf8')
    .trim()
    .split('\n')
  const kind = (head as string).split(',').indexOf('type')
  return lines.map((line) => {
    const fields = line.split(',')
    const tokens = (fields[0] as string).split(' ')
    const codes = tokens.map((token) => number.get(token) ?? -1)
    return {
      grammar,
      tokens,
      positive: fields[kind] === 'positive',
      legal: bigramVerdict(tables, codes).kind === 'legal',
    }
  })
}

describe.skipIf(!existsSync(folder))(
  'the audit statistic on released strings (skipped where ../shared is absent)',
  () => {
    const rows = existsSync(folder) ? readdirSync(folder).flatMap(rowsOf) : []
    const positive = Uint8Array.from(rows, (row) => (row.positive ? 1 : 0))
    const inGrammar = blocksOf(rows.map(({ grammar }) => grammar))
    const inLength = blocksOf(rows.map(({ grammar, tokens }) => `${grammar} ${tokens.length}`))
    const numbers = (feature: (row: Row) => number) => Float64Array.from(rows, feature)
    /** The statistic of the feature's own values; the battery scores direct features by their ranks. */
    const z = (values: Float64Array, blocks: Blocks): string =>
      zOf(moments(twoClass(values, positive), blocks)).toFixed(1)

    it('reads 7,172 strings of 12 grammars, 1,173 of them positive', () => {
      expect(new Set(rows.map(({ grammar }) => grammar)).size).toBe(12)
      expect([rows.length, rows.filter((row) => row.positive).length]).toEqual([7172, 1173])
    })

    it('finds length inside grammar: Z = -22.1', () => {
      const length = numbers(({ tokens }) => tokens.length)
      expect(z(length, inGrammar)).toBe('-22.1')
      const grammars = numbered(rows.map(({ grammar }) => grammar))
      expect(testFeature('length', length, positive, inGrammar, grammars).test.z).toBeCloseTo(-22.7, 1)
    })

    it('finds the legal-bigram rule: 42.3 inside grammar, 28.6 inside grammar and length', () => {
      const legal = numbers((row) => (row.legal ? 1 : 0))
      expect([z(legal, inGrammar), z(legal, inLength)]).toEqual(['42.3', '28.6'])
      const negatives = rows.filter((row) => !row.positive)
      const rejected = negatives.filter((row) => !row.legal).length
      expect(((100 * rejected) / negatives.length).toFixed(1)).toBe('46.1')
      expect(rows.filter((row) => row.positive && !row.legal)).toEqual([])
    })

    it('finds the share of unique tokens inside grammar and length (-12.6), and hardly adjacent repeats (1.9)', () => {
      expect(
        z(
          numbers(({ tokens }) => new Set(tokens).size / tokens.length),
          inLength,
        ),
      ).toBe('-12.6')
      const repeats = ({ tokens }: Row) => tokens.filter((token, i) => i > 0 && token === tokens[i - 1]).length
      expect(
        z(
          numbers((row) => repeats(row) / row.tokens.length),
          inLength,
        ),
      ).toBe('1.9')
    })
  },
)

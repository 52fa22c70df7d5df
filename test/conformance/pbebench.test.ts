import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Estimate, type FileTree, type Imported, Sfc32 } from '../../src/core/index.ts'
import {
  bfccDag,
  cascadeCategory,
  categoryCode,
  type Rule,
  runCascade,
  traceCascade,
} from '../../src/libraries/rewriting/index.ts'
import { mean, passAtK } from '../../src/libraries/statistics/index.ts'
import { distributions, spreadOf } from '../../src/tasks/pbebench/distributions.ts'
import { importInduce, importReorder } from '../../src/tasks/pbebench/import/released-items.ts'
import { importSoundChange, importSoundLaws, readWordLists } from '../../src/tasks/pbebench/import/sound-laws.ts'
import { induce } from '../../src/tasks/pbebench/induce/task.ts'
import { ordersTo, outcomes } from '../../src/tasks/pbebench/reorder/orders.ts'
import { firstSwap, inverse } from '../../src/tasks/pbebench/reorder/scramble.ts'
import { cascadeSearch } from '../../src/tasks/pbebench/search/search.ts'
import { soundChange } from '../../src/tasks/pbebench/sound-change/task.ts'
import { soundLaws } from '../../src/tasks/pbebench/sound-laws/task.ts'
import { nightly, sample } from '../nightly.ts'
import { importTexts } from '../unit/importing.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared')
const root = join(shared, 'data/pbebench-sample/data')
const present = existsSync(root)

interface Published {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly programs: readonly string[]
  readonly bfcc_dag: readonly (readonly [number, readonly string[], number])[]
  readonly bfcc_category: string
  readonly cascade_length: number
}

const lines = <T>(name: string): T[] =>
  readFileSync(join(root, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

const rule = (program: string): Rule => {
  const match = /^replace\("(.*)", "(.*)"\)$/.exec(program)
  if (match === null) throw new Error(`not a published program: ${program}`)
  return [match[1] as string, match[2] as string]
}

// Whole published sets are counted; golden items hold the presets meanwhile.
describe.skipIf(!present || !nightly)(
  'the presets and the published sets (nightly; skipped where ../shared is absent)',
  () => {
    const cascadesOf = (name: string) =>
      lines<Published>(name).map(({ inputs, programs }) => ({ inputs, rules: programs.map(rule) }))
    let rows: readonly { readonly [key: string]: unknown }[] = []
    // Five pairs an item of the small set: 200 items.
    beforeAll(() => {
      rows = distributions({ steps: 1000 }).tables[0]?.rows ?? []
    })
    const row = (set: string, statistic: string) =>
      rows.find((one) => one['set'] === set && one['statistic'] === statistic)

    it('the numbers of the records are those of the files', () => {
      for (const [set, name, of] of [
        ['PBEBench-Lite', 'adaptive_balanced_1008_complete.jsonl', ''],
        ['PBEBench', 'adaptive_balanced_64_hard_50_inputs_20_cascade_bbr.jsonl', ', 20 rules'],
      ] as const)
        for (const [statistic, value] of spreadOf(cascadesOf(name)))
          expect(row(set, `${statistic}${of}`)?.['records'], statistic).toBeCloseTo((value as Estimate).value, 4)
      const stored = JSON.parse(
        readFileSync(join(root, 'adaptive_balanced_1008_permutation_promptsfile.stats.json'), 'utf8'),
      ) as { valid_permutations: number; solution_counts: { 1: number }; by_cascade_length: { 2: number } }
      expect(row('PBEBench-Lite-Perm', 'items')?.['records']).toBe(stored.valid_permutations)
      expect(row('PBEBench-Lite-Perm', 'items with one right order')?.['records']).toBe(stored.solution_counts[1])
      expect(row('PBEBench-Lite-Perm', 'items of 2 rules, share')?.['records']).toBeCloseTo(
        stored.by_cascade_length[2] / stored.valid_permutations,
        4,
      )
    })

    it('the small preset has the letters, changed words and left sides of its records, and the words of the paper', () => {
      const records = new Map(spreadOf(cascadesOf('adaptive_balanced_1008_complete.jsonl')) as [string, Estimate][])
      for (const [statistic, there] of records) {
        const here = row('PBEBench-Lite', statistic)?.['preset'] as Estimate
        const half = ({ low, high }: Estimate) => (high - low) / 2
        const noise = Math.hypot(half(here), half(there)) / 1.96
        expect(Math.abs(here.value - there.value), statistic).toBeLessThan(3 * noise)
      }
      const preset = row('PBEBench-Lite', 'words that a rule changes, mean')?.['preset'] as Estimate
      expect(Math.abs(preset.value - 1.56)).toBeLessThan(0.15)
      // The released sampler's would be told apart.
      const released = induce.configure(induce.presets['pbebench-lite-released']?.config ?? {})
      expect(records.get('left sides of one letter, share')?.value).toBeGreaterThan(0.75)
      expect(released).toMatchObject({ leftSides: 'intermediate', sampler: 'published' })
    })
  },
)

describe.skipIf(!present)('the published cascades (skipped where ../shared is absent)', () => {
  const records = present
    ? [
        ...lines<Published>('adaptive_balanced_1008_complete.jsonl'),
        ...lines<Published>('adaptive_balanced_64_hard_50_inputs_20_cascade_bbr.jsonl'),
      ]
    : []

  it('reproduce their outputs, and every rule changes a word: 114 of 114', () => {
    const right = records.filter((record) => {
      const rules = record.programs.map(rule)
      const trace = traceCascade(record.inputs, rules)
      return (
        JSON.stringify(runCascade(record.inputs, rules)) === JSON.stringify(record.outputs) &&
        trace.every((state, k) => k === 0 || JSON.stringify(state) !== JSON.stringify(trace[k - 1]))
      )
    })
    expect([right.length, records.length]).toEqual([114, 114])
  })

  it('have the stored graphs and categories under the released detector: 114 of 114', () => {
    for (const record of records) {
      const rules = record.programs.map(rule)
      expect(bfccDag(rules, 'paper')).toEqual(record.bfcc_dag)
      expect(categoryCode(cascadeCategory(rules, 'paper'))).toBe(record.bfcc_category)
    }
  })

  it('change category under the exact definition in 12 of the first 112', () => {
    const lite = records.slice(0, 112).map(({ programs }) => programs.map(rule))
    const differ = lite.filter((rules) => cascadeCategory(rules, 'paper') !== cascadeCategory(rules, 'exact'))
    expect(differ.length).toBe(12)
    const count = (labels: readonly string[], label: string) => (labels.includes(label) ? 1 : 0)
    const tally = { falseFeeding: 0, missedFeeding: 0, falseBleeding: 0, missedBleeding: 0 }
    for (const rules of lite) {
      const [paper, exact] = [bfccDag(rules, 'paper'), bfccDag(rules, 'exact')]
      for (const [k, edge] of paper.entries()) {
        const truth = exact[k]?.[1] ?? []
        tally.falseFeeding += Math.max(0, count(edge[1], 'F') - count(truth, 'F'))
        tally.missedFeeding += Math.max(0, count(truth, 'F') - count(edge[1], 'F'))
        tally.falseBleeding += Math.max(0, count(edge[1], 'B') - count(truth, 'B'))
        tally.missedBleeding += Math.max(0, count(truth, 'B') - count(edge[1], 'B'))
      }
    }
    expect(tally).toEqual({ falseFeeding: 3, missedFeeding: 0, falseBleeding: 0, missedBleeding: 11 })
  })
})

interface Permuted {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly original_programs: readonly string[]
  readonly permutation: readonly number[]
  readonly ground_truth_order: readonly number[]
  readonly num_valid_solutions: number
}

describe.skipIf(!present)('the published permutations (skipped where ../shared is absent)', () => {
  const records = present ? lines<Permuted>('adaptive_balanced_1008_permutation_promptsfile.jsonl') : []

  it('come out of the swap heuristic, with the stored numbers of valid orders: 7 of 7', () => {
    expect(records.length).toBe(7)
    for (const record of records) {
      const rules = record.original_programs.map(rule)
      const differs = (order: readonly number[]) =>
        runCascade(
          record.inputs,
          order.map((k) => rules[k] as Rule),
        ).some((word, i) => word !== record.outputs[i])
      const swapped = firstSwap(rules, 'paper', differs)
      expect(swapped).toEqual(record.permutation)
      expect(inverse(swapped ?? [])).toEqual(record.ground_truth_order)
      expect(ordersTo(record.outputs, outcomes(record.inputs, rules))).toBe(record.num_valid_solutions)
    }
  })
})

/** The sample folder as importers see it. */
const tree: FileTree = {
  async *list() {
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(root, name)).isFile()) yield { path: name, bytes: statSync(join(root, name)).size }
  },
  async *text(path) {
    const text = readFileSync(join(root, path), 'utf8')
    for (let at = 0; at < text.length; at += 10_000) yield text.slice(at, at + 10_000)
  },
}

const collect = async (source: AsyncIterable<Imported>): Promise<Imported[]> => {
  const out: Imported[] = []
  for await (const entry of source) out.push(entry)
  return out
}

describe.skipIf(!present)('the importers (skipped where ../shared is absent)', () => {
  it.each([
    ['cascades', importInduce, 114],
    ['permutations', importReorder, 7],
    ['word lists', importSoundLaws, 21],
  ] as const)('read all published %s without a problem', async (_, importer, count) => {
    const entries = await collect(importer.read(tree))
    expect(entries.filter(({ kind }) => kind === 'problem')).toEqual([])
    expect(entries.filter(({ kind }) => kind === 'item').length).toBe(count)
  })

  it('report what is wrong with a file, by line', async () => {
    const path = 'data/adaptive_balanced_broken.jsonl'
    const broken = [
      '{"inputs": ["ab"], "outputs": ["b"], "programs": ["replace(\\"a\\", \\"c\\")"], "bfcc_category": "1000"}\n',
      '\nno json\n{"inputs": 3}\n[]\nnull',
    ]
    const problems = (await importTexts(importInduce, { [path]: broken.join('') })).flatMap((e) =>
      e.kind === 'problem' ? [[e.line, e.problem]] : [],
    )
    expect(problems).toEqual([
      [1, 'outputs'],
      [1, 'category'],
      [3, 'malformed'],
      [4, 'malformed'],
      [5, 'malformed'],
      [6, 'malformed'],
    ])
  })
})

describe.skipIf(!present)('the published word lists (skipped where ../shared is absent)', () => {
  it('hold the published numbers of words, unchanged words and chunks', async () => {
    const lists = await readWordLists(tree)
    const facts = Object.fromEntries(
      lists.map(({ name, pairs }) => [
        name,
        [
          pairs.length,
          pairs.filter(([a, b]) => a === b).length,
          Math.max(...pairs.map(([a]) => [...a].length)),
          Math.max(...pairs.map(([, b]) => [...b].length)),
        ],
      ]),
    )
    expect(facts).toEqual({
      atr_hawaiian: [112, 13, 10, 11],
      atr_niue: [133, 78, 10, 10],
      atr_rarotongan: [126, 38, 10, 9],
      atr_samoan: [154, 58, 12, 13],
      atr_tongan: [128, 82, 10, 10],
      ptk_huishu: [221, 22, 6, 6],
    })
  })

  it('are solved by the search in every chunk: 21 of 21, within 50 rules of sides up to 5', async () => {
    const languages = await readWordLists(tree)
    const config = soundLaws.configure({
      languages: languages.map(({ name, pairs }) => ({ name, pairs })),
      order: 'file',
    })
    const source = soundLaws.source(config, { split: 'test', seed: 1 })
    expect(source.layout.size).toBe(21)
    for (let index = 0; index < 21; index++) {
      const item = source.item(index)
      expect(item.kind).toBe('item')
      if (item.kind === 'item')
        expect(soundLaws.oracle({ shared: item.shared, given: item.given }, item.answer)).toBe(true)
    }
  })
})

describe.skipIf(!present)(
  'published words as sound laws between natural classes (skipped where ../shared is absent)',
  () => {
    const itemsOfLaws = async () => {
      const entries: Imported[] = []
      for await (const entry of importSoundChange.read(tree)) entries.push(entry)
      return entries.flatMap((entry) => (entry.kind === 'item' ? [entry] : []))
    }
    const gradeOf = (item: { readonly given: unknown; readonly answer: unknown }, laws: readonly string[]) =>
      soundChange.grade?.(item as never, { laws: [laws] } as never) ?? { value: Number.NaN, parts: {} }

    it('lose no word: six items with source and licence, a third of the words kept', async () => {
      const items = await itemsOfLaws()
      const words = items.map(({ features }) => Number(features['words']) + Number(features['unseen']))
      expect(words).toEqual([112, 133, 126, 154, 128, 221])
      for (const { features } of items)
        expect([features['source'], features['licence']]).toEqual([
          expect.stringMatching(/PBEBench.*(?:atr|ptk)_/u),
          expect.stringMatching(/CC BY-SA 4\.0/u),
        ])
    })

    it('obey the laws that are known in six or seven words of ten, and in their order only', async () => {
      const shares = (await itemsOfLaws()).map((item) => {
        const { laws } = item.answer as unknown as { readonly laws: readonly (readonly string[])[] }
        const share = (list: readonly string[]) => {
          const { value, parts } = gradeOf(item, list)
          const [shown, unseen] = [Number(item.features['words']), Number(item.features['unseen'])]
          return (value * unseen + (parts?.['shown'] ?? 0) * shown) / (shown + unseen)
        }
        const [known = []] = laws
        return [share(known), share(known.toReversed()), share([])].map((one) => Math.round(one * 100))
      })
      expect(shares).toEqual([
        [64, 25, 12],
        [71, 71, 59],
        [65, 53, 30],
        [66, 51, 38],
        [73, 73, 64],
        [10, 10, 10],
      ])
    })

    it('give them away to the shortest description: all of three languages in the known order, most of Hawaiian', async () => {
      const asked = sample({ nightly: 5, otherwise: 1 })
      const found = (await itemsOfLaws()).slice(0, asked).map((item) => {
        const search = soundChange.baselines?.['shortest-description']
        const text = search?.kind === 'chat' ? search.answer(item as never, undefined as never) : ''
        const read = soundChange.parsers?.strict(text, item as never)
        const [laws = []] =
          read?.kind === 'extracted' ? (read.answer as unknown as { laws: readonly (readonly string[])[] }).laws : []
        const { value, parts } = gradeOf(item, laws)
        return [value, parts?.['found'] ?? 0, parts?.['order'] ?? 1] as const
      })
      expect(found.map(([value]) => Math.round(value * 100))).toEqual([57, 64, 60, 59, 79].slice(0, asked))
      expect(found.map(([, share]) => share)).toEqual([0.75, 0.5, 1, 1, 1].slice(0, asked))
      expect(found.map(([, , order]) => order)).toEqual([1, 1, 1, 1, 1].slice(0, asked))
      if (asked === 5) expect(mean(found.map(([value]) => value))).toBeGreaterThan(0.631)
    }, 120_000)
  },
)

describe.skipIf(!present)('the cascade search on published items (skipped where ../shared is absent)', () => {
  it('solves 112 of 112 small records within five rules, and both of 20 rules', () => {
    const small = lines<Published>('adaptive_balanced_1008_complete.jsonl')
    const large = lines<Published>('adaptive_balanced_64_hard_50_inputs_20_cascade_bbr.jsonl')
    const solved = (record: Published, rules: number, letters: string, k: number) =>
      cascadeSearch({ ...record, rules, side: 3, letters }, new Sfc32(k, 1, 2, 3), { steps: 100_000 }).solved
    expect(small.filter((record, k) => solved(record, 5, 'abcdefghijkuvwxyz', k)).length).toBe(112)
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
    expect(large.filter((record, k) => solved(record, 20, letters, k)).length).toBe(2)
  })
})

describe('published tables from the solved counts', () => {
  const mean = (counts: readonly number[], n: number, k: number) => {
    const items = counts.reduce((sum, x) => sum + x, 0)
    return counts.reduce((sum, times, c) => sum + times * passAtK(n, c, k), 0) / items
  }

  it('Table 23: 20 rules, 8 samples', () => {
    const counts = [36, 10, 5, 4, 2, 4, 2, 1, 0]
    const published = [0.1543, 0.2416, 0.2974, 0.3377, 0.3694, 0.3956, 0.418, 0.4375]
    for (const [k, value] of published.entries()) expect(mean(counts, 8, k + 1)).toBeCloseTo(value, 3)
  })

  it('Table 22: 25 and 30 rules, 4 samples', () => {
    const published = { 25: [0.0547, 0.0911, 0.1172, 0.1406], 30: [0.0117, 0.0234, 0.0351, 0.0469] }
    for (const [k, value] of published[25].entries()) expect(mean([55, 6, 1, 2, 0], 4, k + 1)).toBeCloseTo(value, 3)
    for (const [k, value] of published[30].entries()) expect(mean([61, 3, 0, 0, 0], 4, k + 1)).toBeCloseTo(value, 3)
  })
})

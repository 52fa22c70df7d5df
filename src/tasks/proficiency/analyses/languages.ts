import { type Analysis, column, type Estimate, type Figure, type Frame, type Table } from '../../../core/index.ts'
import {
  type Constituent,
  constituents,
  derivationalEntropy,
  expectedLength,
  heights,
  lengthDistribution,
  type Pcfg,
  plainlyUnambiguous,
  printPcfg,
  sampleDerivation,
  sampledAmbiguity,
  sampledEntropy,
  wholeLanguage,
  yieldOf,
} from '../../../libraries/grammars/pcfg/index.ts'
import { analysisStream } from '../../../libraries/statistics/index.ts'
import { namedGrammar } from '../languages/make.ts'
import { languageNames } from '../languages/spec.ts'
import { curvesOf, estimate, needs, number, text } from './cells.ts'

type Rows = readonly { readonly [key: string]: string | number | null | boolean | Estimate }[]

/** The preset languages of a run: those whose grammar the name tells. */
function presetsOf(frame: Frame): { readonly name: string; readonly grammar: Pcfg }[] {
  const { levels } = frame.category('feature_language')
  return languageNames.filter((name) => levels.includes(name)).map((name) => ({ name, grammar: namedGrammar(name) }))
}

/** Figures 1 and 6 to 10: the rules, two grammars side by side. */
export const grammarTables: Analysis = {
  id: 'proficiency/grammars',
  title: 'The grammars',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figures 1 and 6-10' },
  notes: [
    'Preset languages only. Rules as printed: a rule printed twice counts twice. Side by side where a grammar is printed beside another in the paper.',
    'Quantities are exact for finite languages, and for infinite ones whose rules say that a string has one derivation; for others the entropy is sampled, with its standard error, and ambiguity is looked for in the same number of strings.',
    'Figure 1 shows another grammar than figure 6, though both are called G1: preset g1-figure-1.',
  ],
  needs: ['feature_language'],
  run(frame, { seed }) {
    const presets = presetsOf(frame)
    const partners = [
      ['g1', 'g2'],
      ['g3', 'g4'],
      ['g5', 'g6'],
      ['g7', 'g8'],
    ] as const
    const find = (name: string) => presets.find((preset) => preset.name === name)
    const shown = new Set<string>()
    const tables: Table[] = []
    for (const { name, grammar } of presets) {
      if (shown.has(name)) continue
      const pair = partners.find(
        ([a, b]) => (name === a || name === b) && find(a) !== undefined && find(b) !== undefined,
      )
      const both =
        pair === undefined ? [{ name, grammar }] : pair.map((n) => ({ name: n, grammar: find(n)?.grammar as Pcfg }))
      for (const { name: used } of both) shown.add(used)
      tables.push(rulesTable(both))
    }
    if (tables.length === 0) return { tables: [] }
    const first = find('g1-figure-1')
    const drawn = first === undefined ? null : rulesDrawing(first.grammar)
    return {
      tables: [quantities(presets, seed), ...tables, ...(drawn === null ? [] : [drawn.table])],
      figures: drawn === null ? [] : [drawn.figure],
    }
  },
}

/** Figure 1: what each nonterminal becomes, side by side. */
function rulesDrawing(grammar: Pcfg): { readonly table: Table; readonly figure: Figure } {
  const id = 'proficiency/figure1'
  const lines = printPcfg(grammar).trim().split('\n')
  const rows = grammar.rulesOf.flatMap((numbers, n) =>
    numbers.map((r, i) => ({
      left: grammar.nonterminals[n] as string,
      choice: `choice ${i + 1}`,
      right: (lines[r] as string).split(' -> ')[1] as string,
    })),
  )
  return {
    table: {
      id,
      title: 'The grammar of figure 1',
      columns: [text('left', 'Nonterminal'), text('choice', 'Choice'), text('right', 'Becomes')],
      rows,
    },
    figure: {
      id,
      title: 'The grammar of figure 1',
      table: id,
      x: { key: 'choice', label: 'Choice', scale: 'category' },
      y: { key: 'left', label: 'Nonterminal', scale: 'category' },
      marks: [{ kind: 'text', series: 'right' }],
    },
  }
}

/** Strings sampled of an infinite language. */
const sampleSize = 300

function quantities(presets: readonly { readonly name: string; readonly grammar: Pcfg }[], seed: number): Table {
  return {
    id: 'proficiency/languages',
    title: 'Exact quantities of the languages',
    columns: [
      text('language', 'Language'),
      text('support', 'Strings'),
      number('entropy', 'String entropy', 'nats'),
      number('entropyError', 'Its standard error', 'nats'),
      number('derivational', 'Derivational entropy', 'nats'),
      number('length', 'Mean length', 'tokens'),
      number('longest', 'Longest', 'tokens'),
      text('ambiguous', 'Ambiguous'),
    ],
    rows: presets.map(({ name, grammar }) => {
      const whole = wholeLanguage(grammar)
      const finite = whole.kind === 'finite'
      const one = !finite && plainlyUnambiguous(grammar)
      const sampled =
        finite || one ? null : sampledEntropy(grammar, analysisStream(seed, `proficiency/entropy/${name}`), sampleSize)
      const several =
        finite || one
          ? null
          : sampledAmbiguity(grammar, analysisStream(seed, `proficiency/ambiguity/${name}`), sampleSize)
      return {
        language: name,
        support: finite ? String(whole.support) : 'infinite',
        entropy: finite ? whole.entropy : (sampled?.value ?? derivationalEntropy(grammar)),
        entropyError: sampled?.standardError ?? 0,
        derivational: derivationalEntropy(grammar),
        length: expectedLength(grammar),
        longest: finite ? whole.longest : null,
        ambiguous: finite
          ? whole.ambiguous
            ? 'yes'
            : 'no'
          : one
            ? 'no'
            : several?.ambiguous === 'yes'
              ? 'yes'
              : 'not seen',
      }
    }),
  }
}

function rulesTable(both: readonly { readonly name: string; readonly grammar: Pcfg }[]): Table {
  const lists = both.map(({ grammar }) =>
    printPcfg(grammar)
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('%')),
  )
  const names = both.map(({ name }) => name)
  const longest = Math.max(...lists.map((list) => list.length))
  return {
    id: `proficiency/rules-${names.join('-')}`,
    title: `Rules of ${names.join(' and ')}`,
    columns: names.map((name) => text(name, name)),
    rows: Array.from({ length: longest }, (_, i) =>
      Object.fromEntries(names.map((name, l) => [name, lists[l]?.[i] ?? ''])),
    ),
  }
}

/** Rarer lengths would stretch the axis. */
const leastDrawn = 1e-4

/** Figure 11: exact, where the paper draws 10,000 samples. */
export const figure11: Analysis = {
  id: 'proficiency/figure11',
  title: 'Length distribution of the languages',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figure 11' },
  notes: [
    'Exact probabilities by convolution over the grammar; preset languages only. The axis is logarithmic: all strings of g1 and g2 are of one length, those of g3 of some hundred. Lengths below .0001 are in the table only.',
  ],
  needs: ['feature_language'],
  run(frame) {
    const rows: Rows = presetsOf(frame).flatMap(({ name, grammar }) =>
      lengthDistribution(grammar).probability.flatMap((probability, length) =>
        probability > 0
          ? [{ language: name, length, probability, drawn: probability < leastDrawn ? null : probability }]
          : [],
      ),
    )
    const id = 'proficiency/figure11'
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id,
          title: 'P(length)',
          columns: [
            text('language', 'Language'),
            number('length', 'Length', 'tokens'),
            column.share('probability', 'Probability'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id,
          title: 'Length distribution',
          table: id,
          x: { key: 'length', label: 'Length', unit: 'tokens' },
          y: { key: 'drawn', label: 'Probability', scale: 'log' },
          facet: 'language',
          marks: [{ kind: 'line' }, { kind: 'point' }],
        },
      ],
    }
  },
}

/** Figures 2, 12 and 13: a string of each language under the nonterminals that cover its tokens, level by level. */
export const figure12: Analysis = {
  id: 'proficiency/figure12',
  title: 'Strings annotated with their derivation',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figures 2, 12 and 13' },
  notes: [
    'One string of each preset language, drawn with the seed of the report. Bars are constituents from their first to their last token; rows are levels of the hierarchy, tokens at the bottom.',
  ],
  needs: ['feature_language'],
  run(frame, { seed }) {
    const shown = presetsOf(frame).map(({ name, grammar }) => {
      const derivation = sampleDerivation(grammar, analysisStream(seed, `proficiency/figure12/${name}`))
      return { id: `proficiency/figure12-${name}`, name, rows: annotations(grammar, derivation) }
    })
    return {
      tables: shown.map(({ id, name, rows }) => ({
        id,
        title: `A string of ${name}`,
        columns: [text('level', 'Level'), estimate('span', 'Tokens covered', null), text('symbol', 'Symbol')],
        rows,
      })),
      figures: shown.map(
        ({ id, name }): Figure => ({
          id,
          title: `A string of ${name} and its constituents`,
          table: id,
          x: { key: 'span', label: 'Position', unit: 'tokens' },
          y: { key: 'level', label: 'Level', scale: 'category' },
          marks: [{ kind: 'interval' }, { kind: 'text', series: 'symbol' }],
        }),
      ),
    }
  },
}

/** Tokens start..end-1 as a bar with the symbol in its middle, a little short so that neighbours stay apart. */
const span = (start: number, end: number): Estimate => ({
  value: (start + end) / 2,
  low: start + 0.1,
  high: end - 0.1,
  n: end - start,
  method: 'tokens covered',
})

function annotations(grammar: Pcfg, derivation: readonly number[]): Rows {
  const tokens = yieldOf(grammar, derivation) ?? []
  const known = heights(grammar)
  const height = ({ nonterminal, depth }: Constituent) => (known === null ? -depth : (known[nonterminal] as number))
  const over = constituents(grammar, derivation)
    .toSorted((a, b) => height(b) - height(a))
    .map((c) => ({
      level: known === null ? `depth ${c.depth}` : `level ${height(c)}`,
      span: span(c.start, c.end),
      symbol: grammar.nonterminals[c.nonterminal] as string,
    }))
  const own = tokens.map((token, i) => ({
    level: 'tokens',
    span: span(i, i + 1),
    symbol: grammar.terminals[token] as string,
  }))
  return [...over, ...own]
}

/** Figure 3: how far outside the strings of the run lie. */
export const figure3: Analysis = {
  id: 'proficiency/figure3',
  title: 'Strings inside the language and around it',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figure 3' },
  notes: ['Test strings by edits from their source and by the exact distance to the nearest string of the language.'],
  needs: [...needs, 'feature_nearest', 'feature_test'],
  run(frame) {
    const nearest = frame.number('feature_nearest')
    const counts = new Map<string, { language: string; distance: string; nearest: string; strings: Set<string> }>()
    for (const { language, byK } of curvesOf(frame))
      for (const contexts of byK.values())
        for (const { repetition, strings } of contexts)
          for (const { row, distance, test } of strings) {
            const exact = Number.isNaN(nearest[row]) ? 'farther' : String(nearest[row])
            const key = `${language}\n${distance}\n${exact}`
            const cell = counts.get(key) ?? { language, distance, nearest: exact, strings: new Set<string>() }
            counts.set(key, cell)
            cell.strings.add(`${repetition} ${test}`)
          }
    const rows = [...counts.values()].map(({ strings, ...cell }) => ({ ...cell, count: strings.size }))
    const id = 'proficiency/figure3'
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id,
          title: 'Test strings by distance',
          columns: [
            text('language', 'Language'),
            text('distance', 'Edits from the source'),
            text('nearest', 'Distance to the language'),
            number('count', 'Strings'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id,
          title: 'Test strings by distance to the language',
          table: id,
          x: { key: 'distance', label: 'Edits from the source', scale: 'category' },
          y: { key: 'nearest', label: 'Distance to the language', scale: 'category' },
          facet: 'language',
          marks: [
            { kind: 'cell', series: 'count' },
            { kind: 'text', series: 'count' },
          ],
        },
      ],
    }
  },
}

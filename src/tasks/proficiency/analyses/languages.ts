import {
  type Analysis,
  column,
  type Estimate,
  type Frame,
  figure,
  heatMarks,
  type Table,
  table,
} from '../../../core/index.ts'
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
import { curvesOf, distanceColumn, language, needs, PAPER, pointsOf } from './contexts.ts'

interface NamedLanguage {
  readonly name: string
  readonly grammar: Pcfg
}

/** The preset languages of a run, whose name gives the grammar. */
function presetsIn(frame: Frame): readonly NamedLanguage[] {
  const { levels } = frame.category('feature_language')
  return languageNames.filter((name) => levels.includes(name)).map((name) => ({ name, grammar: namedGrammar(name) }))
}

/** Grammars that the paper prints side by side: g1 and g2, g3 and g4, .. */
const pairOf = ({ name }: NamedLanguage): string => name.replace(/^g([1-8])$/u, (_, n) => `pair ${Math.ceil(n / 2)}`)

/** Figures 1 and 6 to 10: the rules, two grammars side by side. */
export const grammarTables: Analysis = {
  id: 'proficiency/grammars',
  title: 'The grammars',
  source: { paper: PAPER, item: 'figures 1 and 6-10' },
  notes: [
    'Preset languages only. Rules as printed: a rule printed twice counts twice.',
    'Exact for finite languages, and for infinite ones whose rules show that they are unambiguous; else entropy and ambiguity are sampled.',
    'Figure 1 shows another grammar than figure 6, though both are called G1: preset g1-figure-1.',
  ],
  needs: ['feature_language'],
  run(frame, { seed }) {
    const presets = presetsIn(frame)
    const groups = [...Map.groupBy(presets, pairOf).values()]
    const first = presets.find(({ name }) => name === 'g1-figure-1')
    const drawn = first === undefined ? [] : [rulesOf(first.grammar)]
    return {
      tables: [quantities(presets, seed), ...groups.map(rulesTable), ...drawn],
      figures: drawn.map((rules) =>
        figure(rules, {
          x: { key: 'choice', scale: 'category' },
          y: { key: 'left', scale: 'category' },
          marks: [{ kind: 'text', series: 'right' }],
        }),
      ),
    }
  },
}

/** Figure 1: the right sides of each nonterminal, side by side. */
function rulesOf(grammar: Pcfg): Table {
  const lines = printPcfg(grammar).trim().split('\n')
  return table(
    'proficiency/figure1',
    'The grammar of figure 1',
    [column.text('left', 'Nonterminal'), column.text('choice', 'Choice'), column.text('right', 'Right side')],
    grammar.rulesOf.flatMap((numbers, n) =>
      numbers.map((r, i) => ({
        left: grammar.nonterminals[n] as string,
        choice: `choice ${i + 1}`,
        right: (lines[r] as string).split(' -> ')[1] as string,
      })),
    ),
  )
}

/** Strings sampled from an infinite language. */
const SAMPLES = 300

const quantities = (presets: readonly NamedLanguage[], seed: number): Table =>
  table(
    'proficiency/languages',
    'Exact quantities of the languages',
    [
      language,
      column.text('support', 'Strings'),
      column.number('entropy', 'String entropy', 'nats'),
      column.number('entropyError', 'Its standard error', 'nats'),
      column.number('derivational', 'Derivational entropy', 'nats'),
      column.number('length', 'Mean length', 'tokens'),
      column.number('longest', 'Longest', 'tokens'),
      column.text('ambiguous', 'Ambiguous'),
    ],
    presets.map(({ name, grammar }) => ({
      language: name,
      derivational: derivationalEntropy(grammar),
      length: expectedLength(grammar),
      ...entropyOf(name, grammar, seed),
    })),
  )

function entropyOf(name: string, grammar: Pcfg, seed: number) {
  const whole = wholeLanguage(grammar)
  if (whole.kind === 'finite') {
    const { support, entropy, longest, ambiguous } = whole
    return { support: String(support), entropy, entropyError: 0, longest, ambiguous: ambiguous ? 'yes' : 'no' }
  }
  const infinite = { support: 'infinite', longest: null }
  if (plainlyUnambiguous(grammar))
    return { ...infinite, entropy: derivationalEntropy(grammar), entropyError: 0, ambiguous: 'no' }
  const stream = (what: string) => analysisStream(seed, `proficiency/${what}/${name}`)
  const { value, standardError } = sampledEntropy(grammar, stream('entropy'), SAMPLES)
  const { ambiguous } = sampledAmbiguity(grammar, stream('ambiguity'), SAMPLES)
  return {
    ...infinite,
    entropy: value,
    entropyError: standardError,
    ambiguous: ambiguous === 'yes' ? 'yes' : 'not seen',
  }
}

function rulesTable(languages: readonly NamedLanguage[]): Table {
  const names = languages.map(({ name }) => name)
  const lists = languages.map(({ grammar }) =>
    printPcfg(grammar)
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('%')),
  )
  const longest = Math.max(...lists.map((list) => list.length))
  return table(
    `proficiency/rules-${names.join('-')}`,
    `Rules of ${names.join(' and ')}`,
    names.map((name) => column.text(name, name)),
    Array.from({ length: longest }, (_, i) => Object.fromEntries(names.map((name, l) => [name, lists[l]?.[i] ?? '']))),
  )
}

/** Rarer lengths would stretch the axis. */
const MIN_DRAWN = 1e-4

/** Figure 11: exact, where the paper draws 10,000 samples. */
export const figure11: Analysis = {
  id: 'proficiency/figure11',
  title: 'Length distribution of the languages',
  source: { paper: PAPER, item: 'figure 11' },
  notes: [
    'Exact, by convolution over the grammar; preset languages only. Logarithmic axis; lengths below 0.0001 are only in the table.',
  ],
  needs: ['feature_language'],
  run(frame) {
    const rows = presetsIn(frame).flatMap(({ name, grammar }) =>
      lengthDistribution(grammar).probability.flatMap((probability, length) => {
        const drawn = probability < MIN_DRAWN ? null : probability
        return probability > 0 ? [{ language: name, length, probability, drawn }] : []
      }),
    )
    const lengths = table(
      'proficiency/figure11',
      'P(length)',
      [language, column.number('length', 'Length', 'tokens'), column.share('probability', 'Probability')],
      rows,
    )
    const curve = figure(lengths, {
      title: 'Length distribution',
      x: 'length',
      y: { key: 'drawn', label: 'Probability', scale: 'log' },
      facet: 'language',
      marks: [{ kind: 'line' }, { kind: 'point' }],
    })
    return { tables: [lengths], figures: [curve] }
  },
}

/** Figures 2, 12 and 13: a string of each language under the nonterminals that cover its tokens, level by level. */
export const figure12: Analysis = {
  id: 'proficiency/figure12',
  title: 'Strings annotated with their derivation',
  source: { paper: PAPER, item: 'figures 2, 12 and 13' },
  notes: [
    'One string per preset language, from the seed of the report. Bars: constituents; rows: levels of the hierarchy, tokens at the bottom.',
  ],
  needs: ['feature_language'],
  run(frame, { seed }) {
    const strings = presetsIn(frame).map(({ name, grammar }) => {
      const derivation = sampleDerivation(grammar, analysisStream(seed, `proficiency/figure12/${name}`))
      const columns = [
        column.text('level', 'Level'),
        column.estimate('span', 'Tokens covered', null),
        column.text('symbol', 'Symbol'),
      ]
      return table(`proficiency/figure12-${name}`, `A string of ${name}`, columns, annotations(grammar, derivation))
    })
    return {
      tables: strings,
      figures: strings.map((one) =>
        figure(one, {
          title: `${one.title} and its constituents`,
          x: { key: 'span', label: 'Position', unit: 'tokens' },
          y: { key: 'level', scale: 'category' },
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

function annotations(grammar: Pcfg, derivation: readonly number[]) {
  const known = heights(grammar)
  const height = ({ nonterminal, depth }: Constituent) => (known === null ? -depth : (known[nonterminal] as number))
  const over = constituents(grammar, derivation)
    .toSorted((a, b) => height(b) - height(a))
    .map((one) => ({
      level: known === null ? `depth ${one.depth}` : `level ${height(one)}`,
      span: span(one.start, one.end),
      symbol: grammar.nonterminals[one.nonterminal] as string,
    }))
  const tokens = (yieldOf(grammar, derivation) ?? []).map((token, i) => ({
    level: 'tokens',
    span: span(i, i + 1),
    symbol: grammar.terminals[token] as string,
  }))
  return [...over, ...tokens]
}

/** Figure 3: how far outside the strings of the run lie. */
export const figure3: Analysis = {
  id: 'proficiency/figure3',
  title: 'Strings inside the language and around it',
  source: { paper: PAPER, item: 'figure 3' },
  notes: ['Test strings by edits from their source and by the exact distance to the nearest string of the language.'],
  needs: [...needs, 'feature_nearest', 'feature_test'],
  run(frame) {
    const nearest = frame.number('feature_nearest')
    const all = pointsOf(curvesOf(frame)).flatMap(({ language: name, contexts }) =>
      contexts.flatMap(({ repetition, strings }) =>
        strings.map(({ row, distance, test }) => ({
          cell: { language: name, distance, nearest: Number.isNaN(nearest[row]) ? 'farther' : String(nearest[row]) },
          string: `${repetition} ${test}`,
        })),
      ),
    )
    const cells = table(
      'proficiency/figure3',
      'Test strings by distance',
      [
        language,
        { ...distanceColumn, label: 'Edits from the source' },
        column.text('nearest', 'Distance to the language'),
        column.number('count', 'Strings'),
      ],
      [...Map.groupBy(all, ({ cell }) => Object.values(cell).join('\n')).values()].map((own) => ({
        ...own[0]?.cell,
        count: new Set(own.map(({ string }) => string)).size,
      })),
    )
    const heatMap = figure(cells, {
      title: 'Test strings by distance to the language',
      x: { key: 'distance', scale: 'category' },
      y: { key: 'nearest', scale: 'category' },
      facet: 'language',
      marks: heatMarks('count'),
    })
    return { tables: [cells], figures: [heatMap] }
  },
}

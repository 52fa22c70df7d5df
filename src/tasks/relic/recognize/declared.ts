import { canonicalConfig, type DeclaredShortcut } from '../../../core/index.ts'
import { type Config, configSchema, presets } from './config.ts'

/**
 * Shortcuts that a config has on purpose. The presets have bounds round the gains measured at 50,000 items
 * (docs/families/relic.md). How much uniform negatives or lengths left unmatched give away depends on everything else, so
 * other configs with either declare where a gain may be, not how large it is.
 */
export function declaredShortcuts(config: Config): readonly DeclaredShortcut[] {
  if (indicesOf(config) < fewest) return []
  if (config.twins === 'together') return together
  if (drawsAsReleased(config)) return published
  const { negatives, lengths, twins } = config
  const alone = negatives.every((kind) => kind === 'hard') ? hard : mixed
  const atShortRange = twins === 'none' || negatives.includes('uniform') ? far : near
  return [
    ...(negatives.includes('uniform') ? guessed : alone),
    ...(lengths === 'published' ? unequal : []),
    ...atShortRange,
  ]
}

/** What the strings of a grammar, and the grammars themselves, depend on. */
const ofStrings = [
  'terminals',
  'nonterminals',
  'lexical',
  'binary',
  'selection',
  'coverage',
  'trivial',
  'minLength',
  'maxLength',
  'negatives',
  'twins',
  'lengths',
] as const satisfies readonly (keyof Config)[]

/** Are grammars and strings drawn as those of the preset `relic-500-published`, however many they are? */
function drawsAsReleased(config: Config): boolean {
  const released = configSchema.parse(presets['relic-500-published']?.config)
  return ofStrings.every((name) => canonicalConfig(config[name]) === canonicalConfig(released[name]))
}

/** A smaller set cannot show what the larger ones declare: a cue that is not there would be stale. */
const fewest = 2000

const indicesOf = ({ grammars, minLength, maxLength, perCell }: Config): number =>
  (grammars ?? Number.POSITIVE_INFINITY) * (maxLength - minLength + 1) * perCell * 2

const tokens = 'one change of a token cannot leave the frequency of every token as it is'

const short =
  'short strings seldom have a matched pair: their negatives are similar to positives at short range, but not equal'
const moved = 'the tokens of a matched pair have other positions'
const near: readonly DeclaredShortcut[] = [
  ...[1, 2, 3].flatMap((level) =>
    ['boosted-trees', 'logistic', 'naive-bayes', 'nearest', 'tables'].map((learner) => ({
      probe: `local-${level}/${learner}`,
      why: short,
      gain: [-0.01, 0.025] as const,
    })),
  ),
  ...[1, 2, 3, 4].flatMap((level) => [
    { probe: `local-${level}/grams`, why: short, gain: [-0.01, 0.015] as const },
    { probe: `local-${level}/places`, why: moved, gain: [-0.01, 0.03] as const },
  ]),
]
/** Pairs shown together have equal n-gram counts up to their order, two or three, and no further. */
const together: readonly DeclaredShortcut[] = [
  { probe: 'local-3/grams', why: 'pairs matched on 2-grams may differ in 3-grams', gain: [-0.01, 0.025] },
  ...[2, 3].map((level) => ({ probe: `local-${level}/places`, why: moved, gain: [-0.01, 0.03] as const })),
  { probe: 'local-4/grams', why: 'pairs matched on 2- and 3-grams may differ in 4-grams', gain: [-0.01, 0.04] },
  { probe: 'local-4/places', why: moved, gain: [-0.01, 0.04] },
]
const far: readonly DeclaredShortcut[] = [
  { probe: 'local-*', why: 'unpaired negatives may look different from positives', gain: [-0.05, 1] },
]

const hard: readonly DeclaredShortcut[] = [{ probe: 'token/*', why: tokens, gain: [0, 0.025] }]

const illegal = 'an edit is free to make a pair of tokens that is illegal anywhere'
const adds = 'it adds up the other cues'
const walks = 'walks over legal pairs know nothing of what stands further apart'

const repetitions = [
  'text/unique-token-share',
  'text/distinct-bigrams',
  'text/adjacent-repeats',
  'text/longest-repetition',
]
const singleTokens = ['text/first-token', 'text/last-token', 'token/*']

const mixed: readonly DeclaredShortcut[] = [
  { probe: 'relic/bigram', why: illegal, gain: [0, 0.04] },
  { probe: 'feature/bigramLegal', why: illegal, gain: [0, 0.05] },
  { probe: 'learned/*', why: adds, gain: [-0.01, 0.03] },
  ...repetitions.map((probe) => ({ probe, why: walks, gain: [0, 0.025] as const })),
  ...singleTokens.map((probe) => ({ probe, why: tokens, gain: [0, 0.025] as const })),
]

const uniform = 'published negatives are uniform random tokens'
const unmatched = 'published lengths are not matched: positives are the shorter strings'

const table = 'what is legal in a grammar rules out most uniform strings at short range'

/** Of sets of 20 grammars, which differ: three seeds, and room for others. */
const published: readonly DeclaredShortcut[] = [
  { probe: 'relic/bigram', why: uniform, gain: [0.25, 0.4] },
  { probe: 'feature/bigramLegal', why: uniform, gain: [0.3, 0.45] },
  { probe: 'learned/logistic', why: adds, gain: [0.22, 0.43] },
  { probe: 'learned/naive-bayes-*', why: uniform, gain: [-0.02, 0.35] },
  { probe: 'learned/nearest-neighbours', why: uniform, gain: [-0.02, 0.3] },
  ...['boosted-trees', 'logistic', 'naive-bayes', 'nearest', 'tables'].flatMap((learner) =>
    [1, 2, 3].map(
      (level): DeclaredShortcut => ({ probe: `local-${level}/${learner}`, why: table, gain: [0.18, 0.47] }),
    ),
  ),
  ...[1, 2, 3, 4].flatMap((level): DeclaredShortcut[] => [
    { probe: `local-${level}/grams`, why: table, gain: [-0.02, 0.35] },
    { probe: `local-${level}/places`, why: table, gain: [-0.02, 0.4] },
  ]),
  { probe: 'local-2/worst-groups', why: table, gain: [0.5, 1] },
  { probe: 'text/unique-token-share', why: uniform, gain: [0, 0.1] },
  { probe: 'text/adjacent-repeats', why: uniform, gain: [0, 0.08] },
  { probe: 'text/longest-repetition', why: uniform, gain: [0, 0.06] },
  { probe: 'text/distinct-bigrams', why: uniform, gain: [0.03, 0.14] },
  { probe: 'text/first-token', why: uniform, gain: [0, 0.07] },
  { probe: 'text/last-token', why: uniform, gain: [0, 0.07] },
  { probe: 'token/*', why: uniform, gain: [0, 0.12] },
  { probe: 'feature/length', why: unmatched, gain: [0.03, 0.12] },
  { probe: 'text/tokens', why: unmatched, gain: [0.03, 0.12] },
  { probe: 'text/characters', why: unmatched, gain: [0.03, 0.12] },
  { probe: 'text/tokens-squared-deviation', why: unmatched, gain: [0, 0.06] },
  { probe: 'text/statements', why: unmatched, gain: [0, 0.05] },
  { probe: 'text/statements-in-order', why: unmatched, gain: [0, 0.05] },
  { probe: 'sequence/position', why: unmatched, gain: [0, 0.03] },
]

/** Of uniform negatives, alone or beside other kinds, at any sizes. */
const guessed: readonly DeclaredShortcut[] = [
  { probe: 'relic/bigram', why: uniform, gain: [0, 0.5] },
  { probe: 'feature/bigramLegal', why: uniform, gain: [0, 0.5] },
  { probe: 'learned/*', why: adds, gain: [-0.05, 0.5] },
  ...[...repetitions, ...singleTokens].map((probe) => ({ probe, why: uniform, gain: [0, 0.5] as const })),
]

/** Shortcuts of unmatched lengths, for all negatives. */
const unequal: readonly DeclaredShortcut[] = [
  'feature/length',
  'text/tokens',
  'text/characters',
  'text/tokens-squared-deviation',
  'text/statements',
  'text/statements-in-order',
].map((probe) => ({ probe, why: unmatched, gain: [0, 0.5] }))

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
    ...(lengths === 'released' ? unequal : []),
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

type Gain = DeclaredShortcut['gain']
const declare = (why: string, gain: Gain, ...probes: readonly string[]): readonly DeclaredShortcut[] =>
  probes.map((probe) => ({ probe, why, gain }))
const local = (levels: readonly number[], ...kinds: readonly string[]): readonly string[] =>
  levels.flatMap((level) => kinds.map((kind) => `local-${level}/${kind}`))

const learners = ['boosted-trees', 'logistic', 'naive-bayes', 'nearest', 'tables']
const repetitions = [
  'text/unique-token-share',
  'text/distinct-bigrams',
  'text/adjacent-repeats',
  'text/longest-repetition',
]
const singleTokens = ['text/first-token', 'text/last-token', 'token/*']
const lengthOnly = ['feature/length', 'text/tokens', 'text/characters']
const statements = ['text/statements', 'text/statements-in-order']

const tokens = 'one change of a token cannot leave the frequency of every token as it is'
const short =
  'short strings seldom have a matched pair: their negatives are similar to positives at short range, but not equal'
const moved = 'the tokens of a matched pair have other positions'
const illegal = 'an edit is free to make a pair of tokens that is illegal anywhere'
const adds = 'it adds up the other cues'
const walks = 'walks over legal pairs know nothing of what stands further apart'
const uniform = 'published negatives are uniform random tokens'
const unmatched = 'published lengths are not matched: positives are the shorter strings'
const table = 'what is legal in a grammar rules out most uniform strings at short range'

const near = [
  ...declare(short, [-0.01, 0.025], ...local([1, 2, 3], ...learners)),
  ...declare(short, [-0.01, 0.015], ...local([1, 2, 3, 4], 'grams')),
  ...declare(moved, [-0.01, 0.03], ...local([1, 2, 3, 4], 'places')),
]
/** Pairs shown together have equal n-gram counts up to their order, two or three, and no further. */
const together = [
  ...declare('pairs matched on 2-grams may differ in 3-grams', [-0.01, 0.025], 'local-3/grams'),
  ...declare('pairs matched on 2- and 3-grams may differ in 4-grams', [-0.01, 0.04], 'local-4/grams'),
  ...declare(moved, [-0.01, 0.03], ...local([2, 3], 'places')),
  ...declare(moved, [-0.01, 0.04], 'local-4/places'),
]
const far = declare('unpaired negatives may look different from positives', [-0.05, 1], 'local-*')

const hard = declare(tokens, [0, 0.025], 'token/*')

const mixed = [
  ...declare(illegal, [0, 0.04], 'relic/bigram'),
  ...declare(illegal, [0, 0.05], 'feature/bigramLegal'),
  ...declare(adds, [-0.01, 0.03], 'learned/*'),
  ...declare(walks, [0, 0.025], ...repetitions),
  ...declare(tokens, [0, 0.025], ...singleTokens),
]

/** Of sets of 20 grammars, which differ: three seeds, and room for others. */
const published = [
  ...declare(uniform, [0.25, 0.4], 'relic/bigram'),
  ...declare(uniform, [0.3, 0.45], 'feature/bigramLegal'),
  ...declare(adds, [0.22, 0.43], 'learned/logistic'),
  ...declare(uniform, [-0.02, 0.35], 'learned/naive-bayes-*'),
  ...declare(uniform, [-0.02, 0.3], 'learned/nearest-neighbours'),
  ...declare(table, [0.18, 0.47], ...local([1, 2, 3], ...learners)),
  ...declare(table, [-0.02, 0.35], ...local([1, 2, 3, 4], 'grams')),
  ...declare(table, [-0.02, 0.4], ...local([1, 2, 3, 4], 'places')),
  ...declare(table, [0.5, 1], 'local-2/worst-groups'),
  ...declare(uniform, [0, 0.1], 'text/unique-token-share'),
  ...declare(uniform, [0, 0.08], 'text/adjacent-repeats'),
  ...declare(uniform, [0, 0.06], 'text/longest-repetition'),
  ...declare(uniform, [0.03, 0.14], 'text/distinct-bigrams'),
  ...declare(uniform, [0, 0.07], 'text/first-token', 'text/last-token'),
  ...declare(uniform, [0, 0.12], 'token/*'),
  ...declare(unmatched, [0.03, 0.12], ...lengthOnly),
  ...declare(unmatched, [0, 0.06], 'text/tokens-squared-deviation'),
  ...declare(unmatched, [0, 0.05], ...statements),
  ...declare(unmatched, [0, 0.03], 'sequence/position'),
]

/** Of uniform negatives, alone or beside other kinds, at any sizes. */
const guessed = [
  ...declare(uniform, [0, 0.5], 'relic/bigram', 'feature/bigramLegal', ...repetitions, ...singleTokens),
  ...declare(adds, [-0.05, 0.5], 'learned/*'),
]

/** Shortcuts of unmatched lengths, for all negatives. */
const unequal = declare(unmatched, [0, 0.5], ...lengthOnly, 'text/tokens-squared-deviation', ...statements)

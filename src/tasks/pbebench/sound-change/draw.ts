import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  balancedBlocks,
  type DrawContext,
  type DrawResult,
  type Layout,
  type RandomStreams,
  rounded,
  type Stream,
} from '../../../core/index.ts'
import {
  applyLaws,
  type Interaction,
  type interactions,
  interactionsOf,
  lawSize,
  printLaw,
  type SoundLaw,
  sameWord,
  type Word,
  wordOf,
  wordText,
} from '../../../libraries/rewriting/sounds/index.ts'
import type { Config } from './config.ts'
import { type Answer, type Descent, type Given, partitionKey } from './question.ts'
import { drawLaws, drawLoans } from './sampling/descent.ts'
import { drawLanguage, drawWords } from './sampling/language.ts'

const number = (what: string, unit: string, role = 'difficulty') => z.number().describe(what).meta({ role, unit })
const pairs = (what: string) =>
  feature(z.int(), 'truth', `pairs of laws of which the earlier ${what}, in some word`, 'pairs')

export const features = z.object({
  language: feature(z.string(), 'stratum', 'which languages: generated, or the names of published ones'),
  interaction: feature(z.string(), 'stratum', 'relation of two laws of the first younger language'),
  languages: feature(z.int(), 'stratum', 'younger languages', 'languages'),
  laws: feature(z.int(), 'stratum', 'laws of the first younger language', 'laws'),
  lawsInAll: feature(z.int(), 'truth', 'laws of all younger languages', 'laws'),
  lawSize: feature(z.int(), 'truth', 'sounds, terms and edges of all laws', 'symbols'),
  words: number('older words shown', 'words'),
  unseen: number('older held-out words', 'words'),
  sounds: number('different sounds of the older words shown', 'sounds'),
  length: number('length of an older word, mean', 'sounds'),
  unchanged: number('younger forms that are as the older word', 'share'),
  loans: number('forms shown that no law explains', 'forms'),
  feeding: pairs('makes places for the later one'),
  bleeding: pairs('takes places from the later one'),
  counterfeeding: pairs('would have found more, had the later one come first'),
  counterbleeding: pairs('would have found less, had the later one come first'),
  source: feature(z.string(), 'id', 'where published words come from; empty: generated'),
  licence: feature(z.string(), 'id', 'licence of published words; empty: generated'),
})

export type ItemFeatures = z.infer<typeof features>

/** Word lists are drawn until one is of the split: 64 times the mean of the smallest region. */
const FENCE_TRIES = 512
/** Words drawn for each that is kept, and of ten kept, how many at most change: those that stay are a law's test, too. */
const PER_UNSEEN = 3
const CHANGED_OF_TEN = 8
/** Lists of laws tried on one word list before another language is drawn. */
const PER_LANGUAGE = 40

const NAMES = ['East', 'West', 'South'] as const

export function layout(config: Config, draws: RandomStreams): Layout {
  const { laws, languages, interactions: kinds, size } = config
  const cells = laws.length * languages.length * kinds.length
  const units = laws.flatMap((count) =>
    languages.flatMap((younger) =>
      kinds.map((interaction) => ({
        levels: { laws: count, languages: younger, interaction },
        ...(size === null ? {} : { capacity: Math.ceil(size / cells) }),
      })),
    ),
  )
  return balancedBlocks(
    { factors: ['interaction', 'laws', 'languages'], units, ...(size === null ? {} : { size }) },
    draws,
  )
}

export function draw(config: Config, at: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const { laws: count, languages: younger, interaction } = at.levels
  const stream = draws.stream('laws')
  const lexicons = draws.stream('words')
  for (let attempt = 0; attempt < config.attempts; attempt += PER_LANGUAGE) {
    const found = drawFenced(config, lexicons, draws)
    if (found === null)
      return { kind: 'unreachable', proved: false, reason: `no word list of this split in ${FENCE_TRIES} draws` }
    const shown = found.slice(0, config.words)
    const cascades: (readonly SoundLaw[])[] = []
    for (let tries = 0; tries < PER_LANGUAGE && cascades.length < Number(younger); tries++) {
      const laws = drawLaws(stream, shown, {
        laws: Number(count),
        changed: config.changed,
        interaction: cascades.length === 0 ? (interaction as Interaction) : null,
      })
      if (laws !== null && found.every((word) => (applyLaws(laws, word)?.length ?? 0) > 0)) cascades.push(laws)
    }
    if (cascades.length < Number(younger)) continue
    if (!cascades.every((laws) => changesEnough(laws, found.slice(config.words), config.unseen))) continue
    const borrowed = Math.floor(shown.length * config.loans)
    const loans = cascades.map((laws) => drawLoans(stream, shown, laws, borrowed))
    if (loans.every((one) => one !== null)) return drawnOf(config, found, cascades, String(interaction), loans)
  }
  return { kind: 'unreachable', proved: false, reason: `no such laws in ${config.attempts} attempts` }
}

/** Do the laws change enough candidates that half of the held-out words test them? */
const changesEnough = (laws: readonly SoundLaw[], words: readonly Word[], unseen: number): boolean =>
  words.filter((word) => !sameWord(applyLaws(laws, word) ?? [], word)).length * 2 >= unseen

/** Words of a new language: those shown, then held-out candidates. */
function drawFenced(config: Config, stream: Stream, draws: RandomStreams): readonly Word[] | null {
  const language = drawLanguage(stream)
  for (let tries = 0; tries < FENCE_TRIES; tries++) {
    const words = drawWords(stream, language, config.words + PER_UNSEEN * config.unseen)
    if (draws.inSplit(partitionKey(words.slice(0, config.words).map(wordText)))) return words
  }
  return null
}

function drawnOf(
  config: Config,
  drawn: readonly Word[],
  cascades: readonly (readonly SoundLaw[])[],
  interaction: string,
  loans: readonly ReadonlyMap<number, Word>[],
): DrawResult<Given, Answer, ItemFeatures> {
  const all = drawn.map(
    (word): Descent => ({
      older: wordText(word),
      younger: cascades.map((laws) => wordText(applyLaws(laws, word) ?? [])),
    }),
  )
  const unseen = keptOf(all.slice(config.words), config.unseen)
  const words = [...all.slice(0, config.words), ...unseen].map(({ older }) => wordOf(older))
  const shown = all.slice(0, config.words).map((descent, i) => ({
    ...descent,
    younger: descent.younger.map((form, k) => {
      const loan = loans[k]?.get(i)
      return loan === undefined ? form : wordText(loan)
    }),
  }))
  const longest = Math.max(...cascades.map((laws) => laws.length))
  const given: Given = {
    languages: NAMES.slice(0, cascades.length),
    words: shown,
    unseen,
    limits: { laws: longest + config.spare, ...(config.loans > 0 ? { loans: true } : {}) },
  }
  return {
    kind: 'drawn',
    given,
    answer: { laws: cascades.map((laws) => laws.map(printLaw)) },
    features: {
      language: 'generated',
      languages: cascades.length,
      interaction,
      loans: loans.reduce((sum, places) => sum + places.size, 0),
      source: '',
      licence: '',
      ...describeWords(given),
      ...describeLaws(cascades, words),
    },
  }
}

/** The given number of words, mostly ones that change. */
function keptOf(words: readonly Descent[], count: number): readonly Descent[] {
  const changes = words.filter(({ older, younger }) => younger.some((form) => form !== older))
  const first = changes.slice(0, Math.floor((count * CHANGED_OF_TEN) / 10))
  const rest = words.filter((word) => !first.includes(word) && !changes.includes(word))
  return [...first, ...rest, ...changes.slice(first.length)].slice(0, count)
}

/** Features that are of the words alone. */
export function describeWords({ words, unseen }: Pick<Given, 'words' | 'unseen'>) {
  const all = [...words, ...unseen]
  const pairs = all.flatMap(({ older, younger }) => younger.flatMap((form) => (form === null ? [] : [[older, form]])))
  const lengths = all.map(({ older }) => older.split(' ').length)
  return {
    words: words.length,
    unseen: unseen.length,
    sounds: new Set(words.flatMap(({ older }) => older.split(' '))).size,
    length: rounded(lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)),
    unchanged: rounded(pairs.filter(([older, form]) => older === form).length / Math.max(1, pairs.length)),
  }
}

function describeLaws(cascades: readonly (readonly SoundLaw[])[], words: readonly Word[]) {
  const pairs = cascades.flatMap((laws) => interactionsOf(laws, words))
  const count = (one: (typeof interactions)[number]) => pairs.filter((pair) => pair.words[one] > 0).length
  return {
    laws: cascades[0]?.length ?? 0,
    lawsInAll: cascades.reduce((sum, laws) => sum + laws.length, 0),
    lawSize: cascades.flat().reduce((sum, law) => sum + lawSize(law), 0),
    feeding: count('feeding'),
    bleeding: count('bleeding'),
    counterfeeding: count('counterfeeding'),
    counterbleeding: count('counterbleeding'),
  }
}

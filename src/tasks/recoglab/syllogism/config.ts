import { z } from 'zod'
import { balancedBlocks, type Curriculum, type Layout, type RandomStreams } from '../../../core/index.ts'
import { regions } from '../common/names.ts'
import { presentationShape } from '../common/presentation.ts'
import { type Presets as PresetsOf, presetsOf } from '../common/presets.ts'
import { type Mood, moods } from './question.ts'
import { beliefs } from './sampling/belief.ts'
import { figures } from './sampling/forms.ts'
import { chooseTerms, judgeTerms, NONE } from './sampling/twins.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['choose', 'judge'])
      .default('choose')
      .describe('Which of All, No, Some, Some-not follows; or whether a given conclusion follows (Yes/No)'),
    terms: z.int().min(3).max(60).default(4).describe('Terms on the path from subject to predicate'),
    construction: z
      .enum(['twins', 'padded', 'path', 'forms', 'all-forms'])
      .default('twins')
      .describe(
        'twins (minimal pairs): the same statements for every answer; path: only the statements of the path, as published; padded: three more, so that each kind occurs equally often; forms: six valid and six invalid syllogisms that agree in moods, figures and conclusions; all-forms: each of the 64 pairs of premises',
      ),
    pairs: z.boolean().default(false).describe('Minimal pairs stand at consecutive indices'),
    existentialImport: z.boolean().default(false).describe('Whether "All" implies "Some" (stated in the prompt)'),
    nouns: z
      .enum(['neutral', 'nonsense', 'congruent', 'incongruent', 'crossed'])
      .default('neutral')
      .describe(
        'Unrelated real nouns; invented words; nouns that make every statement true (or false) in reality; crossed: the conclusion is true in reality, false, or neither, whether it follows or not',
      ),
    perCell: z
      .int()
      .min(0)
      .max(100_000)
      .default(0)
      .describe(
        'forms: items for each of the six combinations of belief and validity; all-forms: for each pair of premises; 0: endless',
      ),
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const real = c.nouns === 'congruent' || c.nouns === 'incongruent'
    if (real && c.terms > 4) wrong('terms', 'real nouns for every statement are found for at most 4 terms')
    if (real && c.construction === 'twins')
      wrong('construction', 'real nouns fit the statements of one way only: use "padded" or "path"')
    const crossed = c.nouns === 'crossed'
    if (crossed && (c.ask !== 'judge' || (c.construction !== 'forms' && c.construction !== 'twins')))
      wrong('nouns', 'crossed needs ask "judge" and construction "forms" or "twins"')
    if (c.construction === 'forms' && (!crossed || c.terms !== 3))
      wrong('construction', 'forms needs nouns "crossed" and 3 terms')
    const all = c.construction === 'all-forms'
    if (all && (c.ask !== 'choose' || c.terms !== 3 || real || crossed))
      wrong('construction', 'all-forms needs ask "choose", 3 terms and nouns "neutral" or "nonsense"')
    if (c.perCell > 0 && !crossed && !all) wrong('perCell', 'needs nouns "crossed" or construction "all-forms"')
    if (c.pairs && c.construction !== 'twins') wrong('pairs', 'pairs needs construction "twins"')
    const nouns = nounsOf(c)
    if (c.nouns === 'neutral' && nouns > 30)
      wrong(
        'terms',
        `these statements have ${nouns} terms, and at most 30 real nouns are unrelated: use nouns "nonsense"`,
      )
    if (c.nouns === 'nonsense' && nouns > 300) wrong('terms', `these statements have ${nouns} terms; at most 300`)
    if (c.ask === 'judge' && c.existentialImport)
      wrong('existentialImport', 'judge is defined without existential import')
  })
export type Config = z.infer<typeof config>

/** How many terms the statements are about, not counting those of `padded`. */
function nounsOf(c: { readonly ask: string; readonly construction: string; readonly terms: number }): number {
  if (c.construction !== 'twins') return c.terms
  return c.ask === 'choose' ? chooseTerms(c.terms) : judgeTerms(c.terms)
}

type Presets = PresetsOf<Config>

const sizes = [3, 4, 5, 6, 8, 10, 12, 15, 20]

const capacity: Presets = presetsOf(sizes, (terms) => [
  `capacity-${terms}`,
  `Path of ${terms} terms, invented nouns (sweep of figure 3)`,
  { terms, nouns: 'nonsense' },
])

/** Only the statements of the path, as published; their positions reveal the answer. */
const published: Presets = presetsOf(sizes, (terms) => [
  `capacity-${terms}-published`,
  `Path of ${terms} terms as published (figure 3)`,
  { terms, construction: 'path' },
])

const ordering: Presets = presetsOf(['forward', 'reverse', 'random'] as const, (order) => [
  `order-${order}`,
  `Path of 6 terms, premises ${order} from the subjects' end (sweep of figure 7)`,
  { terms: 6, order },
])

/** Real nouns that make all premises true or false, and invented ones. Truth of premises and of conclusion go together. */
const content: Presets = presetsOf(
  [
    ['true-premises', 'congruent', 'nouns that make every statement true'],
    ['false-premises', 'incongruent', 'nouns that make every statement false'],
    ['nonsense', 'nonsense', 'invented nouns'],
  ] as const,
  ([name, nouns, says]) => [
    `${name}-3`,
    `Path of 3 terms, ${says} (figure 8)`,
    { terms: 3, nouns, construction: 'padded' },
  ],
)

/**
 * Validity and believability crossed. At power .8 a main effect of .10 needs 196 items a cell and an interaction of .10
 * needs 784; these are the next multiples of a whole round.
 */
const belief: Presets = presetsOf(
  [
    ['belief', 198],
    ['belief-large', 786],
  ] as const,
  ([name, perCell]) => [
    name,
    `Does it follow? Syllogisms of 3 terms, valid or not, believable or not or neither: ${perCell} of each`,
    { ask: 'judge', terms: 3, nouns: 'crossed', construction: 'forms', perCell },
  ],
)

export const presets: Presets = {
  chain: { summary: 'Path of 4 terms: which of four conclusions follows, or none?', config: {} },
  'chain-pairs': { summary: 'The same statements for each of the five answers', config: { pairs: true } },
  'chain-published': {
    summary: 'Path of 3 terms, no other statements',
    aliases: ['syllogism_chain'],
    config: { terms: 3, construction: 'path' },
  },
  judge: { summary: 'Path of 4 terms: does the conclusion follow?', config: { ask: 'judge' } },
  'judge-pairs': {
    summary: 'The same statements with a conclusion that follows and one that does not',
    config: { ask: 'judge', pairs: true },
  },
  'import-4': { summary: 'Path of 4 terms with existential import', config: { existentialImport: true } },
  ...content,
  ...belief,
  'forms-64': {
    summary: 'All 64 pairs of premises, 10 times each, invented nouns: which of four conclusions follows, or none?',
    config: { terms: 3, nouns: 'nonsense', construction: 'all-forms', perCell: 10 },
  },
  'belief-5': {
    summary: 'Does it follow? Paths of 5 terms, valid or not, believable or not or neither',
    config: { ask: 'judge', terms: 5, nouns: 'crossed' },
  },
  ...capacity,
  ...published,
  ...ordering,
}

/** More statements on the path from subject to predicate. */
export const curriculum: Curriculum<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({ ask: 'judge', terms: 3 + level }),
}

/** null: endless. */
export type Plan = { readonly size: number } | null

/**
 * True statements about real nouns are few where a split has one partition bucket of eight: of 40,000 items 53 pairs
 * are equal on validation and 102 on a custom split, so 1,000 items contain a pair with a probability of 3 and 6 %.
 */
const FEW = 1000

export function plan(config: Config, draws: RandomStreams): Plan {
  const mask = regions(draws)
  const oneRegion = (mask & (mask - 1)) === 0
  return config.nouns === 'congruent' && oneRegion ? { size: FEW } : null
}

/** Kinds of conclusion equally often, and none as often as each where that can be the answer; where one is judged, Yes and No for each. */
export function layout(config: Config, known: Plan, draws: RandomStreams): Layout {
  if (config.nouns === 'crossed') return crossedLayout(config, draws)
  if (config.construction === 'all-forms')
    return balancedBlocks(
      {
        factors: ['figure', 'major', 'minor'],
        units: figures.flatMap((figure) =>
          moods.flatMap((major) => moods.map((minor) => ({ levels: { figure, major, minor } }))),
        ),
        ...(config.perCell > 0 ? { size: 64 * config.perCell } : {}),
      },
      draws,
    )
  const endless =
    config.ask === 'judge'
      ? balancedBlocks(
          {
            factors: ['mood'],
            units: moods.map((mood) => ({ levels: { mood } })),
            label: { name: 'answer', levels: ['Yes', 'No'] },
            twins: config.pairs,
          },
          draws,
        )
      : balancedBlocks(
          {
            factors: [],
            units: [{ levels: {} }],
            label: { name: 'answer', levels: config.construction === 'twins' ? [...moods, NONE] : moods },
            twins: config.pairs,
          },
          draws,
        )
  return known === null ? endless : { ...endless, size: known.size }
}

/** Validity x belief x conclusion, and for forms which of two pairs of premises. */
function crossedLayout(config: Config, draws: RandomStreams): Layout {
  const cells = beliefs.flatMap((belief) => judgedMoods(config).map((mood) => ({ belief, mood })))
  const ofForms = config.construction === 'forms'
  return balancedBlocks(
    {
      factors: ofForms ? ['belief', 'mood', 'pair'] : ['belief', 'mood'],
      units: cells.flatMap((levels) =>
        ofForms ? [0, 1].map((pair) => ({ levels: { ...levels, pair } })) : [{ levels }],
      ),
      label: { name: 'answer', levels: ['Yes', 'No'] },
      twins: config.pairs,
      ...(config.perCell > 0 ? { size: 2 * beliefs.length * config.perCell } : {}),
    },
    draws,
  )
}

/** The kinds of conclusion that are judged. */
export const judgedMoods = (config: Pick<Config, 'construction'>): readonly Mood[] =>
  config.construction === 'forms' ? ['E', 'I', 'O'] : moods

import { type AnswerBlock, balancedBlocks } from '../../../core/balanced-blocks.ts'
import { coin, pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Layout, RandomStreams } from '../../../core/task.ts'
import { chain, randomlyOriented, randomTree } from '../../../libraries/graphs/generate.ts'
import { distancesFrom, neighbours } from '../../../libraries/graphs/graph.ts'
import { inPromptOrder, type Shown, viewStream } from '../common/presentation.ts'
import { layoutFromList, thinned } from '../common/rebalance.ts'
import { type Config, distances } from './config.ts'

/** Strata kept by the published rule, in order; null for exact strata. */
export type Plan = { readonly kept: readonly Kept[] | null }
type Kept = readonly [distance: number, word: string, answer: string]

export const plan = (config: Config, draws: RandomStreams): Plan => ({
  kept:
    config.rebalance === 'strata'
      ? null
      : thinned(
          config,
          draws,
          (stream) => natural(config, stream),
          ([distance, , answer]) =>
            // The original's distance of what cannot be compared is -1.
            config.rebalanceField === 'answer' || answer === 'Unknown' ? answer : String(distance),
        ),
})

/** What an unbalanced network with a random pair gives: its distance and label. */
function natural(config: Config, stream: Stream): () => Kept | null {
  const word = pick(stream, wordsAsked(config))
  const [low, high] = distances(config)
  const all = Array.from({ length: config.entities }, (_, v) => v)
  return () => {
    const graph =
      config.network === 'chain'
        ? chain(config.entities)
        : randomlyOriented(stream, randomTree(stream, config.entities))
    const [a, b] = [pick(stream, all), pick(stream, all)]
    const distance = distancesFrom(neighbours(graph), a)[b] as number
    if (distance < low || distance > high) return null
    if (config.ask === 'consistency') return [distance, word, coin(stream) ? 'Consistent' : 'Inconsistent']
    const directed = neighbours(graph, true)
    const up = distancesFrom(directed, a)[b] !== -1
    const down = distancesFrom(directed, b)[a] !== -1
    if (up || down) return [distance, word, up ? 'Yes' : 'No']
    return config.ask === 'feasibility' ? [distance, word, 'Unknown'] : null
  }
}

/** The comparatives in use. */
const wordsAsked = (config: Config): readonly string[] =>
  config.ask === 'consistency' ? ['none'] : config.queryWord === 'both' ? ['lesser', 'greater'] : [config.queryWord]

export function layout(config: Config, known: Plan, draws: RandomStreams): Layout {
  const [low, high] = distances(config)
  const units: AnswerBlock[] = []
  for (let distance = low; distance <= high; distance++) {
    const weight = config.distanceBalance === 'natural' ? config.entities - distance : 1
    for (const word of wordsAsked(config)) units.push({ levels: { distance, word }, weight })
  }
  const answers =
    config.ask === 'consistency'
      ? ['Consistent', 'Inconsistent']
      : config.ask === 'feasibility'
        ? ['Yes', 'No', 'Unknown']
        : ['Yes', 'No']
  const factors = ['distance', 'word']
  if (config.pairing === 'flip') return inPairs(balancedBlocks({ factors, units }, draws))
  const label = { name: 'answer', levels: answers }
  const exact = balancedBlocks({ factors, units, label, twins: config.pairing === 'twins' }, draws)
  if (known.kept === null) return exact
  return layoutFromList(
    exact,
    known.kept.map(([distance, word, answer]) => ({ distance, word, answer })),
  )
}

/** Two indices per group, of one stratum: the same context, with answers Yes and No. */
function inPairs(base: Layout): Layout {
  return {
    ...base,
    layout: 'group-major',
    at(index) {
      const place = base.at(Math.floor(index / 2))
      return 'kind' in place ? place : { ...place, group: Math.floor(index / 2), ordinal: index % 2 }
    },
  }
}

/** Up to this size a chain has so few texts, names apart, that splits would share them: 384 for five, 3,840 for six. */
const FEW = 6

/**
 * May the split use this order and wording of a chain's statements? Names are no content of a chain, so a short one is
 * divided by what is left of its text when names are numbered. Longer chains have tens of thousands of texts and more, which hardly
 * repeat.
 */
export const formInSplit = (config: Config, view: Shown['view'], draws: RandomStreams): boolean =>
  config.network !== 'chain' || config.entities > FEW || draws.inSplit(`form ${chainForm(view, config.entities)}`)

/**
 * The order of a chain's statements and the end that each begins with, as text. A text and its mirror image, with
 * "older" for "younger", are one form.
 */
function chainForm(view: Shown['view'], entities: number): string {
  const shown = { view, order: 'random' } as const
  const order = inPromptOrder(
    shown,
    Array.from({ length: entities - 1 }, (_, i) => i),
  )
  const side = viewStream(shown, 'sides')
  const turned = order.map(() => coin(side))
  const one = order.map((at, i) => `${at}${turned[i] ? '>' : '<'}`).join(' ')
  const mirrored = order.map((at, i) => `${entities - 2 - at}${turned[i] ? '<' : '>'}`).join(' ')
  return one < mirrored ? one : mirrored
}

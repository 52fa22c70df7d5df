import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { below, coin } from '../../../core/random.ts'
import { rounded } from '../../../core/rounded.ts'
import type { DrawContext, DrawResult, EmptyDraw, RandomStreams } from '../../../core/task.ts'
import { chain } from '../../../libraries/graphs/generate.ts'
import type { Thing } from '../../../libraries/language/objects.ts'
import { regions, sortNames } from '../common/names.ts'
import { presentationFeatures, presentationValues } from '../common/presentation.ts'
import { beyond, type Config } from './config.ts'
import type { Ask, Given, Statement } from './question.ts'
import { drawConsistency } from './sampling/consistency.ts'
import { drawEntities, realRatio, type TrueOrder } from './sampling/entities.ts'
import { type AskablePair, type Direction, drawTree } from './sampling/tree.ts'

export const features = z.object({
  entities: feature(z.int(), 'difficulty', 'People or things in the context'),
  distance: feature(
    z.int(),
    'difficulty',
    'Statements between the two asked about (consistency: between the ends of the extra one)',
    'statements',
  ),
  relation: feature(z.string(), 'stratum', 'What is compared'),
  entityKind: feature(z.string(), 'stratum', 'People, things or strings'),
  network: feature(z.string(), 'stratum', 'Chain or tree'),
  ask: feature(z.string(), 'stratum', 'Order, feasibility or consistency'),
  congruency: feature(z.string(), 'stratum', 'Relation of the order to the real world'),
  queryWord: feature(z.string().nullable(), 'stratum', 'The comparative in the question'),
  firstNamed: feature(z.string().nullable(), 'truth', 'Whether the lesser or the greater is named first'),
  margin: feature(z.number().nullable(), 'difficulty', 'Real ratio of the two asked about', 'ratio'),
  minMargin: feature(z.number().nullable(), 'difficulty', 'Least real ratio of neighbours', 'ratio'),
  label: feature(z.string(), 'truth', 'The answer'),
  ...presentationFeatures,
})

export type ItemFeatures = z.infer<typeof features>

type Levels = { readonly distance: number; readonly word: 'lesser' | 'greater'; readonly answer: string }

/** Draws one item. `source` is bound to the index, or to the group where two items share a context. */
export function draw(
  config: Config,
  cell: DrawContext,
  source: RandomStreams,
): DrawResult<Given, string, ItemFeatures> {
  const hidden = drawEntities(config, regions(source), source.stream('entities'))
  if (hidden === null)
    return notFound(
      config.entityKind === 'given'
        ? `of the names given, this split has fewer than ${config.entities}: give more`
        : 'no set of things in this split is far enough apart',
    )
  if (config.ask === 'consistency') {
    const made = drawConsistency(
      config,
      Number(cell.levels['distance']),
      cell.levels['answer'] === 'Consistent',
      source,
    )
    return made === null
      ? notFound(
          `no two sets of statements that look alike were found with a cycle of ${Number(cell.levels['distance']) + 1}: more entities would help`,
        )
      : finish(config, hidden, made.statements, { kind: 'consistency' }, made)
  }
  const levels = levelsOf(config, cell, source)
  const made =
    config.network === 'chain' ? onChain(config, levels.distance, source) : drawTree(config, levels.distance, source)
  if (made === null)
    return notFound(
      `no tree was found with pairs at distance ${levels.distance} that look alike whatever the answer: more entities would help`,
    )
  // "lesser" of (first, second) is true if first is the lesser.
  const way: Direction =
    levels.answer === 'Unknown' ? 'apart' : (levels.word === 'lesser') === (levels.answer === 'Yes') ? 'up' : 'down'
  const { statements, asked } = made.posed(way)
  const ask: Ask = {
    kind: 'order',
    first: asked[0],
    second: asked[1],
    word: levels.word,
    open: config.ask === 'feasibility',
  }
  return finish(config, hidden, statements, ask, { distance: levels.distance, answer: levels.answer })
}

const notFound = (reason: string): EmptyDraw => ({ kind: 'unreachable', proved: false, reason })

/** In a flipped pair the stratum has no label: the two items of a group take Yes and No, which first by a coin. */
function levelsOf(config: Config, cell: DrawContext, source: RandomStreams): Levels {
  const distance = Number(cell.levels['distance'])
  const word = cell.levels['word'] === 'greater' ? 'greater' : 'lesser'
  if (config.pairing !== 'flip') return { distance, word, answer: String(cell.levels['answer']) }
  const yesFirst = coin(source.stream('yes-first'))
  return { distance, word, answer: (cell.ordinal % 2 === 0) === yesFirst ? 'Yes' : 'No' }
}

/** On a chain the label can only turn the question. */
function onChain(config: Config, distance: number, source: RandomStreams): AskablePair {
  const inner = beyond(config)
  const low = inner + below(source.stream('pair'), config.entities - distance - 2 * inner)
  const { edges } = chain(config.entities)
  const high = low + distance
  return { posed: (way) => ({ statements: edges, asked: way === 'down' ? [high, low] : [low, high] }) }
}

/** Positions in the true order become positions in the sorted list of entities, and features are added. */
function finish(
  config: Config,
  hidden: TrueOrder,
  statements: readonly Statement[],
  ask: Ask,
  facts: { readonly distance: number; readonly answer: string },
): DrawResult<Given, string, ItemFeatures> {
  const entities = sortNames(hidden.order)
  const index = new Map(entities.map((name, i) => [name, i]))
  const at = (position: number) => index.get(hidden.order[position] as string) as number
  const given: Given = {
    relation: config.relation,
    entityKind: config.entityKind,
    entities,
    statements: statements.map(([lesser, greater]): Statement => [at(lesser), at(greater)]),
    ask: ask.kind === 'order' ? { ...ask, first: at(ask.first), second: at(ask.second) } : ask,
  }
  const { real } = hidden
  const ratio = (a: number, b: number): number | null =>
    real === null ? null : realRatio(config, real[a] as Thing, real[b] as Thing)
  const ratios = (real ?? []).slice(1).map((_, i) => ratio(i, i + 1) as number)
  const asked = ask.kind === 'order' ? ratio(ask.first, ask.second) : null
  return {
    kind: 'drawn',
    given,
    answer: facts.answer,
    features: {
      entities: config.entities,
      distance: facts.distance,
      relation: config.relation,
      entityKind: config.entityKind,
      network: config.network,
      ask: config.ask,
      congruency: config.entityKind === 'strings' ? 'random-string' : config.congruency,
      queryWord: ask.kind === 'order' ? ask.word : null,
      firstNamed:
        ask.kind !== 'order' || facts.answer === 'Unknown'
          ? null
          : (ask.word === 'greater') === (facts.answer === 'Yes')
            ? 'greater'
            : 'lesser',
      margin: asked === null ? null : rounded(asked),
      minMargin: ratios.length === 0 ? null : rounded(Math.min(...ratios)),
      label: facts.answer,
      ...presentationValues(config),
    },
  }
}

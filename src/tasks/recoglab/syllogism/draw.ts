import { pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Cell, Drawn, Streams, Unreachable } from '../../../core/task.ts'
import { presentationValues } from '../common/features.ts'
import { regions, sorted } from '../common/fence.ts'
import { drawChain } from './chains.ts'
import type { Config } from './config.ts'
import { drawDistractors } from './distractors.ts'
import { drawPlain, drawReal } from './nouns.ts'
import { type Given, type Mood, type Proposition, sentence } from './question.ts'

/** How many sets of premises to try for one that real nouns fit. */
const TRIES = 60

/** The content of one item. The answer is known by construction of the chain; the oracle decides it by 2-SAT. */
export function draw(config: Config, cell: Cell, draws: Streams): Drawn<Given, string> {
  const mood = cell.levels['answer'] as Mood | 'Yes' | 'No'
  const stream = draws.stream('premises')
  const words = draws.stream('nouns')
  const mask = regions(draws)
  for (let i = 0; i < TRIES; i++) {
    const made =
      config.ask === 'choose'
        ? choose(config, mood as Mood, stream)
        : judge(config, String(cell.levels['mood']) as Mood, mood === 'Yes', stream)
    const nouns =
      config.nouns === 'neutral' || config.nouns === 'nonsense'
        ? drawPlain(config.nouns, mask, made.terms, words)
        : drawReal(config.nouns === 'congruent', mask, made.terms, made.premises, words)
    if (nouns !== null) return finish(config, made, nouns)
  }
  return gaveUp('no nouns of this split fit the statements')
}

const gaveUp = (reason: string): Unreachable => ({ kind: 'unreachable', proved: false, reason })

interface Made {
  readonly terms: number
  readonly premises: readonly Proposition[]
  readonly ask: { readonly kind: 'choose' } | { readonly kind: 'judge'; readonly conclusion: Proposition }
  readonly conclusion: Proposition
  readonly follows: boolean
  /** Kinds of the premises on the way, from the subject: "AAE". */
  readonly form: string
}

function choose(config: Config, mood: Mood, stream: Stream): Made {
  const n = config.terms
  const chain = drawChain(stream, n, mood, config.existentialImport)
  return {
    ...withDistractors(config, chain, stream),
    ask: { kind: 'choose' },
    conclusion: [mood, 0, n - 1],
    follows: true,
  }
}

/**
 * A chain that entails a proposition of the mood, and either that proposition or the same chain with one universal
 * step turned round (without import, of a path nothing then follows by it) and the proposition asked of it.
 */
function judge(config: Config, mood: Mood, follows: boolean, stream: Stream): Made {
  const n = config.terms
  for (;;) {
    const chain = drawChain(stream, n, mood, false)
    const turnable = chain.flatMap(([m], i) => (m === 'A' || m === 'O' ? [i] : []))
    // The label must not show in which chains have a step that can be turned: both labels need one.
    if (turnable.length === 0) continue
    const at = pick(stream, turnable)
    const [m, s, p] = chain[at] as Proposition
    const asked = follows ? chain : chain.map((premise, i): Proposition => (i === at ? [m, p, s] : premise))
    const conclusion: Proposition = [mood, 0, n - 1]
    return { ...withDistractors(config, asked, stream), ask: { kind: 'judge', conclusion }, conclusion, follows }
  }
}

function withDistractors(
  config: Config,
  chain: readonly Proposition[],
  stream: Stream,
): Pick<Made, 'terms' | 'premises' | 'form'> {
  const form = chain.map(([mood]) => mood).join('')
  if (config.distractors === 'none') return { terms: config.terms, premises: chain, form }
  const extra = drawDistractors(stream, config.terms, chain)
  const premises = chain.flatMap((premise, i) => [
    premise,
    ...extra.filter(({ after }) => after === i).map((e) => e.premise),
  ])
  return { terms: config.terms + extra.length, premises, form }
}

function finish(config: Config, made: Made, nouns: readonly string[]): Drawn<Given, string> {
  const terms = sorted(nouns)
  const at = (term: number) => terms.indexOf(nouns[term] as string)
  const placed = ([mood, s, p]: Proposition): Proposition => [mood, at(s), at(p)]
  const conclusion = placed(made.conclusion)
  const given: Given = {
    terms,
    premises: made.premises.map(placed),
    ask:
      made.ask.kind === 'judge'
        ? { kind: 'judge', conclusion }
        : { kind: 'choose', subject: conclusion[1], predicate: conclusion[2] },
    existentialImport: config.existentialImport,
  }
  const answer = made.ask.kind === 'judge' ? (made.follows ? 'Yes' : 'No') : sentence(conclusion, terms)
  return {
    kind: 'drawn',
    given,
    answer,
    features: {
      terms: config.terms,
      premises: made.premises.length,
      ask: config.ask,
      nouns: config.nouns,
      existentialImport: config.existentialImport,
      distractors: made.terms - config.terms,
      form: made.form,
      mood: made.conclusion[0],
      label: made.ask.kind === 'judge' ? answer : made.conclusion[0],
      ...presentationValues(config),
    },
  }
}

import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, EmptyDraw, RandomStreams } from '../../../core/task.ts'
import { regions, sortNames } from '../common/names.ts'
import { presentationFeatures, presentationValues } from '../common/presentation.ts'
import type { Config } from './config.ts'
import { type Given, type Mood, nothing, type Proposition, sentence } from './question.ts'
import { type Belief, drawBelievedForm, drawBelievedPaths } from './sampling/belief.ts'
import { drawChain, drawDistractors } from './sampling/chains.ts'
import { classicForm, conclusionOf, type Figure, forms, type Judged, premisesOf } from './sampling/forms.ts'
import { drawPlain, drawReal } from './sampling/nouns.ts'
import { chooseTwins, judgeTwins, NONE } from './sampling/twins.ts'

export const features = z.object({
  terms: feature(z.int(), 'difficulty', 'Terms on the path from subject to predicate'),
  premises: feature(z.int(), 'difficulty', 'Statements', 'statements'),
  ask: feature(z.string(), 'stratum', 'Choose one, or judge one'),
  nouns: feature(z.string(), 'stratum', 'Kind of nouns'),
  existentialImport: feature(z.boolean(), 'stratum', 'Classes are not empty'),
  construction: feature(z.string(), 'stratum', 'Statements of minimal pairs, or of one path'),
  offWay: feature(z.int(), 'nuisance', 'Statements that are not on the path', 'statements'),
  form: feature(z.string(), 'truth', 'Kinds of the statements on the path, from the subject'),
  validity: feature(z.string().nullable(), 'truth', 'Whether the conclusion judged follows: valid or invalid'),
  believability: feature(
    z.string().nullable(),
    'truth',
    'Whether the conclusion judged is true in the world (believable), false (unbelievable), or about invented things (none)',
  ),
  figure: feature(z.int().nullable(), 'truth', 'Figure of a syllogism of three terms, 1 to 4'),
  moods: feature(z.string().nullable(), 'truth', 'Kinds of its major and minor premise and of its conclusion'),
  mood: feature(z.string(), 'truth', 'Kind of the conclusion (of the one judged)'),
  label: feature(z.string(), 'truth', 'Kind of the right option, or none; Yes or No'),
  ...presentationFeatures,
})

export type ItemFeatures = z.infer<typeof features>

/** How many sets of premises to try for one that real nouns fit. */
const TRIES = 60

/** The content of one item. The answer is known by construction of the chain; the oracle decides it by 2-SAT. */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, string, ItemFeatures> {
  const answer = String(cell.levels['answer'])
  const judged = cell.levels['mood'] === undefined ? null : (String(cell.levels['mood']) as Mood)
  const stream = draws.stream('premises')
  const words = draws.stream('nouns')
  const mask = regions(draws)
  if (config.nouns === 'crossed') {
    const belief = cell.levels['belief'] as Belief
    const mood = judged as Mood
    if (config.construction === 'forms') {
      const made = classic(mood as Judged, cell.levels['pair'] === 1 ? 1 : 0, answer === 'Yes')
      return finish(config, made, drawBelievedForm(mood, belief, cell.ordinal, mask, words), belief)
    }
    const made = twin(config, answer, mood, stream)
    return finish(config, made, drawBelievedPaths(mood, belief, config.terms, mask, words), belief)
  }
  if (config.construction === 'all-forms') {
    const made = anyForm(config, cell.levels)
    const nouns = drawPlain(config.nouns === 'neutral' ? 'neutral' : 'nonsense', mask, made.terms, words)
    return nouns === null ? notFound('this split has too few nouns') : finish(config, made, nouns)
  }
  for (let i = 0; i < TRIES; i++) {
    const made =
      config.construction === 'twins'
        ? twin(config, answer, judged, stream)
        : config.ask === 'choose'
          ? choose(config, answer as Mood, stream)
          : judge(config, judged as Mood, answer === 'Yes', stream)
    const nouns =
      config.nouns === 'neutral' || config.nouns === 'nonsense'
        ? drawPlain(config.nouns, mask, made.terms, words)
        : drawReal(config.nouns === 'congruent', mask, made.terms, made.premises, words)
    if (nouns !== null) return finish(config, made, nouns)
  }
  return notFound('no nouns of this split fit the statements')
}

const notFound = (reason: string): EmptyDraw => ({ kind: 'unreachable', proved: false, reason })

interface Construction {
  readonly terms: number
  readonly premises: readonly Proposition[]
  readonly subject: number
  readonly predicate: number
  /** Of the conclusion, drawn or judged. */
  readonly mood: Mood | typeof NONE
  readonly answer:
    | { readonly kind: 'choose'; readonly none: boolean }
    | { readonly kind: 'judge'; readonly follows: boolean }
  /** Kinds of the premises on the path, from the subject: "AAE". */
  readonly form: string
}

/** The statements do not depend on the label, which only selects the question. */
function twin(config: Config, answer: string, judged: Mood | null, stream: Stream): Construction {
  if (judged === null) {
    const twins = chooseTwins(stream, config.terms, config.existentialImport)
    return {
      ...twins,
      ...twins.asked(answer),
      mood: answer as Mood | typeof NONE,
      answer: { kind: 'choose', none: true },
    }
  }
  const twins = judgeTwins(stream, config.terms, judged)
  return { ...twins, ...twins.asked(answer), mood: judged, answer: { kind: 'judge', follows: answer === 'Yes' } }
}

/** A valid syllogism, or an invalid one of the same moods in another figure. */
function classic(mood: Judged, pair: 0 | 1, follows: boolean): Construction {
  const form = forms[mood][pair]
  const premises = premisesOf(follows ? form.valid : form.invalid, form.major, form.minor)
  return ofThree(premises, mood, { kind: 'judge', follows })
}

const ofThree = (
  premises: readonly Proposition[],
  mood: Construction['mood'],
  answer: Construction['answer'],
): Construction => ({
  terms: 3,
  premises,
  subject: 0,
  predicate: 2,
  mood,
  answer,
  form: premises.map(([one]) => one).join(''),
})

/** A pair of premises, from which one conclusion follows or none. */
function anyForm(config: Config, levels: DrawContext['levels']): Construction {
  const [figure, major, minor] = [levels['figure'] as Figure, levels['major'] as Mood, levels['minor'] as Mood]
  const mood = conclusionOf(figure, major, minor, config.existentialImport) ?? NONE
  return ofThree(premisesOf(figure, major, minor), mood, { kind: 'choose', none: true })
}

function choose(config: Config, mood: Mood, stream: Stream): Construction {
  const n = config.terms
  const chain = drawChain(stream, n, mood, config.existentialImport)
  return {
    ...withDistractors(config, chain, stream),
    subject: 0,
    predicate: n - 1,
    mood,
    answer: { kind: 'choose', none: false },
  }
}

/**
 * A chain that entails a proposition of the mood, for Yes; for No one universal step is reversed, so that nothing
 * follows.
 */
function judge(config: Config, mood: Mood, follows: boolean, stream: Stream): Construction {
  const n = config.terms
  for (;;) {
    const chain = drawChain(stream, n, mood, false)
    const turnable = chain.flatMap(([m], i) => (m === 'A' || m === 'O' ? [i] : []))
    // The label must not show in which chains have a step that can be turned: both labels need one.
    if (turnable.length === 0) continue
    const at = pick(stream, turnable)
    const [m, s, p] = chain[at] as Proposition
    const asked = follows ? chain : chain.map((premise, i): Proposition => (i === at ? [m, p, s] : premise))
    const path = withDistractors(config, asked, stream)
    return { ...path, subject: 0, predicate: n - 1, mood, answer: { kind: 'judge', follows } }
  }
}

function withDistractors(
  config: Config,
  chain: readonly Proposition[],
  stream: Stream,
): Pick<Construction, 'terms' | 'premises' | 'form'> {
  const form = chain.map(([mood]) => mood).join('')
  if (config.construction === 'path') return { terms: config.terms, premises: chain, form }
  const extra = drawDistractors(stream, config.terms, chain)
  const premises = chain.flatMap((premise, i) => [
    premise,
    ...extra.filter(({ after }) => after === i).map((e) => e.premise),
  ])
  return { terms: config.terms + extra.length, premises, form }
}

function finish(
  config: Config,
  made: Construction,
  nouns: readonly string[],
  believability: Belief | null = null,
): DrawResult<Given, string, ItemFeatures> {
  const classic = config.terms === 3 ? classicForm(made.premises, made.subject, made.predicate) : null
  const terms = sortNames(nouns)
  const at = (term: number) => terms.indexOf(nouns[term] as string)
  const premises = made.premises.map(([mood, s, p]): Proposition => [mood, at(s), at(p)])
  const subject = at(made.subject)
  const predicate = at(made.predicate)
  const features = {
    terms: config.terms,
    premises: premises.length,
    ask: config.ask,
    nouns: config.nouns,
    existentialImport: config.existentialImport,
    construction: config.construction,
    offWay: premises.length - (config.terms - 1),
    form: made.form,
    validity: made.answer.kind === 'choose' ? null : made.answer.follows ? 'valid' : 'invalid',
    believability,
    figure: classic?.figure ?? null,
    moods: classic === null ? null : classic.moods + (made.mood === NONE ? '' : made.mood),
    mood: made.mood,
    ...presentationValues(config),
  }
  const { existentialImport } = config
  if (made.answer.kind === 'choose') {
    const { none } = made.answer
    const answer = made.mood === NONE ? nothing : sentence([made.mood, subject, predicate], terms)
    const given: Given = { terms, premises, ask: { kind: 'choose', subject, predicate, none }, existentialImport }
    return { kind: 'drawn', given, answer, features: { ...features, label: made.mood } }
  }
  const answer = made.answer.follows ? 'Yes' : 'No'
  const conclusion: Proposition = [made.mood as Mood, subject, predicate]
  const given: Given = { terms, premises, ask: { kind: 'judge', conclusion }, existentialImport }
  return { kind: 'drawn', given, answer, features: { ...features, label: answer } }
}

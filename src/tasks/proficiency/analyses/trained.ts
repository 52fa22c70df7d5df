import { column, type Frame } from '../../../core/index.ts'
import { mean } from '../../../libraries/statistics/index.ts'
import { atDistance, matchedAuc } from './auc-of.ts'
import { attributeOf, type Context, curvesOf, language } from './contexts.ts'

/** A model that was trained on strings of a language. */
interface TrainedModel {
  readonly base: string
  readonly strings: number
  /** The repetition whose strings it was trained on; null: each is trained on those of the repetition that asks it. */
  readonly list: string | null
  /** null: of whatever language is asked. */
  readonly on: string | null
  readonly epoch: number
}

const NAMED = /^(?<prefix>(?:baseline:)?)trained(?:-on-(?<on>[^:]+))?:(?<name>.+?):(?<strings>\d+)(?:@(?<epoch>\d+))?$/u

/**
 * Models with the attribute trainingSize (and base, list, trainedOn, epoch), or baselines trained:NAME:SIZE@EPOCH and
 * trained-on-LANGUAGE:NAME:SIZE; null for others.
 */
export function trainedModels(frame: Frame): (model: string) => TrainedModel | null {
  const [sizes, bases, lists] = [
    attributeOf(frame, 'trainingSize'),
    attributeOf(frame, 'base'),
    attributeOf(frame, 'list'),
  ]
  const [languages, epochs] = [attributeOf(frame, 'trainedOn'), attributeOf(frame, 'epoch')]
  return (model) => {
    const { prefix = '', on = null, name, strings, epoch = '1' } = NAMED.exec(model)?.groups ?? {}
    const size = sizes.get(model) ?? strings
    if (size === undefined) return null
    return {
      base: bases.get(model) ?? (name === undefined ? model.replace(/[-:@_]?\d+$/u, '') : prefix + name),
      strings: Number(size),
      list: lists.get(model) ?? null,
      on: languages.get(model) ?? on,
      epoch: Number(epochs.get(model) ?? epoch),
    }
  }
}

/** The contexts of a model that it was trained for. */
export const ofList = ({ list }: TrainedModel, contexts: readonly Context[]): readonly Context[] =>
  contexts.filter(({ repetition }) => list === null || repetition === list)

/** One training after some epochs, without examples, or with the fewest that were asked. */
interface Checkpoint {
  readonly epoch: number
  readonly test: readonly Context[]
  readonly validation: readonly Context[]
}

/** The columns that name a training: its model, language and number of strings. */
export const TRAINED_COLUMNS = [column.text('base', 'Model'), language, column.number('strings', 'Strings')] as const

/** A learner that was trained on a list of strings. */
export interface Training {
  readonly base: string
  readonly language: string
  readonly strings: number
  readonly checkpoints: readonly Checkpoint[]
}

/** Each training in the language that it was on, its checkpoints by epoch. */
export function trainingsOf(frame: Frame): readonly Training[] {
  const modelOf = trainedModels(frame)
  const validation = curvesOf(frame, 'validation')
  const all = curvesOf(frame).flatMap(({ model, language, byK }) => {
    const of = modelOf(model)
    if (of === null || (of.on ?? language) !== language) return []
    const other = validation.find((curve) => curve.model === model && curve.language === language)
    const fewest = (contexts: typeof byK | undefined) => ofList(of, [...(contexts?.values() ?? [])][0] ?? [])
    return [{ ...of, language, test: fewest(byK), validation: fewest(other?.byK) }]
  })
  return [
    ...Map.groupBy(all, ({ base, language, strings, list }) => [base, language, strings, list].join('\n')).values(),
  ].map((same) => ({ ...same[0]!, checkpoints: same.toSorted((a, b) => a.epoch - b.epoch) }))
}

/** Ways of choosing among the epochs of a training, each a number that the best one has the most of. */
export const choices: { readonly [way: string]: (of: Checkpoint, distance: string) => number } = {
  'last epoch': ({ epoch }) => epoch,
  'loss, validation': ({ validation }) => -lossOf(validation),
  'AUC, validation': ({ validation }, distance) => aucOf(validation, distance),
  'loss, test (released)': ({ test }) => -lossOf(test),
  'AUC, test (released)': ({ test }, distance) => aucOf(test, distance),
}

/** Nats per terminal of strings of the language. */
export function lossOf(contexts: readonly Context[]): number {
  const inside = contexts.flatMap(({ strings }) => strings.filter(({ distance }) => distance === '0'))
  return inside.length === 0 ? Number.NaN : mean(inside.map(({ nats, terminals }) => nats / terminals))
}

export const aucOf = (contexts: readonly Context[], distance: string): number =>
  matchedAuc(contexts, atDistance(distance)).matched?.value ?? Number.NaN

/** The epoch that a way chooses, the earliest of equals; null: it has no strings to choose by. */
export function chosen({ checkpoints }: Training, way: string, distance = ''): Checkpoint | null {
  const scores = checkpoints.map((one) => choices[way]?.(one, distance) ?? Number.NaN)
  return scores.some(Number.isNaN) ? null : (checkpoints[scores.indexOf(Math.max(...scores))] ?? null)
}

/** What counts as the trained model: by its loss on validation strings, without such strings the last epoch. */
export const finalOf = (training: Training): Checkpoint =>
  (chosen(training, 'loss, validation') ?? chosen(training, 'last epoch')) as Checkpoint

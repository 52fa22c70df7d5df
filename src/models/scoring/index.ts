import type { CompletionsOptions } from './completions.ts'
import { ScoringError } from './error.ts'
import { ggufSpec } from './gguf-spec.ts'
import type { GgufOptions } from './llama.ts'
import type { ScoringModel } from './model.ts'
import { isOfSeries } from './tiny/series.ts'
import type { TinyWeights } from './tiny/transformer.ts'

export { ScoringError, type ScoringFault } from './error.ts'
export type { ScoringModel, StringToScore } from './model.ts'
export { readWeights, shippedWeights, writeWeights } from './tiny/load.ts'
export { type TrainOptions, trainTiny } from './tiny/train.ts'

export interface ScoringOptions {
  /** For `completions:`; `baseUrl` is needed. */
  readonly completions?: CompletionsOptions
  readonly gguf?: GgufOptions
  /** Other weights for `tiny`. */
  readonly tiny?: TinyWeights
}

/** Beginnings of the specs that `openScoringModel` knows. */
export const scoringSpecs: readonly string[] = [
  'tiny',
  'tiny:SIZE[@STEP]',
  'tiny:FILE',
  'gguf:FILE[?contextSize=N&threads=N&gpu=NAME]',
  'completions:MODEL',
]

/**
 * Opens a model that gives log-probabilities of strings: `tiny` (the transformer in the package), `tiny:FILE` (the
 * same with the weights of a checkpoint), `tiny:40k@320` (a size of the series in the package, at a step of its training), `gguf:FILE`,
 * `completions:MODEL`. Backends are imported when they are first asked for. In-context learners and oracles need the
 * question and are baselines of their task instead.
 * @throws ScoringError
 */
export async function openScoringModel(spec: string, options: ScoringOptions = {}): Promise<ScoringModel> {
  if (spec === 'tiny') return (await import('./tiny/model.ts')).openTiny(options.tiny)
  if (spec.startsWith('tiny:')) {
    const name = spec.slice('tiny:'.length)
    const { openTinyFile, openTinyOfSeries } = await import('./tiny/model.ts')
    return isOfSeries(name) ? openTinyOfSeries(name) : openTinyFile(name)
  }
  const [, kind = '', name = ''] = /^(gguf|completions):(.+)$/su.exec(spec) ?? []
  if (kind === 'gguf') {
    const { file, asked } = ggufSpec(name)
    return (await import('./gguf.ts')).openGguf(file, { ...options.gguf, ...asked })
  }
  if (kind === 'completions') {
    if (options.completions === undefined)
      throw new ScoringError('usage', `completions:${name} needs a base URL, e.g. http://127.0.0.1:8000/v1`)
    return (await import('./completions.ts')).openCompletions(name, options.completions)
  }
  throw new ScoringError('usage', `unknown scoring model "${spec}"; there are ${scoringSpecs.join(', ')}`)
}

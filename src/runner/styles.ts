import type { RunModel, RunSource } from './resolve.ts'

/** The styles in which a source is asked of a model with settings (as the ledger writes them). */
export function stylesOf(model: RunModel, source: RunSource, settings: string): readonly string[] {
  const chosen = model.choices?.find((choice) => choice.task === source.task && choice.settings === settings)
  return chosen === undefined ? source.styles : [chosen.style]
}

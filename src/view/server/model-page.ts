import { UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { MODELS_SHOWN } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { modelNames } from './summary.ts'

/** The models of one page; null: all models fit on one. */
export function modelPageOf({ run }: ViewedRun, modelPage: number): readonly string[] | null {
  const models = modelNames(run)
  return models.length <= MODELS_SHOWN ? null : models.slice(modelPage * MODELS_SHOWN, (modelPage + 1) * MODELS_SHOWN)
}

/** @throws UsageError for a number of a page of models that is none */
export function modelPageNumber(text: string | null): number {
  const modelPage = Number(text ?? '0')
  if (!Number.isInteger(modelPage) || modelPage < 0 || modelPage > 1e6)
    throw new UsageError(
      `models is the number of a page of ${MODELS_SHOWN}, from 0, got "${(text ?? '').slice(0, 80)}"`,
    )
  return modelPage
}

/** The rows of some models; null: of all. @param name - identifies the frames within the run. */
export function ofModels(
  viewed: ViewedRun,
  name: string,
  frames: RunFrames,
  models: readonly string[] | null,
): Promise<RunFrames> {
  if (models === null) return Promise.resolve(frames)
  return viewed.remembered(`models ${JSON.stringify([name, models])}`, () => {
    const column = frames.frame('strict')?.category('model')
    const wanted = new Set(models)
    const known = column?.levels.map((level) => wanted.has(level)) ?? []
    const rows = Int32Array.from(column?.codes.keys() ?? []).filter((row) => known[column?.codes[row] ?? -1])
    return Promise.resolve(frames.ofRows(rows))
  })
}

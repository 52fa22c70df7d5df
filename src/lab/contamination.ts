import { readFile } from 'node:fs/promises'
import { type Frame, UsageError } from '../core/index.ts'
import type { ContaminationReport, KeyReport } from '../report/index.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'

/** Which model is asked whether it has seen published items, and what it is held against. */
export interface ContaminationRequest {
  /** The model in question. */
  readonly model: string
  /** Models released before the items were published: one at least. */
  readonly before: readonly string[]
  /** Columns of the rows to compare within; always within tasks. */
  readonly strata?: readonly string[]
  /** Whose readings count; left out: `strict`. */
  readonly parser?: string
  /** The path of the published key: JSON lines `{"item", "answer", "right"}`. */
  readonly key?: string
}

/** Whether a model is better on published items than fresh ones of the same distribution explain. */
export interface FoundContamination extends ContaminationReport {
  readonly schema: 'touchstone/contamination/1'
  readonly published: string
  readonly fresh: string
  readonly model: string
  readonly before: readonly string[]
  readonly strata: readonly string[]
  readonly parser: string
  /** Where a key was given: does the model give the very answers that were published? */
  readonly key?: KeyReport
}

/** @throws UsageError where a model, a column, a parser or the key is missing. */
export async function contaminationIn(
  here: Installed,
  published: string,
  fresh: string,
  { model, before, strata = [], parser = 'strict', key }: ContaminationRequest,
): Promise<FoundContamination> {
  const { contaminationOf, keyReport, parseKey } = await import('../report/index.ts')
  const lines = key === undefined ? null : parseKey(await keyText(key), key)
  const [seen, unseen] = [await frameOf(here, published, parser), await frameOf(here, fresh, parser)]
  return {
    schema: 'touchstone/contamination/1',
    published,
    fresh,
    model,
    before,
    strata,
    parser,
    ...contaminationOf(seen, unseen, { model, before, strata }),
    ...(lines === null ? {} : { key: keyReport(seen, model, lines) }),
  }
}

async function frameOf(here: Installed, dir: string, parser: string): Promise<Frame> {
  const { loadFrames } = await import('../store/index.ts')
  const frames = await onRun(here, dir, { mode: 'read' }, loadFrames)
  const frame = frames.frame(parser)
  if (frame === null) throw new UsageError(`${dir} was not read by "${parser}"; there are ${frames.parsers.join(', ')}`)
  return frame
}

const keyText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`the key ${path} cannot be read`)
  })

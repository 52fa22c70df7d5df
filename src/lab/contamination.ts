import { readFile } from 'node:fs/promises'
import { type Frame, UsageError } from '../core/index.ts'
import { type ContaminationReport, contaminationOf, type KeyReport, keyReport, parseKey } from '../report/index.ts'
import { loadFrames } from '../store/index.ts'
import type { Environment } from './environment.ts'
import type { contaminationRequest, Valid } from './requests/index.ts'
import { onRun } from './runs.ts'

/** Difference in differences: published against fresh items, a model against reference models. */
export interface FoundContamination extends ContaminationReport {
  readonly schema: 'touchstone/contamination/1'
  readonly published: string
  readonly fresh: string
  readonly model: string
  /** Reference models. */
  readonly before: readonly string[]
  readonly strata: readonly string[]
  readonly parser: string
  /** With an answer key: matches with the published answers. */
  readonly key?: KeyReport
}

/** @throws UsageError where a model, a column, a parser or the key is missing. */
export async function contaminationIn(
  here: Environment,
  published: string,
  fresh: string,
  { model, references, within = [], parser = 'strict', answerKey }: Valid<typeof contaminationRequest>,
): Promise<FoundContamination> {
  const key = answerKey === undefined ? null : parseKey(await keyText(answerKey), answerKey)
  const [seen, unseen] = [await frameOf(here, published, parser), await frameOf(here, fresh, parser)]
  return {
    schema: 'touchstone/contamination/1',
    published,
    fresh,
    model,
    before: references,
    strata: within,
    parser,
    ...contaminationOf(seen, unseen, { model, before: references, strata: within }),
    ...(key === null ? {} : { key: keyReport(seen, model, key) }),
  }
}

async function frameOf(here: Environment, dir: string, parser: string): Promise<Frame> {
  const frames = await onRun(here, dir, { mode: 'read' }, (run) => loadFrames(run))
  const frame = frames.frame(parser)
  if (frame === null) throw new UsageError(`${dir} has no parser "${parser}"; it has ${frames.parsers.join(', ')}`)
  return frame
}

const keyText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`cannot read the answer key ${path}. Check that it exists`)
  })

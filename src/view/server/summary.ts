import { join } from 'node:path'
import { openDataset } from '../../datasets/index.ts'
import { RUN_FILES, type Run } from '../../runner/index.ts'
import { lockHolder } from '../../store/index.ts'
import type { DatasetSummary, PlaceSummary, RunSummary } from '../api/index.ts'
import { isStoppable } from './control.ts'
import type { OpenRuns } from './open-runs.ts'
import type { Place } from './places.ts'

/** How many kinds of failures are told. */
const FAILURES = 8

/** Where a run stands: cheap enough to be asked every second. */
export async function runSummary(place: Place, run: Run, control = false): Promise<RunSummary> {
  const { file, ledger } = run
  const models = []
  for (const { name } of file.models) models.push({ name, counts: await ledger.counts(name) })
  return {
    kind: 'run',
    id: place.id,
    path: place.path,
    name: file.name,
    created: file.created,
    tasks: [...new Set(file.sources.map(({ task }) => task))],
    counts: await ledger.counts(),
    models,
    usd: ledger.spent(),
    limit: file.limits.usd ?? null,
    held: lockHolder(join(place.path, RUN_FILES.lock)) !== null,
    stoppable: control && isStoppable(place.path),
    revision: ledger.revision(),
    failures: ledger
      .failures()
      .slice(0, FAILURES)
      .map(({ code, cells, message }) => ({ code, cells, message: message.slice(0, 500) })),
  }
}

export async function datasetSummary(place: Place): Promise<DatasetSummary> {
  const { manifest } = await openDataset(place.path)
  const { task, preset, split, count, root } = manifest
  return { kind: 'dataset', id: place.id, path: place.path, task, preset, split, count, root }
}

/** One line a place; one that cannot be read says why instead of hiding the others. */
export async function placeSummary(place: Place, runs: OpenRuns, control: boolean): Promise<PlaceSummary> {
  try {
    return place.kind === 'run'
      ? await runSummary(place, (await runs.get(place.path)).run, control)
      : await datasetSummary(place)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'broken', id: place.id, path: place.path, message }
  }
}

import { join } from 'node:path'
import { openDataset } from '../../datasets/index.ts'
import { RUN_FILES, type Run } from '../../runner/index.ts'
import { type Counts, lockHolder } from '../../store/index.ts'
import type { DatasetSummary, PlaceSummary, RunSummary } from '../api/index.ts'
import { isStoppable } from './control.ts'
import type { OpenRuns } from './open-runs.ts'
import type { Place } from './places.ts'

/** How many kinds of failures are told. */
const FAILURES = 8

/** What the ledger says of a run, of one revision: it is asked every second, and most runs rest. */
type Standing = Pick<RunSummary, 'counts' | 'models' | 'usd' | 'revision' | 'failures'>
const standings = new WeakMap<Run, Standing>()

function standingOf(run: Run): Standing {
  const { file, ledger } = run
  const known = standings.get(run)
  const revision = ledger.revision()
  if (known?.revision === revision) return known
  const byModel = ledger.countsByModel()
  const none: Counts = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }
  const made = {
    counts: [...byModel.values()].reduce(added, none),
    models: file.models.map(({ name }) => ({ name, counts: byModel.get(name) ?? none })),
    usd: ledger.spent(),
    revision,
    failures: ledger
      .failures()
      .slice(0, FAILURES)
      .map(({ code, cells, message }) => ({ code, cells, message: message.slice(0, 500) })),
  }
  standings.set(run, made)
  return made
}

const added = (a: Counts, b: Counts): Counts => ({
  waiting: a.waiting + b.waiting,
  leased: a.leased + b.leased,
  batched: a.batched + b.batched,
  done: a.done + b.done,
  failed: a.failed + b.failed,
})

/** Where a run stands: cheap enough to be asked every second. */
export function runSummary(place: Place, run: Run, control = false): RunSummary {
  const { file } = run
  return {
    kind: 'run',
    id: place.id,
    path: place.path,
    name: file.name,
    created: file.created,
    tasks: [...new Set(file.sources.map(({ task }) => task))],
    ...standingOf(run),
    limit: file.limits.usd ?? null,
    held: lockHolder(join(place.path, RUN_FILES.lock)) !== null,
    stoppable: control && isStoppable(place.path),
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
      ? runSummary(place, (await runs.get(place.path)).run, control)
      : await datasetSummary(place)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'broken', id: place.id, path: place.path, message }
  }
}

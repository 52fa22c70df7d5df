import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Json, UsageError } from '../../core/index.ts'
import { openDataset } from '../../datasets/index.ts'
import { loadSteps } from '../../extras/adaptive/index.ts'
import { loadSequentialTest } from '../../extras/sequential/index.ts'
import { type Live, loadStopped, RUN_FILES, type Run, readLive, waitText } from '../../runner/index.ts'
import { type Counts, lockHolder } from '../../store/index.ts'
import type { DatasetDocument, DatasetSummary, FolderSummary, RunSummary } from '../api/index.ts'
import type { ViewFolder } from './folders.ts'
import type { OpenRuns, ViewedRun } from './open-runs.ts'

/** True if a process of this machine works on the run. */
function isStoppable(run: string): boolean {
  return lockHolder(join(run, RUN_FILES.lock))?.host === hostname()
}

/** Stops the process that works on a run, as Ctrl-C does: responses are saved and `resume` continues. The lock names the process. @throws UsageError if no process of this machine works on the run */
export function stopRun(run: string, kill: (pid: number, signal: 'SIGINT') => void = process.kill): number {
  const holder = lockHolder(join(run, RUN_FILES.lock))
  if (holder === null) throw new UsageError('no process works on this run')
  if (holder.host !== hostname())
    throw new UsageError(`process ${holder.pid} on ${holder.host} works on this run: stop it there`)
  kill(holder.pid, 'SIGINT')
  return holder.pid
}

/** Most kinds of errors that are shown. */
const FAILURES = 8

/** State of a run in the ledger, cached by revision. */
type Standing = Pick<RunSummary, 'items' | 'counts' | 'models' | 'usd' | 'revision' | 'failures'>
const standings = new WeakMap<Run, Standing>()

function standingOf(run: Run): Standing {
  const { file, ledger } = run
  const known = standings.get(run)
  const revision = ledger.revision()
  if (known?.revision === revision) return known
  const byModel = ledger.countsByModel()
  const none: Counts = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }
  const made = {
    items: ledger.sizes().items,
    counts: [...byModel.values()].reduce(added, none),
    models: [...new Set([...file.models.map(({ name }) => name), ...byModel.keys()])].map((name) => ({
      name,
      counts: byModel.get(name) ?? none,
    })),
    usd: ledger.bookedUsd(),
    revision,
    failures: ledger
      .failures()
      .slice(0, FAILURES)
      .map(({ code, calls, message }) => ({ code, cells: calls, message: message.slice(0, 500) })),
  }
  standings.set(run, made)
  return made
}

/** The models of a run in the order in which it names them. */
export const modelNames = (run: Run): readonly string[] => standingOf(run).models.map(({ name }) => name)

const added = (a: Counts, b: Counts): Counts => ({
  waiting: a.waiting + b.waiting,
  leased: a.leased + b.leased,
  batched: a.batched + b.batched,
  done: a.done + b.done,
  failed: a.failed + b.failed,
})

/** Summary of a run; requested every second. */
export async function runSummary(folder: ViewFolder, viewed: ViewedRun, control = false): Promise<RunSummary> {
  const { run } = viewed
  const { file } = run
  const held = lockHolder(join(folder.path, RUN_FILES.lock)) !== null
  return {
    kind: 'run',
    id: folder.id,
    path: folder.path,
    name: file.name,
    created: file.created,
    tasks: [...new Set(file.sources.map(({ task }) => task))],
    ...standingOf(run),
    revision: viewed.revision(),
    limit: file.limits.usd ?? null,
    live: held ? liveOf(await readLive(join(folder.path, RUN_FILES.live))) : null,
    adapt: await adaptOf(run),
    until: await lookedOf(run),
    stopped: held ? [] : await brokenOf(run),
    held,
    making: viewed.making(),
    stoppable: control && isStoppable(folder.path),
  }
}

/** Most characters of a message. */
const MAX_TEXT = 300

function liveOf(live: Live | null): RunSummary['live'] {
  if (live === null) return null
  const models = live.models.map(({ waits, failures, accuracy, ...model }) => ({
    ...model,
    accuracy: accuracy === null ? null : { ...accuracy, method: '95 %, answers so far, over groups' },
    waits: waits.map((wait) => waitText(wait).slice(0, MAX_TEXT)),
    failures: failures.map((one) => ({ ...one, message: one.message.slice(0, MAX_TEXT) })),
  }))
  return { left: live.left, models }
}

async function adaptOf(run: Run): Promise<RunSummary['adapt']> {
  const { adapt } = run.file
  const steps = adapt === undefined ? null : await loadSteps(run)
  if (adapt === undefined || steps === null) return null
  const models = steps.models.map(({ model, steps, end = null }) => {
    const estimate = steps.findLast((round) => round.estimate !== null)?.estimate ?? null
    const found = estimate?.threshold?.kind === 'inside' ? estimate.threshold : null
    const solved = estimate?.threshold?.kind === 'outside' ? estimate.threshold.solved : null
    const method = 'profile likelihood 95 %'
    return {
      model,
      steps: steps.length,
      answers: estimate?.answers ?? 0,
      at: steps.at(-1)?.at ?? null,
      threshold:
        found === null
          ? null
          : { value: found.value, low: found.low, high: found.high, n: estimate?.answers ?? 0, method },
      outside: solved === null ? null : solved === 'more' ? ('above' as const) : ('below' as const),
      end,
    }
  })
  return { parameter: adapt.parameter, until: adapt.until ?? null, models }
}

async function brokenOf(run: Run): Promise<RunSummary['stopped']> {
  return Object.entries(await loadStopped(run)).map(([model, { message, advice }]) => ({
    model,
    message: message.slice(0, MAX_TEXT),
    next: advice,
  }))
}

async function lookedOf(run: Run): Promise<RunSummary['until']> {
  const state = await loadSequentialTest(run)
  if (state === null) return null
  const { rule, interim, verdict } = state
  return { rule, interim: interim.length, units: interim.at(-1)?.groups ?? 0, verdict }
}

async function datasetSummary(folder: ViewFolder): Promise<DatasetSummary> {
  const { manifest } = await openDataset(folder.path)
  const { task, preset, split, count, root } = manifest
  return { kind: 'dataset', id: folder.id, path: folder.path, task, preset, split, count, root }
}

/** Summary of a folder; an unreadable one gives its error. */
export async function folderSummary(folder: ViewFolder, runs: OpenRuns, control: boolean): Promise<FolderSummary> {
  try {
    return folder.kind === 'run'
      ? await runs.glance(folder.path, (viewed) => runSummary(folder, viewed, control))
      : await datasetSummary(folder)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'broken', id: folder.id, path: folder.path, message }
  }
}

export async function datasetOf(folder: ViewFolder): Promise<DatasetDocument> {
  const { manifest } = await openDataset(folder.path)
  const { config, seed, version, empty, salted, first, indices, strata, shards } = manifest
  return {
    schema: 'touchstone/view-dataset/1',
    dataset: await datasetSummary(folder),
    config,
    seed: 'text' in seed ? seed.text : null,
    version,
    empty,
    salted,
    first,
    indices,
    strata,
    files: shards.map(({ file, count, sha256 }) => ({ file, count, sha256 })),
    audit: await auditOf(folder.path),
  }
}

/** audit.json; null: there is none, false: it is no JSON. */
async function auditOf(folder: string): Promise<Json> {
  const text = await readFile(join(folder, 'audit.json'), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return false
  }
}

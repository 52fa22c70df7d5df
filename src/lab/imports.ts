import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Family, hint, type Importer, UsageError } from '../core/index.ts'
import { namesOf, type Reader, readResponses, responseReaders } from '../extras/exchange/imports.ts'
import { LOG_TOOLS, type LogRecord, logImporters, NO_FILES, readLog } from '../extras/exchange/logs/index.ts'
import { keysOfRun } from '../extras/exchange/run-questions.ts'
import {
  createRun,
  executeRun,
  type ImportReleaseResult,
  type ImportResponsesResult,
  importRelease,
  importResponses,
  parseExperiment,
  type Run,
  type RunContext,
  withRun,
} from '../runner/index.ts'
import { folderTree } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { itemsOfDataset } from './items-of-dataset.ts'
import { type importRequest, rejectOptions, type Valid } from './requests/index.ts'
import { onRun } from './runs.ts'

/** What was imported, and the problems found. */
export type Imported =
  | ({
      readonly kind: 'release'
      /** Descriptions of the files that were searched for. */
      readonly sought: readonly string[]
    } & ImportReleaseResult)
  | ({ readonly kind: 'responses' } & ImportResponsesResult)

/** The name of our own JSON lines of responses. */
const RESPONSES = 'responses'

type Request = Valid<typeof importRequest>

/**
 * Imports a published release, or responses of another tool.
 *
 * @param what - a family, one of its importers, `responses`, or a tool whose files are read (docs/exchange.md).
 * @param from - the folder of the release, or the file of responses, or several.
 * @throws UsageError for an unknown importer, an unreadable path, or a missing run.
 */
export async function importFrom(
  here: Environment,
  what: string,
  from: string | readonly string[],
  request: Request,
): Promise<Imported> {
  const [first, ...others] = [from].flat()
  if (first === undefined) throw new UsageError('name a folder or file to import')
  for (const path of [first, ...others])
    await access(path).catch(() => {
      throw new UsageError(`cannot read ${path}. Check that it exists`)
    })
  // Without the items that they answer, logs of any task bring their own.
  const tool = LOG_TOOLS.find((one) => one === what)
  const reader = Object.hasOwn(responseReaders, what) ? responseReaders[what] : undefined
  if (tool !== undefined || reader !== undefined || what === RESPONSES)
    rejectOptions(request, ['ancestor'], 'only for word lists')
  if (tool !== undefined && request.items === undefined && !existsSync(join(request.out, 'run.json'))) {
    const paths = [first, ...others]
    const records: LogRecord[] = []
    for (const path of paths) records.push(...(await readLog(tool, path, request.model)))
    return importLogs(here, paths, records, request)
  }
  if (what === RESPONSES || reader !== undefined)
    return takeResponses(here, [first, ...others], reader ?? null, request)
  rejectOptions(request, ['items', 'model', 'group'], 'only for responses and logs')
  if (others.length > 0) throw new UsageError(`a release is one folder. Leave out ${others.join(', ')}`)
  const importers = importersOf(here.families, what, Object.keys(responseReaders))
  if (!importers.some(({ takesAncestors }) => takesAncestors))
    rejectOptions(request, ['ancestor'], 'only for word lists')
  const options = { importers, files: folderTree(first), dir: request.out, ancestors: request.ancestor }
  const sought = importers.map(({ describe }) => describe)
  return { kind: 'release', sought, ...(await importRelease(options, await here.runContext())) }
}

/** Imports the samples of logs of any task, with their scores, into one run. @throws UsageError where there are none */
export async function importLogs(
  here: Environment,
  paths: readonly string[],
  records: readonly LogRecord[],
  { out, group, measured }: Pick<Request, 'out' | 'group'> & { readonly measured?: boolean },
): Promise<Imported> {
  if (records.length === 0) throw new UsageError(`${paths.join(', ')}: no samples`)
  const importers = logImporters(records, group, measured)
  const name = paths.map((path) => basename(path)).join(', ')
  const options = { importers, files: NO_FILES, dir: out, name }
  return { kind: 'release', sought: [], ...(await importRelease(options, await here.runContext())) }
}

/** All that read a family's releases, or one of them. @throws UsageError for a name that is neither. */
function importersOf(families: readonly Family[], what: string, readers: readonly string[]): readonly Importer[] {
  const family = families.find(({ name, importers }) => name === what && importers.length > 0)
  if (family !== undefined) return family.importers
  const all = families.flatMap(({ importers, judging = [] }) => [
    ...importers,
    ...judging.flatMap((one) => one.importers),
  ])
  const found = all.find(({ name }) => name === what)
  if (found !== undefined) return [found]
  const parts = families.filter(({ importers }) => importers.length > 0).map(({ name }) => name)
  const names = [...new Set([...parts, ...all.map(({ name }) => name), RESPONSES, ...readers, ...LOG_TOOLS])]
  throw new UsageError(`cannot import "${what}"${hint(what, names)}; choose one of ${names.join(', ')}`)
}

async function takeResponses(
  here: Environment,
  paths: readonly [string, ...string[]],
  reader: Reader | null,
  { out, items, model }: Request,
): Promise<Imported> {
  const there = existsSync(join(out, 'run.json'))
  if (there && items !== undefined)
    throw new UsageError(
      `${out} is a run with its own items. Leave out --items to import into it, or choose another --out`,
    )
  if (!there && items === undefined)
    throw new UsageError(`${out} is not a run. Name the dataset that the responses answer: --items DATASET`)
  const take = async (run: Parameters<typeof importResponses>[0]): Promise<Imported> => {
    const together = reader?.kind === 'files' ? [paths] : paths.map((path): readonly [string] => [path])
    const taken: ImportResponsesResult[] = []
    for (const files of together) {
      const lines = reader === null ? undefined : readResponses(reader, files, await keysOfRun(run), model ?? null)
      taken.push(await importResponses(run, namesOf(files), lines))
    }
    const sum = (key: 'lines' | 'responses') => taken.reduce((total, one) => total + one[key], 0)
    const problems = taken.flatMap((one) => one.problems)
    return { kind: 'responses', lines: sum('lines'), responses: sum('responses'), problems }
  }
  if (items === undefined) return onRun(here, out, { mode: 'write' }, take)
  return withRun(await runOfDataset(items, out, await here.runContext()), take)
}

/** A run without models: the items of a dataset in every style, for responses from elsewhere. */
export async function runOfDataset(folder: string, dir: string, context: RunContext): Promise<Run> {
  const items = await itemsOfDataset(folder, context.tasks)
  const style = [...(context.tasks(items.task)?.styles ?? [])]
  const name = basename(resolve(folder))
  const experiment = parseExperiment({ name, seed: items.seed, items: [{ ...items, style }] })
  const run = await createRun({ experiment, dir }, context)
  await executeRun(run, {})
  return run
}

import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type Family, hint, type Importer, UsageError } from '../core/index.ts'
import type { Reader } from '../extras/exchange/imports.ts'
import type { ImportReleaseResult, ImportResponsesResult } from '../runner/index.ts'
import type { Installed } from './installed.ts'
import { refuse } from './refuse.ts'
import { onRun } from './runs.ts'

/** What is taken in, and into which run folder. */
export interface ImportRequest {
  /** The run folder: made of a release; of responses the run that they answer, made where `items` is given. */
  readonly out: string
  /** Of responses: the dataset they answer, where there is no run yet. */
  readonly items?: string
  /** Of responses whose file does not name the model; left out: `human` for people, `imported` for all others. */
  readonly model?: string
}

/** What was taken in, and what was wrong with it. */
export type Imported =
  | ({
      readonly kind: 'release'
      /** What was looked for. */
      readonly sought: readonly string[]
    } & ImportReleaseResult)
  | ({ readonly kind: 'responses' } & ImportResponsesResult)

/** The name under which answers come as lines of JSON of our own form. */
const RESPONSES = 'responses'

/**
 * Takes in a published release, or responses made elsewhere.
 *
 * @param what - a family, one of its importers, `responses`, or a tool whose files are read (docs/exchange.md).
 * @param from - the folder of the release, or the file of responses, or several.
 * @throws UsageError where there is no such importer, nothing to read, or no run to answer.
 */
export async function importFrom(
  here: Installed,
  what: string,
  from: string | readonly string[],
  request: ImportRequest,
): Promise<Imported> {
  const [first, ...others] = [from].flat()
  if (first === undefined) throw new UsageError('name a folder or file to import')
  for (const path of [first, ...others])
    await access(path).catch(() => {
      throw new UsageError(`${path} is not there, or cannot be read`)
    })
  const { responseReaders } = await import('../extras/exchange/imports.ts')
  const reader = Object.hasOwn(responseReaders, what) ? responseReaders[what] : undefined
  if (what === RESPONSES || reader !== undefined)
    return takeResponses(here, [first, ...others], reader ?? null, request)
  refuse(request, ['items', 'model'], 'of responses')
  if (others.length > 0) throw new UsageError(`a release is one folder: leave ${others.join(', ')} out`)
  const { importRelease } = await import('../runner/index.ts')
  const { folderTree } = await import('../store/index.ts')
  const importers = importersOf(here.families, what, Object.keys(responseReaders))
  const options = { importers, files: folderTree(first), dir: request.out }
  const sought = importers.map(({ describe }) => describe)
  return { kind: 'release', sought, ...(await importRelease(options, await here.runContext())) }
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
  const names = [...new Set([...parts, ...all.map(({ name }) => name), RESPONSES, ...readers])]
  throw new UsageError(`cannot import "${what}"${hint(what, names)}; there are ${names.join(', ')}`)
}

async function takeResponses(
  here: Installed,
  paths: readonly [string, ...string[]],
  reader: Reader | null,
  { out, items, model }: ImportRequest,
): Promise<Imported> {
  const { importResponses, withRun } = await import('../runner/index.ts')
  const { responsesOf, runOfDataset } = await import('./exchange.ts')
  const { namesOf } = await import('../extras/exchange/imports.ts')
  const there = existsSync(join(out, 'run.json'))
  if (there && items !== undefined)
    throw new UsageError(
      `${out} is a run already, with its own items: leave \`items\` out to import into it, or name another \`out\``,
    )
  if (!there && items === undefined)
    throw new UsageError(`${out} is no run: name the dataset that was asked with \`items\`, and the run is made`)
  const take = async (run: Parameters<typeof importResponses>[0]): Promise<Imported> => {
    const together = reader?.kind === 'files' ? [paths] : paths.map((path): readonly [string] => [path])
    const taken: ImportResponsesResult[] = []
    for (const files of together) {
      const lines = reader === null ? undefined : await responsesOf(run, reader, files, model ?? null)
      taken.push(await importResponses(run, namesOf(files), lines))
    }
    const sum = (key: 'lines' | 'responses') => taken.reduce((total, one) => total + one[key], 0)
    const problems = taken.flatMap((one) => one.problems)
    return { kind: 'responses', lines: sum('lines'), responses: sum('responses'), problems }
  }
  if (items === undefined) return onRun(here, out, { mode: 'write' }, take)
  return withRun(await runOfDataset(items, out, await here.runContext()), take)
}

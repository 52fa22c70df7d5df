import { hint, type Table, UsageError } from '../../core/index.ts'
import { schemaErrorMap } from '../../core/schema-errors.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  filterOf,
  type ItemsFilter,
  MODELS_SHOWN,
  misfitOfFilter,
  type Outline,
  type Parameters,
  type RunDocumentSchema,
  type ShownTable,
} from '../api/index.ts'
import type { ViewFolder } from './folders.ts'
import type { ViewedRun } from './open-runs.ts'
import { type Subset, subsetFrom, viewCountOf } from './subset.ts'
import { modelNames } from './summary.ts'

/** A document about one run; it is served and exported once it is in the list of `app.ts`. */
export interface RunDocument<T = unknown> {
  readonly schema: RunDocumentSchema<T>
  /**
   * @param query - of the address; `parser` is filled in.
   * @throws UsageError for a query that asks for something the run does not have.
   */
  readonly answer: (viewed: ViewedRun, query: URLSearchParams, at: Viewing) => Promise<T>
  /** The queries whose answers are exported. Default: none, the document needs a server. */
  readonly exported?: (run: ExportedRun) => readonly Parameters[]
}

/** Where a run is viewed. */
export interface Viewing {
  readonly folder: ViewFolder
  /** Works with another run that is viewed. @throws UsageError if there is none of this id */
  readonly other: <T>(id: string, work: (viewed: ViewedRun) => Promise<T>) => Promise<T>
}

/** What decides which documents of a run are exported. */
export interface ExportedRun {
  readonly outline: Outline
  readonly features: Outline['features']
  readonly models: readonly string[]
  /** The `models` parameter of every page of models; null: of the first, which needs none. */
  readonly modelPages: readonly (string | null)[]
  /** The ids of the items that get a page. */
  readonly items: readonly string[]
}

/** Keeps the types of schema and answer together. */
export const runDocument = <T>(document: RunDocument<T>): RunDocument<T> => document

/** The parser whose verdicts count. */
export const parserIn = (query: URLSearchParams): string => query.get('parser') ?? 'strict'

/** The parameters that have a value. */
export const queryOf = (values: { readonly [name: string]: string | null }): Parameters =>
  Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

/** The filter of items that a query holds, the first row that is wanted, and how many subsets were viewed. @throws UsageError */
export function filterIn(query: URLSearchParams): {
  readonly filter: ItemsFilter
  readonly offset: number
  readonly views: number
} {
  const offset = Number(query.get('offset') ?? '0')
  const views = viewCountOf(query.get('views'))
  const { success, data, error } = filterOf(
    [...query].filter(([name]) => name !== 'offset' && name !== 'views'),
    schemaErrorMap,
  )
  if (!success || !Number.isSafeInteger(offset) || offset < 0)
    throw new UsageError(`expected a filter of items: ${error === undefined ? 'offset' : misfitOfFilter(error)}`)
  return { filter: data, offset, views }
}

/** The subset of items that a query asks for; null: all items. @throws UsageError */
export function subsetIn(query: URLSearchParams): Subset | null {
  const { filter, views } = filterIn(query)
  return subsetFrom(filter, views)
}

const MAX_SHOWN = 20

/**
 * Rejects tasks and models that a run does not have: an empty result would read as a finding.
 *
 * @throws UsageError naming what there is.
 */
export function validateQuery({ run }: ViewedRun, asked: URLSearchParams): void {
  const requireKnown = (what: string, name: string, known: readonly string[]): void => {
    const value = asked.get(name) ?? ''
    if (value === '' || known.includes(value)) return
    const list = known.slice(0, MAX_SHOWN).join(', ')
    throw new UsageError(
      `this run has no ${what} "${value.slice(0, 100)}"${hint(value, known)}. Expected one of: ${list}${known.length > MAX_SHOWN ? ', …' : ''}`,
    )
  }
  requireKnown('task', 'task', [...new Set(run.file.sources.map(({ task }) => task))])
  // Of two runs B is a model of the other.
  for (const name of asked.has('with') ? ['model', 'a'] : ['model', 'a', 'b'])
    requireKnown('model', name, modelNames(run))
}

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

export const plainTable = ({ id, title, columns, rows }: Table): ShownTable =>
  JSON.parse(JSON.stringify({ id, title, columns, rows })) as ShownTable

import { UsageError } from '../../core/index.ts'
import { schemaErrorMap } from '../../core/schema-errors.ts'
import {
  filterOf,
  type ItemsFilter,
  misfitOfFilter,
  type Outline,
  type Parameters,
  type RunDocumentSchema,
} from '../api/index.ts'
import type { ViewFolder } from './folders.ts'
import type { ViewedRun } from './open-runs.ts'
import { type Subset, subsetFrom, viewCountOf } from './subset.ts'

/** A document about one run; it is served and exported once it stands in the list of `documents.ts`. */
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
  /** The features that have more than one level. */
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

import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { isUsageError, UsageError } from '../../core/index.ts'
import { schemaErrorMap } from '../../core/schema-errors.ts'
import { isStoreError } from '../../store/index.ts'
import {
  conditionCount,
  type Folders,
  filterOf,
  type ItemsFilter,
  misfitOfFilter,
  tokenMeasure,
  tokenMeasures,
} from '../api/index.ts'
import type { Asset } from './assets.ts'
import { type ByFeatureRequest, byFeatureOf } from './by-feature.ts'
import { compareOf } from './compare.ts'
import { stopRun } from './control.ts'
import { datasetOf } from './dataset.ts'
import { errorResponse } from './error-response.ts'
import { findFolders, type ViewFolder } from './folders.ts'
import { guard } from './guard.ts'
import { itemOf } from './item.ts'
import { itemsOf, neighboursOf } from './items.ts'
import { loglikelihoodOf } from './loglikelihood.ts'
import { modelPageNumber } from './model-page.ts'
import type { OpenRuns, ViewedRun } from './open-runs.ts'
import { defaultParser, outlineOf } from './outline.ts'
import { overviewOf } from './overview.ts'
import { referencesByFeatureOf, referencesOfRun } from './references.ts'
import { subsetFrom, viewCountOf } from './subset.ts'
import { subsetAndRestOf } from './subset-and-rest.ts'
import { folderSummary } from './summary.ts'
import { tokensOf } from './tokens.ts'
import { validateQuery } from './validate-query.ts'

export interface ViewOptions {
  /** Run and dataset folders, or folders that hold some. */
  readonly paths: readonly string[]
  readonly token: string
  /** The built pages, by their path. */
  readonly assets: ReadonlyMap<string, Asset>
  readonly runs: OpenRuns
  /** Runs that are worked on may be stopped; left out: the view only reads. */
  readonly control?: boolean
  /** Milliseconds between two views at runs that are worked on. */
  readonly every?: number
}

/** The server of the view: it only reads, unless it may control. Its answers are documents of `src/view/api`. */
export function viewApp({ paths, token, assets, runs, control = false, every = 1000 }: ViewOptions): Hono {
  const app = new Hono()
  app.use(guard(token, control))
  app.onError((error, context) => {
    const known = isUsageError(error) || isStoreError(error)
    const message = error instanceof Error ? error.message : String(error)
    return known
      ? errorResponse(context, 400, message, 'Go back, or change what is asked for.')
      : errorResponse(context, 500, message, 'This is a mistake of the view: please report it.')
  })
  app.notFound((context) => errorResponse(context, 404, `there is no ${context.req.path}`, 'Begin at /'))

  for (const [path, { body, type }] of assets)
    app.get(path, (context) => context.body(body, 200, { 'content-type': type }))

  const listed = async (): Promise<Folders> => {
    const found = await findFolders(paths)
    const folders = []
    for (const folder of found) folders.push(await folderSummary(folder, runs, control))
    return { schema: 'touchstone/view-folders/1', folders }
  }
  const folderOf = async (kind: ViewFolder['kind'], id: string): Promise<ViewFolder> => {
    const folder = (await findFolders(paths)).find((one) => one.kind === kind && one.id === id)
    if (folder === undefined) throw new UsageError(`there is no ${kind} ${id.slice(0, 100)} below what is viewed`)
    return folder
  }
  /** A document about one run. */
  const ofRun = (
    document: string,
    answer: (viewed: ViewedRun, asked: URLSearchParams, folder: ViewFolder) => Promise<object>,
  ): void => {
    app.get(`/api/runs/:id/${document}`, async (context) => {
      const folder = await folderOf('run', context.req.param('id'))
      const answered = await runs.visit(folder.path, (viewed) => {
        const asked = new URL(context.req.url).searchParams
        validateQuery(viewed, asked)
        if (!asked.get('parser')) asked.set('parser', defaultParser(viewed))
        return answer(viewed, asked, folder)
      })
      return context.json(answered)
    })
  }

  app.get('/api/folders', async (context) => context.json(await listed()))
  app.get('/api/events', (context) =>
    streamSSE(context, async (stream) => {
      let before = ''
      while (!stream.aborted) {
        const text = JSON.stringify(await listed())
        if (text !== before) await stream.writeSSE({ event: 'folders', data: text })
        before = text
        await stream.sleep(every)
      }
    }),
  )
  ofRun('overview', (viewed, asked, folder) => {
    const { filter, views } = filterIn(asked)
    return overviewOf(folder, viewed, { parser: parserIn(asked), subset: subsetFrom(filter, views) })
  })
  ofRun('outline', (viewed, asked, folder) => outlineOf(folder, viewed, parserIn(asked)))
  ofRun('items', (viewed, asked) => {
    const { filter, offset } = filterIn(asked)
    return itemsOf(viewed, filter, offset)
  })
  ofRun('neighbours', (viewed, asked) => neighboursOf(viewed, filterIn(asked).filter, asked.get('id') ?? ''))
  ofRun('item', (viewed, asked) => itemOf(viewed, asked.get('id') ?? ''))
  ofRun('references', (viewed, asked) => {
    const { filter, views } = filterIn(asked)
    return referencesOfRun(viewed, subsetFrom(filter, views))
  })
  ofRun('by-feature', (viewed, asked) => byFeatureOf(viewed, byFeatureIn(asked)))
  ofRun('references-by-feature', (viewed, asked) => referencesByFeatureOf(viewed, byFeatureIn(asked)))
  ofRun('subset-and-rest', (viewed, asked) => {
    const { filter, views } = filterIn(asked)
    return subsetAndRestOf(viewed, filter, views)
  })
  ofRun('compare', (viewed, asked) => {
    const { filter, views } = filterIn(asked)
    const [a, b] = [asked.get('a') ?? '', asked.get('b') ?? '']
    return compareOf(viewed, { a, b, parser: parserIn(asked), subset: subsetFrom(filter, views) })
  })
  ofRun('tokens', (viewed, asked) => {
    const measure = tokenMeasure.optional().safeParse(asked.get('measure') ?? undefined)
    if (!measure.success) throw new UsageError(`measure is one of ${tokenMeasures.join(', ')}`)
    const { filter, views } = filterIn(asked)
    // A task alone is what the page shows, and no subset.
    const subset = conditionCount({ ...filter, task: undefined }) === 0 ? null : subsetFrom(filter, views)
    return tokensOf(viewed, {
      measure: measure.data ?? null,
      x: asked.get('x'),
      task: asked.get('task'),
      parser: parserIn(asked),
      modelPage: modelPageNumber(asked.get('models')),
      subset,
    })
  })
  ofRun('loglikelihood', (viewed) => loglikelihoodOf(viewed))
  app.post('/api/runs/:id/stop', async (context) => {
    const { path } = await folderOf('run', context.req.param('id'))
    return context.json({ schema: 'touchstone/view-stopped/1', pid: stopRun(path) })
  })
  app.get('/api/datasets/:id', async (context) =>
    context.json(await datasetOf(await folderOf('dataset', context.req.param('id')))),
  )
  return app
}

/** Whose readings count: filled in where an address does not say. */
const parserIn = (asked: URLSearchParams): string => asked.get('parser') ?? 'strict'

/** The surface that an address asks for. */
const byFeatureIn = (asked: URLSearchParams): ByFeatureRequest => ({
  x: asked.get('x') ?? '',
  y: asked.get('y'),
  each: asked.get('each') === 'yes',
  parser: parserIn(asked),
  task: asked.get('task'),
  modelPage: modelPageNumber(asked.get('models')),
})

/** The filter of items that an address asks for, from which folder on, and for how many views. @throws UsageError where it is none */
function filterIn(asked: URLSearchParams): {
  readonly filter: ItemsFilter
  readonly offset: number
  readonly views: number
} {
  const offset = Number(asked.get('offset') ?? '0')
  const views = viewCountOf(asked.get('views'))
  const { success, data, error } = filterOf(
    [...asked].filter(([name]) => name !== 'offset' && name !== 'views'),
    schemaErrorMap,
  )
  if (!success || !Number.isSafeInteger(offset) || offset < 0)
    throw new UsageError(`this is no filter of items: ${error === undefined ? 'offset' : misfitOfFilter(error)}`)
  return { filter: data, offset, views }
}

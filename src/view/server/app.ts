import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { isUsageError, UsageError } from '../../core/index.ts'
import { isStoreError } from '../../store/index.ts'
import { documentName, type Folders } from '../api/index.ts'
import type { Asset } from './assets.ts'
import { byFeatureDocument } from './by-feature.ts'
import { compareRunDocument } from './compare.ts'
import { effectsDocument } from './effects.ts'
import { findFolders, type ViewFolder } from './folders.ts'
import { errorResponse, guard } from './guard.ts'
import { historyDocument } from './history.ts'
import { itemRunDocument } from './item.ts'
import { itemsDocument, neighboursDocument } from './items.ts'
import type { OpenRuns } from './open-runs.ts'
import { defaultParser, outlineDocument } from './outline.ts'
import { loglikelihoodDocument, overviewDocument } from './overview.ts'
import { referencesByFeatureDocument, referencesDocument } from './references.ts'
import { type RunDocument, validateQuery } from './run-document.ts'
import { subsetAndRestDocument } from './subset-and-rest.ts'
import { datasetOf, folderSummary, stopRun } from './summary.ts'
import { tokensRunDocument } from './tokens.ts'

/** All documents about a run; each is served, and exported if it has `exported`. */
export const runDocuments: readonly RunDocument[] = [
  overviewDocument,
  historyDocument,
  outlineDocument,
  referencesDocument,
  byFeatureDocument,
  effectsDocument,
  referencesByFeatureDocument,
  subsetAndRestDocument,
  compareRunDocument,
  tokensRunDocument,
  loglikelihoodDocument,
  itemsDocument,
  neighboursDocument,
  itemRunDocument,
]

interface ViewOptions {
  /** Run and dataset folders, or parents of such folders. */
  readonly paths: readonly string[]
  readonly token: string
  /** The built pages, by their path. */
  readonly assets: ReadonlyMap<string, Asset>
  readonly runs: OpenRuns
  /** Allows to stop runs in progress. Default: the view only reads. */
  readonly control?: boolean
  /** Milliseconds between two updates of runs in progress. Default: 1,000. */
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
      : errorResponse(context, 500, message, 'This is a bug in the view. Please report it.')
  })
  app.notFound((context) => errorResponse(context, 404, `no page ${context.req.path}`, 'Start at /'))

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
    if (folder === undefined)
      throw new UsageError(`no ${kind} ${id.slice(0, 100)} is among the folders that are viewed`)
    return folder
  }
  for (const { schema, answer } of runDocuments)
    app.get(`/api/runs/:id/${documentName(schema)}`, async (context) => {
      const folder = await folderOf('run', context.req.param('id'))
      const document = await runs.visit(folder.path, (viewed) => {
        const query = new URL(context.req.url).searchParams
        validateQuery(viewed, query)
        if (!query.get('parser')) query.set('parser', defaultParser(viewed))
        return answer(viewed, query, {
          folder,
          other: async (id, work) => runs.visit((await folderOf('run', id)).path, work),
        })
      })
      return context.json(document as object)
    })
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
  app.post('/api/runs/:id/stop', async (context) => {
    const { path } = await folderOf('run', context.req.param('id'))
    return context.json({ schema: 'touchstone/view-stopped/1', pid: stopRun(path) })
  })
  app.get('/api/datasets/:id', async (context) =>
    context.json(await datasetOf(await folderOf('dataset', context.req.param('id')))),
  )
  return app
}

import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { isUsageError, UsageError } from '../../core/index.ts'
import { schemaErrorMap } from '../../core/schema-errors.ts'
import { isStoreError } from '../../store/index.ts'
import {
  conditionsOf,
  filterOf,
  type ItemsFilter,
  misfitOfFilter,
  type Places,
  tokenMeasure,
  tokenMeasures,
} from '../api/index.ts'
import type { Asset } from './assets.ts'
import { batchNumber } from './batch.ts'
import { blindSetsOf, blindSurfaceOf } from './blind.ts'
import { boardOf } from './board.ts'
import { choiceFrom, looksOf } from './chosen.ts'
import { compareOf } from './compare.ts'
import { stopRun } from './control.ts'
import { cutOf } from './cut.ts'
import { datasetOf } from './dataset.ts'
import { fault } from './fault.ts'
import { findFolders, type ViewFolder } from './folders.ts'
import { guard } from './guard.ts'
import { itemOf } from './item.ts'
import { itemsOf, neighboursOf } from './items.ts'
import type { OpenRuns, ViewedRun } from './open-runs.ts'
import { firstReader, outlineOf } from './outline.ts'
import { scoredOf } from './scored.ts'
import { placeSummary } from './summary.ts'
import { type SurfaceRequest, surfaceOf } from './surface.ts'
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
  /** Milliseconds between two looks at runs that are worked on. */
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
      ? fault(context, 400, message, 'Go back, or change what is asked for.')
      : fault(context, 500, message, 'This is a mistake of the view: please report it.')
  })
  app.notFound((context) => fault(context, 404, `there is no ${context.req.path}`, 'Begin at /'))

  for (const [path, { body, type }] of assets)
    app.get(path, (context) => context.body(body, 200, { 'content-type': type }))

  const listed = async (): Promise<Places> => {
    const found = await findFolders(paths)
    const places = []
    for (const place of found) places.push(await placeSummary(place, runs, control))
    return { schema: 'touchstone/view-places/1', places }
  }
  const placeOf = async (kind: ViewFolder['kind'], id: string): Promise<ViewFolder> => {
    const place = (await findFolders(paths)).find((one) => one.kind === kind && one.id === id)
    if (place === undefined) throw new UsageError(`there is no ${kind} ${id.slice(0, 100)} below what is viewed`)
    return place
  }
  /** A document about one run. */
  const ofRun = (
    document: string,
    answer: (viewed: ViewedRun, asked: URLSearchParams, place: ViewFolder) => Promise<object>,
  ): void => {
    app.get(`/api/runs/:id/${document}`, async (context) => {
      const place = await placeOf('run', context.req.param('id'))
      const answered = await runs.visit(place.path, (viewed) => {
        const asked = new URL(context.req.url).searchParams
        validateQuery(viewed, asked)
        if (!asked.get('parser')) asked.set('parser', firstReader(viewed))
        return answer(viewed, asked, place)
      })
      return context.json(answered)
    })
  }

  app.get('/api/places', async (context) => context.json(await listed()))
  app.get('/api/events', (context) =>
    streamSSE(context, async (stream) => {
      let before = ''
      while (!stream.aborted) {
        const text = JSON.stringify(await listed())
        if (text !== before) await stream.writeSSE({ event: 'places', data: text })
        before = text
        await stream.sleep(every)
      }
    }),
  )
  ofRun('board', (viewed, asked, place) => {
    const { filter, looks } = filterIn(asked)
    return boardOf(place, viewed, { parser: readerIn(asked), choice: choiceFrom(filter, looks) })
  })
  ofRun('outline', (viewed, asked, place) => outlineOf(place, viewed, readerIn(asked)))
  ofRun('items', (viewed, asked) => {
    const { filter, offset } = filterIn(asked)
    return itemsOf(viewed, filter, offset)
  })
  ofRun('neighbours', (viewed, asked) => neighboursOf(viewed, filterIn(asked).filter, asked.get('id') ?? ''))
  ofRun('item', (viewed, asked) => itemOf(viewed, asked.get('id') ?? ''))
  ofRun('blind', (viewed, asked) => {
    const { filter, looks } = filterIn(asked)
    return blindSetsOf(viewed, choiceFrom(filter, looks))
  })
  ofRun('surface', (viewed, asked) => surfaceOf(viewed, surfaceIn(asked)))
  ofRun('blind-surface', (viewed, asked) => blindSurfaceOf(viewed, surfaceIn(asked)))
  ofRun('cut', (viewed, asked) => {
    const { filter, looks } = filterIn(asked)
    return cutOf(viewed, filter, looks)
  })
  ofRun('compare', (viewed, asked) => {
    const { filter, looks } = filterIn(asked)
    const [a, b] = [asked.get('a') ?? '', asked.get('b') ?? '']
    return compareOf(viewed, { a, b, parser: readerIn(asked), choice: choiceFrom(filter, looks) })
  })
  ofRun('tokens', (viewed, asked) => {
    const measure = tokenMeasure.optional().safeParse(asked.get('measure') ?? undefined)
    if (!measure.success) throw new UsageError(`measure is one of ${tokenMeasures.join(', ')}`)
    const { filter, looks } = filterIn(asked)
    // A task alone is what the page shows, and no choice.
    const choice = conditionsOf({ ...filter, task: undefined }) === 0 ? null : choiceFrom(filter, looks)
    return tokensOf(viewed, {
      measure: measure.data ?? null,
      x: asked.get('x'),
      task: asked.get('task'),
      parser: readerIn(asked),
      batch: batchNumber(asked.get('models')),
      choice,
    })
  })
  ofRun('scored', (viewed) => scoredOf(viewed))
  app.post('/api/runs/:id/stop', async (context) => {
    const { path } = await placeOf('run', context.req.param('id'))
    return context.json({ schema: 'touchstone/view-stopped/1', pid: stopRun(path) })
  })
  app.get('/api/datasets/:id', async (context) =>
    context.json(await datasetOf(await placeOf('dataset', context.req.param('id')))),
  )
  return app
}

/** Whose readings count: filled in where an address does not say. */
const readerIn = (asked: URLSearchParams): string => asked.get('parser') ?? 'strict'

/** The surface that an address asks for. */
const surfaceIn = (asked: URLSearchParams): SurfaceRequest => ({
  x: asked.get('x') ?? '',
  y: asked.get('y'),
  each: asked.get('each') === 'yes',
  parser: readerIn(asked),
  task: asked.get('task'),
  batch: batchNumber(asked.get('models')),
})

/** The filter of items that an address asks for, from which place on, and for how many looks. @throws UsageError where it is none */
function filterIn(asked: URLSearchParams): {
  readonly filter: ItemsFilter
  readonly offset: number
  readonly looks: number
} {
  const offset = Number(asked.get('offset') ?? '0')
  const looks = looksOf(asked.get('looks'))
  const { success, data, error } = filterOf(
    [...asked].filter(([name]) => name !== 'offset' && name !== 'looks'),
    schemaErrorMap,
  )
  if (!success || !Number.isSafeInteger(offset) || offset < 0)
    throw new UsageError(`this is no filter of items: ${error === undefined ? 'offset' : misfitOfFilter(error)}`)
  return { filter: data, offset, looks }
}

import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { isUsageError, UsageError } from '../../core/index.ts'
import { misfitInWords } from '../../core/misfit.ts'
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
import { guard } from './guard.ts'
import { itemOf } from './item.ts'
import { itemsOf, neighboursOf } from './items.ts'
import { refuseUnknown } from './known.ts'
import type { OpenRuns, ViewedRun } from './open-runs.ts'
import { outlineOf } from './outline.ts'
import { findPlaces, type Place } from './places.ts'
import { scoredOf } from './scored.ts'
import { placeSummary } from './summary.ts'
import { type SurfaceRequest, surfaceOf } from './surface.ts'
import { tokensOf } from './tokens.ts'

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
    const found = await findPlaces(paths)
    const places = []
    for (const place of found) places.push(await placeSummary(place, runs, control))
    return { schema: 'touchstone/view-places/1', places }
  }
  const placeOf = async (kind: Place['kind'], id: string): Promise<Place> => {
    const place = (await findPlaces(paths)).find((one) => one.kind === kind && one.id === id)
    if (place === undefined) throw new UsageError(`there is no ${kind} ${id.slice(0, 100)} below what is viewed`)
    return place
  }
  /** A document about one run. */
  const ofRun = (
    document: string,
    answer: (viewed: ViewedRun, context: Context, place: Place) => Promise<object>,
  ): void => {
    app.get(`/api/runs/:id/${document}`, async (context) => {
      const place = await placeOf('run', context.req.param('id'))
      const answered = await runs.visit(place.path, (viewed) => {
        refuseUnknown(viewed, new URL(context.req.url).searchParams)
        return answer(viewed, context, place)
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
  ofRun('board', (viewed, { req }, place) => {
    const { filter, looks } = filterIn(req.url)
    return boardOf(place, viewed, { parser: req.query('parser') ?? null, choice: choiceFrom(filter, looks) })
  })
  ofRun('outline', (viewed, { req }, place) => outlineOf(place, viewed, req.query('parser') ?? null))
  ofRun('items', (viewed, { req }) => {
    const { filter, offset } = filterIn(req.url)
    return itemsOf(viewed, filter, offset)
  })
  ofRun('neighbours', (viewed, { req }) => neighboursOf(viewed, filterIn(req.url).filter, req.query('id') ?? ''))
  ofRun('item', (viewed, { req }) => itemOf(viewed, req.query('id') ?? ''))
  ofRun('blind', (viewed, { req }) => {
    const { filter, looks } = filterIn(req.url)
    return blindSetsOf(viewed, choiceFrom(filter, looks))
  })
  ofRun('surface', (viewed, { req }) => surfaceOf(viewed, surfaceIn(req.query())))
  ofRun('blind-surface', (viewed, { req }) => blindSurfaceOf(viewed, surfaceIn(req.query())))
  ofRun('cut', (viewed, { req }) => {
    const { filter, looks } = filterIn(req.url)
    return cutOf(viewed, filter, looks)
  })
  ofRun('compare', (viewed, { req }) => {
    const { a = '', b = '', parser = 'strict' } = req.query()
    const { filter, looks } = filterIn(req.url)
    return compareOf(viewed, { a, b, parser, choice: choiceFrom(filter, looks) })
  })
  ofRun('tokens', (viewed, { req }) => {
    const { measure, x, task, parser = 'strict', models } = req.query()
    const asked = tokenMeasure.optional().safeParse(measure)
    if (!asked.success) throw new UsageError(`measure is one of ${tokenMeasures.join(', ')}`)
    const batch = batchNumber(models ?? null)
    const { filter, looks } = filterIn(req.url)
    // A task alone is what the page shows, and no choice.
    const choice = conditionsOf({ ...filter, task: undefined }) === 0 ? null : choiceFrom(filter, looks)
    return tokensOf(viewed, { measure: asked.data ?? null, x: x ?? null, task: task ?? null, parser, batch, choice })
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

/** The surface that an address asks for. */
const surfaceIn = ({ x, y, each, parser = 'strict', task, models }: Record<string, string>): SurfaceRequest => ({
  x: x ?? '',
  y: y ?? null,
  each: each === 'yes',
  parser,
  task: task ?? null,
  batch: batchNumber(models ?? null),
})

/** The filter of items that an address asks for, from which place on, and for how many looks. @throws UsageError where it is none */
function filterIn(url: string): { readonly filter: ItemsFilter; readonly offset: number; readonly looks: number } {
  const { searchParams } = new URL(url)
  const offset = Number(searchParams.get('offset') ?? '0')
  const looks = looksOf(searchParams.get('looks'))
  const { success, data, error } = filterOf(
    [...searchParams].filter(([name]) => name !== 'offset' && name !== 'looks'),
    misfitInWords,
  )
  if (!success || !Number.isSafeInteger(offset) || offset < 0)
    throw new UsageError(`this is no filter of items: ${error === undefined ? 'offset' : misfitOfFilter(error)}`)
  return { filter: data, offset, looks }
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { JsonObject } from '../../core/index.ts'
import { curriculum, curriculumRequest } from './curriculum.ts'
import { HttpError, readAs } from './http.ts'
import { METRICS_TYPE, Metrics } from './metrics.ts'
import { OWN_ROUTES, openApi, type Route } from './openapi.ts'
import { isLocalName, isSameOrigin } from './origin.ts'
import { itemsRequest, scoreRequest } from './schemas.ts'
import { type Service, type ServiceOptions, serviceOf } from './service.ts'

export interface AppOptions extends Omit<ServiceOptions, 'onDrawn' | 'onScored'> {
  /** Key that clients must send as `authorization: Bearer KEY`. Default: none. */
  readonly key?: string
  /** Name that the server was asked to listen on: clients may call it by that name. */
  readonly host?: string
  /** Receives internal errors. */
  readonly onError?: (error: unknown) => void
}

/** A protocol of an RL framework: its routes, mounted at the root. */
export interface Protocol {
  readonly routes: readonly Route[]
  mount(app: Hono, service: Service): void
}

/** The routes of the server; `fetch` of the result maps requests to responses. */
export function appOf(options: AppOptions, protocols: readonly Protocol[] = []): Hono {
  const metrics = new Metrics()
  const service = serviceOf({
    ...options,
    onDrawn: (task, kind) => metrics.count('items', { task, kind }),
    onScored: (task, { status, error }) =>
      metrics.count('scores', { task: task ?? '', status, error: error?.code ?? '' }),
  })
  const app = new Hono()
  app.use(async (context, next) => {
    const end = metrics.begin()
    try {
      checkOrigin(context, options)
      checkKey(context, options.key)
      await next()
    } finally {
      // The pattern of the route, not the path: clients could make up any number of paths.
      const route = context.res.status === 404 ? '' : routeOf(context)
      end(route, context.res.status)
    }
  })
  app.onError((error, context) => {
    if (error instanceof HttpError) return sendError(context, error)
    options.onError?.(error)
    const message = 'internal error: see the log of the server'
    return context.json({ error: { code: 'internal', message }, detail: message }, 500)
  })
  app.notFound((context) =>
    sendError(context, new HttpError(404, 'no-such-route', 'GET /openapi.json lists the routes')),
  )
  const document = openApi([...OWN_ROUTES, ...protocols.flatMap(({ routes }) => routes)])
  app.get('/health', (context) => context.json({ status: 'healthy' }))
  app.get('/metrics', (context) => context.body(metrics.text(), 200, { 'content-type': METRICS_TYPE }))
  app.get('/openapi.json', (context) => context.json(document))
  app.get('/v1/tasks', (context) => context.json(catalogue(service)))
  app.post('/v1/items', async (context) =>
    context.json({ items: await service.items(await readAs(context.req.raw, itemsRequest)) }),
  )
  app.post('/v1/score', async (context) => {
    const { items, parser, trace } = await readAs(context.req.raw, scoreRequest)
    return context.json({ scores: await service.score(items, parser, trace) })
  })
  app.post('/v1/curriculum', async (context) => {
    const request = await readAs(context.req.raw, curriculumRequest)
    const { task, split } = service.choose(request.task, request.split)
    const sizeOf = (config: JsonObject) => service.size({ task: task.name, config, split, seed: request.seed })
    return context.json(await curriculum(task, request, split, sizeOf))
  })
  for (const protocol of protocols) protocol.mount(app, service)
  return app
}

const routeOf = (context: Context): string =>
  context.req.matchedRoutes.findLast(({ path }) => path !== '/*')?.path ?? ''

const sendError = (context: Context, { status, code, message }: HttpError): Response =>
  context.json({ error: { code, message }, detail: message }, status, status === 503 ? { 'retry-after': '1' } : {})

/** Web pages may not use the server through the browser of somebody who can reach it. Who has the key may use any name. */
function checkOrigin({ req }: Context, { key, host: own }: AppOptions): void {
  const host = req.header('host') ?? ''
  if (!isSameOrigin(host, req.header('origin')))
    throw new HttpError(403, 'foreign-origin', 'web pages of other addresses may not use this server')
  if (key !== undefined || isLocalName(host) || host.replace(/:\d+$/u, '') === own) return
  throw new HttpError(
    403,
    'foreign-host',
    `the server is not called "${host.slice(0, 100)}": use its address, or a key`,
  )
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/** Clients of Open Reward Standard send the key as `x-api-key`. */
function checkKey({ req }: Context, key: string | undefined): void {
  if (key === undefined || req.path === '/health') return
  const sent = req.header('authorization') ?? `Bearer ${req.header('x-api-key') ?? ''}`
  if (!timingSafeEqual(digest(sent), digest(`Bearer ${key}`)))
    throw new HttpError(401, 'no-key', 'send the header authorization: Bearer KEY')
}

const catalogue = ({ tasks, splits }: Service) => ({
  splits,
  tasks: tasks.map(({ name, version, summary, styles, parsers = {}, presets }) => ({
    task: name,
    version,
    summary,
    styles,
    parsers: Object.keys(parsers),
    presets: Object.entries(presets).map(([preset, one]) => ({ name: preset, summary: one.summary })),
  })),
})

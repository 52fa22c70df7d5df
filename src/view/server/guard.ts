import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { isLoopback, isSameOrigin } from '../../extras/protocols/origin.ts'

/** An error as text for a person who opens an address, else as a document. */
export function errorResponse(
  context: Context,
  status: 400 | 401 | 403 | 404 | 405 | 500,
  message: string,
  next: string,
): Response {
  const isPage = context.req.header('accept')?.includes('text/html') === true
  return isPage
    ? context.text(`${message}\n\nNext: ${next}\n`, status)
    : context.json({ schema: 'touchstone/view-error/1', message, next }, status)
}

/**
 * What a page of the view may do: its own scripts and styles, nothing from elsewhere. Grammars are recognised by compiled
 * WebAssembly; Plot writes style elements.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

/**
 * Lets in only who knows the token: once in the address, which gives a cookie, or in the header `authorization`. Names of
 * this machine other than the loopback's are refused, so that no page of another name reaches the server through a browser;
 * and so is every method that could change something. With `control` a POST is let in, from the view's own pages only.
 */
export function guard(token: string, control = false): MiddlewareHandler {
  const cookie = `touchstone-${digest(token).toString('hex').slice(0, 8)}`
  return async (context, next) => {
    for (const [name, value] of HEADERS) context.header(name, value)
    const host = context.req.header('host') ?? ''
    if (!isLoopback(host)) return refused(context, 403, 'this server answers to the loopback address only')
    if (!isSameOrigin(host, context.req.header('origin')))
      return refused(context, 403, 'a page of another address asks for this')
    const { method } = context.req
    if (method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && control))
      return refused(context, 405, 'the view reads only, unless it was started with --allow-stop')
    const given = context.req.query('token')
    if (given !== undefined && same(given, token)) return admitted(context, cookie, token)
    const bearer = context.req.header('authorization')?.replace(/^Bearer /u, '')
    const known = bearer ?? getCookie(context, cookie)
    if (known === undefined || !same(known, token))
      return refused(context, 401, 'open the address that `touchstone view` printed: it holds the token')
    return proceed(context, next)
  }
}

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
]

async function proceed(_context: Context, next: Next): Promise<undefined> {
  await next()
  return undefined
}

/** Redirects to the address without the token, to keep it out of history and screenshots: a path here, never `//host`. */
function admitted(context: Context, cookie: string, token: string): Response {
  setCookie(context, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/' })
  return context.redirect(new URL(context.req.url).pathname.replace(/^\/+/u, '/'), 303)
}

const refused = (context: Context, status: 401 | 403 | 405, message: string): Response =>
  errorResponse(context, status, message, 'touchstone view PATH')

import type { Hono } from 'hono'
import { namedStream } from '../../../src/core/index.ts'
import { type AppOptions, appOf, type Protocol } from '../../../src/extras/protocols/app.ts'
import { inlineWorkers } from '../../../src/extras/protocols/engine.ts'
import { keysOf } from '../../../src/extras/protocols/token.ts'
import { families } from '../../../src/tasks/index.ts'

export const tasks = families.flatMap((family) => family.tasks)
export const keys = keysOf('a secret of the tests, long enough')

export const RECOGNIZE = { task: 'relic/recognize', preset: 'relic-demo' } as const

/** The server without a network and without threads. */
export const appWith = (options: Partial<AppOptions> = {}, protocols: readonly Protocol[] = []): Hono =>
  appOf({ tasks, workers: inlineWorkers(tasks), keys, splits: ['train'], ...options }, protocols)

export const post = (app: Hono, path: string, body: unknown, headers: { readonly [name: string]: string } = {}) =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The body of an answer that has to be good. */
export async function good<T>(answer: Response | Promise<Response>): Promise<T> {
  const response = await answer
  const text = await response.text()
  if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

export interface Served {
  readonly items: readonly {
    readonly index: number
    readonly token: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
  }[]
}

/** A stream for tests that draw. */
export const draws = (name: string) => namedStream('test/serve', name)

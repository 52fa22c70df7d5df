import { useEffect, useRef, useState } from 'preact/hooks'
import type * as z from 'zod/mini'
import {
  documentPath,
  type Folders,
  folders,
  type ItemsPage,
  itemsPage,
  type Parameters,
  type RunDocumentSchema,
  viewError,
} from '../api/index.ts'
import { itemsOfExport, neighboursOfExport } from './exported-items.ts'

/** Runs a script beside the page; pages opened from a disk cannot load modules. @throws Error if it cannot be loaded */
export async function runScript(src: string): Promise<void> {
  const script = document.createElement('script')
  script.src = src
  try {
    await new Promise<void>((resolve, reject) => {
      script.onload = () => resolve()
      script.onerror = () => reject(new Error(`${src} cannot be read`))
      document.head.append(script)
    })
  } finally {
    script.remove()
  }
}

/** Events for a page: the list of folders, and whether the server responds. */
type ServerEvent =
  | { readonly kind: 'folders'; readonly text: string }
  | { readonly kind: 'here' }
  | { readonly kind: 'away' }

const NAME = 'touchstone-events'

/**
 * Follows the server until what is returned is called. One page of a browser listens and tells the others: a browser has six connections to
 * a server, and whoever listens holds one, so that the seventh page would never open.
 */
function subscribe(tell: (news: ServerEvent) => void): () => void {
  const others = new BroadcastChannel(NAME)
  others.onmessage = ({ data }: MessageEvent<ServerEvent>) => tell(data)
  const all = (news: ServerEvent): void => {
    tell(news)
    others.postMessage(news)
  }
  const ended = new AbortController()
  const { signal } = ended
  // A page that closes before it gets the lock has nothing to release.
  navigator.locks.request(NAME, { signal }, () => listen(all, tell, signal)).catch(() => undefined)
  return () => {
    ended.abort()
    others.close()
  }
}

/** Listens until the page closes or the server refuses; then another page may listen. */
const listen = (
  all: (news: ServerEvent) => void,
  self: (news: ServerEvent) => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const events = new EventSource('/api/events')
    const end = (): void => {
      events.close()
      resolve()
    }
    signal.addEventListener('abort', end)
    events.onopen = () => all({ kind: 'here' })
    events.onerror = () => {
      const isLast = events.readyState === EventSource.CLOSED
      ;(isLast ? self : all)({ kind: 'away' })
      if (isLast) end()
    }
    events.addEventListener('folders', (event) => all({ kind: 'folders', text: String(event.data) }))
  })

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'error'; readonly message: string; readonly next: string }

/** In exported pages: documents by path, set by the scripts beside the page. */
interface Exported {
  readonly files: { readonly [path: string]: string }
  readonly documents: Map<string, unknown>
}
declare global {
  var touchstoneExport: Exported | undefined
}

export const isExport = (): boolean => globalThis.touchstoneExport !== undefined

/** What to do where the server is away. */
export const START_AGAIN = 'Is `touchstone view` still running? Start it again and open its address.'

class ViewError extends Error {
  readonly next: string
  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}

/** Fetches and parses a document. @throws ViewError with advice */
async function fetchDocument<T>(schema: z.ZodMiniType<T>, path: string, signal?: AbortSignal): Promise<T> {
  return checked(schema, await bring(path, signal === undefined ? {} : { signal }))
}

export const fetchRunDocument = <T>(
  run: string,
  schema: RunDocumentSchema<T>,
  query: Parameters = [],
  signal?: AbortSignal,
): Promise<T> => fetchDocument(schema, documentPath(run, schema, query), signal)

/** Sends a request to act. @throws ViewError with advice */
export async function post<T>(schema: z.ZodMiniType<T>, path: string): Promise<T> {
  return checked(schema, await bring(path, { method: 'POST' }))
}

function checked<T>(schema: z.ZodMiniType<T>, document: unknown): T {
  const parsed = schema.safeParse(document)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ViewError(
    `expected another document from the server (${issue?.path.join('.')}: ${issue?.message})`,
    'Reload the page; server and page may have different versions.',
  )
}

async function bring(path: string, request: RequestInit): Promise<unknown> {
  const exported = globalThis.touchstoneExport
  if (exported !== undefined) return bringExported(exported, path)
  const response = await fetch(path, request).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ViewError('the server does not respond', START_AGAIN)
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const parsed = viewError.safeParse(body)
  throw parsed.success
    ? new ViewError(parsed.data.message, parsed.data.next)
    : new ViewError(`the server responded with status ${response.status}`, '')
}

async function bringExported(exported: Exported, path: string): Promise<unknown> {
  const asked = /^(?<run>\/api\/runs\/[^/]+)\/(?<what>items|neighbours)(?:\?(?<query>.*))?$/u.exec(path)?.groups
  if (asked?.['run'] === undefined) return bringFile(exported, path)
  const pages: ItemsPage[] = []
  for (const name of Object.keys(exported.files).filter((one) => one.startsWith(`${asked['run']}/items?`)))
    pages.push(itemsPage.parse(await bringFile(exported, name)))
  return (asked['what'] === 'items' ? itemsOfExport : neighboursOfExport)(pages, asked['query'] ?? '')
}

async function bringFile({ files, documents }: Exported, path: string): Promise<unknown> {
  if (documents.has(path)) return documents.get(path)
  const file = files[path]
  if (file === undefined)
    throw new ViewError('this was not exported', 'Run `touchstone view` on the folder to see everything.')
  await runScript(file).catch((error: Error) => {
    throw new ViewError(error.message, 'Is the exported folder complete?')
  })
  return documents.get(path)
}

/** The document at a path; null requests nothing. When `again` changes it is fetched once more after the request in progress, so that slow documents arrive too. */
export function useDocument<T>(schema: z.ZodMiniType<T>, path: string | null, again: unknown = null): Loading<T> {
  const [state, setState] = useState<{ readonly path: string | null; readonly value: Loading<T> }>({
    path,
    value: { kind: 'loading' },
  })
  const asking = useRef<{ wanted: unknown; more: () => void }>({ wanted: again, more: () => undefined })
  asking.current.wanted = again
  useEffect(() => {
    if (path === null) return
    const controller = new AbortController()
    let got: unknown = asking
    let busy = false
    const ask = async (): Promise<void> => {
      if (busy) return
      busy = true
      while (!controller.signal.aborted && got !== asking.current.wanted) {
        got = asking.current.wanted
        const value = await loaded(fetchDocument(schema, path, controller.signal))
        if (!controller.signal.aborted) setState({ path, value })
      }
      busy = false
    }
    asking.current.more = () => void ask()
    void ask()
    return () => controller.abort()
  }, [path])
  useEffect(() => asking.current.more(), [again])
  return state.path === path ? state.value : { kind: 'loading' }
}

/** The same for a document about one run; a query of null asks for nothing. */
export const useRunDocument = <T>(
  run: string,
  schema: RunDocumentSchema<T>,
  query: Parameters | null = [],
  again: unknown = null,
): Loading<T> => useDocument(schema, query === null ? null : documentPath(run, schema, query), again)

const loaded = <T>(work: Promise<T>): Promise<Loading<T>> =>
  work.then(
    (value) => ({ kind: 'ready', value }),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      return { kind: 'error', message, next: error instanceof ViewError ? error.next : '' }
    },
  )

/** The result of some work, which is done anew when `key` changes. */
export function useWork<T>(work: (signal: AbortSignal) => Promise<T>, key: string): Loading<T> {
  const [state, setState] = useState<{ readonly key: string; readonly value: Loading<T> } | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    void loaded(work(signal)).then((value) => signal.aborted || setState({ key, value }))
    return () => controller.abort()
  }, [key])
  return state?.key === key ? state.value : { kind: 'loading' }
}

/** The folders, as they change, and since when the server has not responded; null: it responds. */
export function useFolders(): { readonly folders: Loading<Folders>; readonly away: Date | null } {
  const [state, setState] = useState<Loading<Folders>>({ kind: 'loading' })
  const [away, setAway] = useState<Date | null>(null)
  useEffect(() => {
    void loaded(fetchDocument(folders, '/api/folders')).then(setState)
    if (isExport()) return
    return subscribe((news) => {
      if (news.kind === 'away') return setAway((since) => since ?? new Date())
      setAway(null)
      if (news.kind === 'here') return
      const parsed = folders.safeParse(JSON.parse(news.text))
      if (parsed.success) setState({ kind: 'ready', value: parsed.data })
    })
  }, [])
  return { folders: state, away }
}

/** Events for a page: the list of folders, and whether the server responds. */
export type ServerEvent =
  | { readonly kind: 'folders'; readonly text: string }
  | { readonly kind: 'here' }
  | { readonly kind: 'away' }

const NAME = 'touchstone-events'

/**
 * Follows the server until what is returned is called. One page of a browser listens and tells the others: a browser has six connections to
 * a server, and whoever listens holds one, so that the seventh page would never open.
 */
export function subscribe(tell: (news: ServerEvent) => void): () => void {
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

import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type ItemRow, type ItemsFilter, type ItemsPage, itemsPage, parametersOf } from '../../../api/index.ts'
import { fetchRunDocument } from '../../documents.ts'

/** Items of one page as the server sends them. */
const PAGE = 200

/** Items that match a filter, as far as they are loaded. */
interface ItemPages {
  readonly facts: ItemsPage | null
  readonly fault: string | null
  rowAt(index: number): ItemRow | undefined
  /** Asks for the rows from `first` to the one before `last`, each page once. */
  need(first: number, last: number): void
}

interface State {
  readonly key: string
  readonly pages: ReadonlyMap<number, ItemsPage>
  readonly fault: string | null
}

/** Pages of items are loaded as they are scrolled to; responses to an old filter are dropped. */
export function useItemPages(run: string, filter: ItemsFilter): ItemPages {
  const key = JSON.stringify([run, filter])
  const [state, setState] = useState<State>({ key, pages: new Map(), fault: null })
  const asking = useMemo(() => ({ pages: new Set<number>(), controller: new AbortController() }), [key])
  useEffect(() => () => asking.controller.abort(), [asking])
  const ask = useCallback(
    (page: number): void => {
      const { signal } = asking.controller
      if (asking.pages.has(page)) return
      asking.pages.add(page)
      const query = new URLSearchParams(parametersOf(filter))
      query.set('offset', String(page * PAGE))
      const came = (pages: State['pages'], fault: string | null): void => {
        if (signal.aborted) return
        setState((before) => ({ key, fault, pages: new Map([...(before.key === key ? before.pages : []), ...pages]) }))
      }
      fetchRunDocument(run, itemsPage, query, signal).then(
        (value) => came(new Map([[page, value]]), null),
        (error: unknown) => came(new Map(), error instanceof Error ? error.message : String(error)),
      )
    },
    [asking],
  )
  useEffect(() => ask(0), [ask])
  const need = useCallback(
    (first: number, last: number): void => {
      for (let page = Math.floor(first / PAGE); page * PAGE < last; page++) ask(page)
    },
    [ask],
  )
  const pages: State['pages'] = state.key === key ? state.pages : new Map()
  return {
    facts: [...pages.values()][0] ?? null,
    fault: state.key === key ? state.fault : null,
    rowAt: (index) => pages.get(Math.floor(index / PAGE))?.rows[index % PAGE],
    need,
  }
}

interface RowsProps {
  readonly count: number
  /** Pixels of one row. */
  readonly height: number
  readonly row: (index: number) => ComponentChildren
  /** The rows on the screen, the last one not included. */
  readonly onRange?: (first: number, last: number) => void
  readonly at?: number
  readonly label: string
}

/** A browser draws no box higher than this: more rows share its pixels, and the bar then moves in larger steps. */
const HIGHEST = 15_000_000
/** Rows beyond the screen, on either side. */
const BEYOND = 6

/** Rows of equal height of which only those on the screen exist. */
export function VirtualRows({ count, height, row, onRange, at = -1, label }: RowsProps) {
  const box = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState({ top: 0, tall: 600 })
  const size = Math.min(height, HIGHEST / Math.max(1, count))
  const fits = Math.ceil(seen.tall / height) + 1
  const top = Math.floor(seen.top / size)
  const first = Math.max(0, top - (size < height ? 0 : BEYOND))
  const last = Math.min(count, top + fits + (size < height ? 0 : BEYOND))
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 0 }
    setSeen({ top: scrollTop, tall: clientHeight })
  }
  useLayoutEffect(() => {
    const watched = new ResizeObserver(measure)
    if (box.current !== null) watched.observe(box.current)
    return () => watched.disconnect()
  }, [])
  useEffect(() => onRange?.(first, last), [first, last, onRange])
  useLayoutEffect(() => {
    const frame = box.current
    if (at < 0 || frame === null) return
    const over = (at + 1) * size - frame.clientHeight
    if (frame.scrollTop > at * size) frame.scrollTop = at * size
    else if (frame.scrollTop < over) frame.scrollTop = over + (size < height ? height - size : 0)
  }, [at, size])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="rows" ref={box} tabIndex={0} aria-label={label} onScroll={measure}>
      <div class="all" style={{ height: `${count * size}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i).map((index) => (
          <div
            key={index}
            class="row"
            style={{ transform: `translateY(${first * size + (index - first) * height}px)`, height: `${height}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </section>
  )
}

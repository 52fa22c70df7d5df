import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { type ItemRow, type ItemsFilter, type ItemsPage, itemsPage, parametersOf } from '../../../api/index.ts'
import { fetchRunDocument } from '../../documents.ts'

/** Items of one page as the server sends them. */
const PAGE = 200

/** Items that match a filter, as far as they are loaded. */
export interface ItemPages {
  /** The first page with its totals; null: loading. */
  readonly facts: ItemsPage | null
  /** Why loading failed. */
  readonly fault: string | null
  /** undefined: not here yet. */
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

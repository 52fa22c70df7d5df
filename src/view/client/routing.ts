import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Parameters } from '../api/index.ts'

/** The address of a page, after `#`, so that it can be shared and opened from a disk. */
export interface Route {
  readonly path: readonly string[]
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

export interface RunPageProps {
  readonly route: Route
  readonly run: string
  readonly revision: number
}

/** A page about one run, shown once it is in `pages/run-pages.ts`. */
export interface RunPage {
  /** In the address, behind the run; empty: the page of the run itself. */
  readonly name: string
  /** In the navigation; null: only other pages lead to it. */
  readonly label: string | null
  /** Opens it after `g`. */
  readonly key?: string
  readonly Page: ComponentType<RunPageProps>
}

export function routeOf(hash: string): Route {
  const text = hash.replace(/^#\/?/u, '')
  const queryStart = text.indexOf('?')
  const path = queryStart < 0 ? text : text.slice(0, queryStart)
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    parameters: queryStart < 0 ? [] : [...new URLSearchParams(text.slice(queryStart + 1))],
  }
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function linkTo(path: readonly string[], parameters: Parameters = []): string {
  const query = new URLSearchParams([...parameters].map(([name, value]) => [name, value])).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`
}

/** Opens a page; `replace` adds no entry to the history. */
export function goTo(link: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) location.replace(link)
  else location.hash = link
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const listen = (): void => setHash(location.hash)
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return routeOf(hash)
}

export const queryValue = ({ parameters }: Route, name: string): string | null =>
  parameters.find(([other]) => other === name)?.[1] ?? null

/** The parameters of these names. */
export const parametersIn = ({ parameters }: Route, names: readonly string[]): Route['parameters'] =>
  parameters.filter(([name]) => names.includes(name))

/** The address with one parameter changed; null removes it. */
export const withQueryValue = ({ path, parameters }: Route, name: string, value: string | null): string =>
  linkTo(path, [...parameters.filter(([other]) => other !== name), ...(value === null ? [] : [[name, value] as const])])

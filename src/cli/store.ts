import { UsageError } from '../core/index.ts'

/** Where the address of the store is looked up: it holds a password, and command lines are seen by others. */
const VARIABLE = 'TOUCHSTONE_STORE_URL'

export const storeFlag = {
  kind: 'parsed',
  parse: String,
  optional: true,
  brief: `postgres://user:password@host/database; left out: the environment variable ${VARIABLE}`,
} as const

/** The address of the store. @throws UsageError where none is given. */
export function storeUrl(given: string | undefined, env: { readonly [name: string]: string | undefined }): string {
  const url = given ?? env[VARIABLE]
  if (url === undefined || url === '') throw new UsageError(`name the store: --store, or the variable ${VARIABLE}`)
  return url
}

/** The host and database of a store, without its user. */
export function storePlace(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  return `${host}${pathname}`
}

import type { z } from 'zod'
import type { Parameters } from './filter.ts'

/** The schema of a document about one run: its tag, `touchstone/view-NAME/1`, also names it in addresses. */
export type RunDocumentSchema<T> = z.ZodType<T> & { readonly shape: { readonly schema: { readonly value: string } } }

export const documentName = ({ shape }: RunDocumentSchema<unknown>): string =>
  shape.schema.value.replace(/^touchstone\/view-(.*)\/1$/u, '$1')

/** The address of a document about a run; pages, server and export write it here alone. */
export function documentPath(run: string, schema: RunDocumentSchema<unknown>, query: Parameters = []): string {
  const text = [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  return `/api/runs/${run}/${documentName(schema)}${text === '' ? '' : `?${text}`}`
}

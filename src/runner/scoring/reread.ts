import { findProvider, readBody } from '../../models/index.ts'
import type { StoredResponse } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'

/** Models whose responses are what the bodies of their provider say. */
export const rereadableModels = ({ file, context }: Run): ReadonlySet<string> =>
  new Set(
    file.models
      .filter(({ spec }) => findProvider(spec, context.providers).provider.rewrites !== true)
      .map(({ name }) => name),
  )

/** Is a stored response what the provider's body says? null: it cannot be told. */
export function isReread(response: Omit<StoredResponse, 'raw'> & { readonly raw: unknown }): boolean | null {
  const { text, reasoning, finish, raw, logprobs } = response
  // Where secrets were replaced, the two differ.
  if (typeof raw !== 'string' || logprobs !== null || /\[redacted/u.test(`${raw}${text}`)) return null
  const read = readBody(raw)
  return read === null ? null : read.text === text && read.reasoning === reasoning && read.finish === finish
}

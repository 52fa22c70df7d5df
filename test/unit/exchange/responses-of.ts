import type { ExternalResponse } from '../../../src/extras/exchange/external-response.ts'
import { inspectResponses } from '../../../src/extras/exchange/read-inspect.ts'

/** The responses of a log of Inspect. */
export async function responsesOf(log: Uint8Array | string): Promise<readonly ExternalResponse[]> {
  const found: ExternalResponse[] = []
  for await (const one of inspectResponses(typeof log === 'string' ? new TextEncoder().encode(log) : log))
    found.push(one)
  return found
}

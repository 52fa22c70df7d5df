import type { Message } from '../core/index.ts'
import type { Run } from './run.ts'

export type PromptLine =
  | { readonly item: string; readonly style: string; readonly messages: readonly Message[] }
  | { readonly item: string; readonly style: string; readonly context: string; readonly text: string }

/**
 * What a run asks, once an item and style, in the order of the items: for answers made elsewhere, which `importResponses`
 * takes back.
 */
export async function* runPrompts(run: Run): AsyncGenerator<readonly PromptLine[]> {
  for await (const page of run.ledger.items()) {
    yield page.flatMap(({ item, shared }) =>
      run.sources.styles(item).map((style): PromptLine => {
        const request = run.sources.request(item, shared, style)
        return request.kind === 'chat'
          ? { item: item.id, style, messages: request.messages }
          : { item: item.id, style, context: request.context, text: request.text }
      }),
    )
  }
}

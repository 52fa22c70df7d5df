import { createHash } from 'node:crypto'
import type { Request } from '../core/index.ts'
import type { Run } from './run.ts'

/** The fact in a ledger: the hash of all prompts of its plan. */
export const PROMPTS_MARK = 'prompts'

/** Hashes what a run asks, prompt by prompt: one changed byte of one prompt changes it. */
export class PromptHash {
  private readonly hash = createHash('sha256')

  add(item: string, style: string, request: Request): void {
    this.hash.update(`${JSON.stringify([item, style, request])}\n`)
  }

  digest(): string {
    return this.hash.digest('hex')
  }
}

/** The hash of all prompts of a run, put into words now, in the order of its items. null: `stop` ended it. */
export async function hashPrompts(run: Run, stop?: AbortSignal): Promise<string | null> {
  const prompts = new PromptHash()
  for await (const page of run.ledger.items()) {
    if (stop?.aborted === true) return null
    for (const { item, shared } of page)
      for (const style of run.sources.styles(item))
        prompts.add(item.id, style, run.sources.request(item, shared, style))
    // Prompts are put into words synchronously: Ctrl-C is heard between pages.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return prompts.digest()
}

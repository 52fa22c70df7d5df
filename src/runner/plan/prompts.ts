import { createHash } from 'node:crypto'
import { type Message, type Request, UsageError } from '../../core/index.ts'
import { needTask } from '../calls/open-models.ts'
import type { Run, WorkRun } from '../folder/run.ts'

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

/** @throws UsageError where a task asks in other words than the run was planned with: half of its answers would be to another question. */
export function refuseReworded({ file, context }: Pick<WorkRun, 'file' | 'context'>): void {
  for (const { task: name, wording } of file.sources) {
    const here = needTask(context.tasks, name).wording
    if (here !== wording)
      throw new UsageError(
        `this run was planned with wording ${wording} of ${name}, installed is wording ${here}: its responses can be scored and ` +
          'reported, and `touchstone cancel` collects what batches hold, but no further calls are made; go on with the program or plugin ' +
          'that planned it, or begin another run',
      )
  }
}

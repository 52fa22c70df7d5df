import { createHash } from 'node:crypto'
import { changedTemplates, type Message, type Request, UsageError } from '../../core/index.ts'
import { requireTask } from '../calls/open-models.ts'
import type { Run, WorkRun } from '../folder/run.ts'

export type PromptLine =
  | { readonly item: string; readonly style: string; readonly messages: readonly Message[] }
  | { readonly item: string; readonly style: string; readonly context: string; readonly text: string }

/**
 * The prompts of a run, one per item and style, in the order of the items: for responses made elsewhere, which
 * `importResponses` reads.
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

/** Key of the fact in a ledger: hash of all prompts of its plan. */
export const PROMPTS_KEY = 'prompts'

/** Hashes the prompts of a run: one changed byte of one prompt changes the hash. */
export class PromptHash {
  private readonly hash = createHash('sha256')

  add(item: string, style: string, request: Request): void {
    this.hash.update(`${JSON.stringify([item, style, request])}\n`)
  }

  digest(): string {
    return this.hash.digest('hex')
  }
}

/** The hash of all prompts of a run, made now, in the order of its items. null: `stop` ended it. */
export async function hashPrompts(run: Run, stop?: AbortSignal): Promise<string | null> {
  const prompts = new PromptHash()
  for await (const page of run.ledger.items()) {
    if (stop?.aborted === true) return null
    for (const { item, shared } of page)
      for (const style of run.sources.styles(item))
        prompts.add(item.id, style, run.sources.request(item, shared, style))
    // Prompts are made synchronously: Ctrl-C is heard between pages.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return prompts.digest()
}

/** @throws UsageError if a task makes other prompts than the run was planned with: part of its responses would answer other questions. */
export function requireSamePrompts({ file, context }: Pick<WorkRun, 'file' | 'context'>): void {
  for (const source of file.sources) {
    const { task: name, promptVersion } = source
    const [changed] = changedTemplates(source)
    if (changed !== undefined) throw new UsageError(`${changed}: run.json was edited. Start a new run with --template`)
    const here = requireTask(context.tasks, name).promptVersion
    if (here !== promptVersion)
      throw new UsageError(
        `the run uses prompt version ${promptVersion} of ${name}, version ${here} is installed. You can score and report it, and ` +
          '`touchstone resume --cancel-batches` collects its batches; to continue it, install the version that planned it, or start a new run',
      )
  }
}

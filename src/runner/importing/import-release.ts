import {
  type FileTree,
  type Imported,
  type ImportedItem,
  type ImportedResponse,
  type Importer,
  type ImportProblem,
  importProblem,
  type Json,
  sha256Hex,
  sortedJson,
} from '../../core/index.ts'
import type { ImportedCall, StoredGroup, StoredItem } from '../../store/index.ts'
import { requireTask } from '../calls/open-models.ts'
import { IMPORT_KEY, newRun, type Run, type RunContext } from '../folder/run.ts'
import { experimentSchema } from '../plan/experiment.ts'
import type { ImportedSource } from '../plan/resolve.ts'
import { storedPrompt } from '../scoring/call-details.ts'
import { scoreResponse } from '../scoring/score.ts'

export interface ImportReleaseResult {
  readonly groups: number
  readonly items: number
  readonly responses: number
  /** Counts of the importer, by its own names. */
  readonly counts: { readonly [name: string]: number }
  readonly problems: readonly ImportProblem[]
}

export interface ImportReleaseOptions {
  /** Read one after another, each as one source: a release may have parts of several tasks. */
  readonly importers: readonly Importer[]
  readonly files: FileTree
  readonly ancestors?: readonly string[] | undefined
  /** The run folder to make. */
  readonly dir: string
  readonly name?: string
  readonly onProgress?: (result: Omit<ImportReleaseResult, 'problems'>) => void
}

/** Name of a configuration that its release does not name. */
const PUBLISHED = 'published'
/** Rows of one transaction. */
const BATCH = 500
/** Problems of one kind and path beyond this many are counted together. */
const PROBLEMS_KEPT = 1000

/**
 * Reads a published release into a run folder like those of our own runs, and scores it. What is wrong with the release is
 * in `problems`; nothing is dropped silently.
 *
 * @example
 * import { importRelease, type RunContext } from '@touchstone-eval/touchstone/node'
 *
 * export const problemsOf = async (options: Parameters<typeof importRelease>[0], context: RunContext) =>
 *   (await importRelease(options, context)).problems
 */
export async function importRelease(options: ImportReleaseOptions, context: RunContext): Promise<ImportReleaseResult> {
  const { importers } = options
  const run = await newRun(
    { dir: options.dir },
    {
      name: options.name ?? `${importers.map(({ name }) => name).join(', ')} (imported)`,
      seed: '0',
      sources: importers.map(({ name, task: taskName, label = PUBLISHED }): ImportedSource => {
        const task = requireTask(context.tasks, taskName)
        const { version, promptVersion, styles } = task
        return { kind: 'imported', task: task.name, version, promptVersion, label, importer: name, styles }
      }),
      models: [],
      limits: experimentSchema.shape.limits.parse({}),
      secrets: [],
    },
    context,
  )
  try {
    const intake = new Intake(run, options)
    for (const [source, importer] of importers.entries()) {
      intake.begin(source, importer)
      for await (const part of importer.read(options.files, options.ancestors)) await intake.take(part)
      // The items of this part are on disk before the next begins.
      await intake.flush()
    }
    return await intake.finish()
  } finally {
    await run[Symbol.asyncDispose]()
  }
}

class Intake {
  private readonly run: Run
  private readonly options: ImportReleaseOptions
  private task: ReturnType<typeof requireTask> | null = null
  private source = 0
  private label = PUBLISHED
  private groups: StoredGroup[] = []
  private items: StoredItem[] = []
  private calls: ImportedCall[] = []
  private readonly total = { groups: 0, items: 0, responses: 0 }
  private readonly counts = new Map<string, number>()
  private readonly problems: ImportProblem[] = []

  constructor(run: Run, options: ImportReleaseOptions) {
    this.run = run
    this.options = options
  }

  begin(source: number, { task, label = PUBLISHED }: Importer): void {
    this.source = source
    this.label = label
    this.task = requireTask(this.run.context.tasks, task)
  }

  async flush(): Promise<void> {
    await this.flushItems()
    await this.flushCalls()
  }

  private reading(): { readonly task: ReturnType<typeof requireTask>; readonly prefix: string } {
    const { task } = this
    if (task === null) throw new RangeError('nothing was begun that could be taken in')
    return { task, prefix: `${task.name}@${task.version}/imported/` }
  }

  async take(part: Imported): Promise<void> {
    switch (part.kind) {
      case 'group':
        this.groups.push({ id: `${this.source}/${part.key}`, shared: part.shared })
        this.total.groups++
        break
      case 'item':
        this.items.push(this.stored(part))
        this.total.items++
        break
      case 'response':
        // Its item must be on disk to be found.
        if (this.items.length > 0 || this.groups.length > 0) await this.flushItems()
        this.response(part)
        break
      case 'problem':
        this.problem(part)
        break
      case 'count':
        this.counts.set(part.name, (this.counts.get(part.name) ?? 0) + part.add)
    }
    if (this.groups.length + this.items.length >= BATCH) await this.flushItems()
    if (this.calls.length >= BATCH) await this.flushCalls()
  }

  async finish(): Promise<ImportReleaseResult> {
    await this.run.ledger.setMeta('planned', 'yes')
    const result = { ...this.result(), problems: this.problems }
    await this.run.ledger.setMeta(IMPORT_KEY, JSON.stringify(result))
    return result
  }

  private result(): Omit<ImportReleaseResult, 'problems'> {
    return { ...this.total, counts: Object.fromEntries(this.counts) }
  }

  private stored(item: ImportedItem): StoredItem {
    const { given, answer, features } = item
    const position = this.total.items
    const { task, prefix } = this.reading()
    return {
      id: prefix + item.key,
      position,
      source: this.source,
      index: position,
      stratum: 0,
      task: task.name,
      version: task.version,
      config: this.label,
      draw: sha256Hex(`touchstone/imported/1\n${item.key}`).slice(0, 12),
      group: `${this.source}/${item.group}`,
      given,
      answer,
      features,
      itemHash: sha256Hex(`touchstone/imported-item/1\n${sortedJson({ group: item.group, given, answer } as Json)}`),
    }
  }

  private response(response: ImportedResponse): void {
    const { task, prefix } = this.reading()
    const found = this.run.ledger.item(prefix + response.item)
    if (found === null) {
      const message = `a response of ${response.model} answers "${response.item}", which is not in the release`
      this.problem(importProblem('unknown-item', '', null, message))
      return
    }
    const stored = {
      finish: response.finish,
      text: this.run.redact.known(response.text),
      reasoning: response.reasoning == null ? null : this.run.redact.known(response.reasoning),
      logprobs: null,
      usage: response.usage ?? {},
      raw: storedPrompt(response.prompt, { shared: found.shared, given: found.item.given }),
    }
    const outcome = response.outcome ?? scoreResponse(task, this.run.sources.problem(found.item, found.shared), stored)
    this.calls.push({
      item: found.item.id,
      style: response.style,
      model: response.model,
      settings: sortedJson(response.settings as Json),
      sample: response.sample,
      response: stored,
      seconds: null,
      scored: { scorer: task.scorerVersion, outcome },
    })
  }

  private problem(problem: ImportProblem): void {
    const same = this.problems.find(
      (one) => one.problem === problem.problem && one.path === problem.path && one.line === problem.line,
    )
    const full = this.problems.length >= PROBLEMS_KEPT ? this.nearest(problem) : -1
    const at = same === undefined ? full : this.problems.indexOf(same)
    const before = this.problems[at]
    if (before === undefined) this.problems.push(problem)
    else this.problems[at] = { ...before, count: before.count + problem.count }
  }

  /** Index of the kept problem that counts a further one: of the same message, else of the same kind. */
  private nearest({ problem, message }: ImportProblem): number {
    const same = this.problems.findIndex((one) => one.problem === problem && one.message === message)
    return same === -1 ? this.problems.findIndex((one) => one.problem === problem) : same
  }

  private async flushItems(): Promise<void> {
    const { groups, items } = this
    this.groups = []
    this.items = []
    if (groups.length + items.length > 0) await this.run.ledger.plan({ groups, items, calls: [] })
    this.options.onProgress?.(this.result())
  }

  private async flushCalls(): Promise<void> {
    const { calls } = this
    this.calls = []
    const added = await this.run.ledger.importCalls(calls)
    for (const isNew of added) {
      if (isNew) this.total.responses++
      else
        this.problem({
          kind: 'problem',
          problem: 'duplicate-response',
          path: '',
          line: null,
          count: 1,
          message: 'a second response to the same item, model, style, settings and sample; the first is kept',
        })
    }
    this.options.onProgress?.(this.result())
  }
}

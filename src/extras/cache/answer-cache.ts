import { hash, randomUUID } from 'node:crypto'
import { access, constants, link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonOrNull } from '../../core/index.ts'
import { type ModelCall, type ModelReply, settingsText } from '../../models/index.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import { explained, makeFolder, type Redact } from '../../store/index.ts'

/** A stored reply of a provider: a response, or a failure that another attempt does not repair. */
export interface Kept {
  readonly reply: ModelReply
  /** Duration of the call, in ms. */
  readonly ms: number
  /** Hash of the route of the call: a variable may hold another address by now. */
  readonly server?: string | undefined
}

const token = z.looseObject({ logprob: z.number() })
const text = z.string().nullable()
const failed = z.object({
  kind: z.literal('failure'),
  boundary: z.enum(['provider', 'task', 'runner']),
  code: z.string(),
  message: z.string(),
  retry: z.enum(['slow-down', 'again', 'once', 'never']),
  waitMs: z.null(),
  http: z.number().nullable(),
  requestId: text,
  free: z.boolean(),
  body: text,
})
const kept = z.object({
  schema: z.literal('touchstone/answer/1'),
  ms: z.number().min(0),
  server: z.string().optional(),
  reply: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('answer'),
      finish: z.enum(['stop', 'truncated', 'refused', 'unknown']),
      text: z.string(),
      reasoning: text,
      logprobs: z.array(token).nullable(),
      usage: z.record(z.string(), z.number()),
      raw: text,
      http: z.number().nullable(),
      requestId: text,
      ignored: z.array(z.string()),
      refusal: z.string().optional(),
    }),
    failed.extend({ retry: z.literal('never') }),
  ]),
})

/** Warnings about the cache at the end of a run. */
export const cacheWarnings = ({ problem, doubled }: Pick<AnswerCache, 'problem' | 'doubled'>): readonly string[] => [
  ...(problem === null ? [] : [`the cache does not hold all answers of this run: ${problem}`]),
  ...(doubled === 0
    ? []
    : [
        `${doubled} ${doubled === 1 ? 'question was' : 'questions were'} asked by another run with this cache at the same time, and paid by both: runs share what was answered before they ask, so start the second when the first has ended`,
      ]),
]

/** Failures that were retried, in their order. */
const tried = z.object({
  schema: z.literal('touchstone/tries/1'),
  tries: z.array(z.object({ ms: z.number().min(0), reply: failed })),
})

/**
 * Replies by call: model, address, settings, request, item and sample, of any run. One small file each, so that processes and
 * machines share a folder without a lock; a file that cannot be read counts as missing.
 */
export class AnswerCache {
  private readonly dir: string
  private readonly redact: { readonly known: Redact; readonly shapes: Redact }
  private readonly made = new Set<string>()
  /** Why a reply could not be stored or read; null: all were. */
  problem: string | null = null
  /** Calls that another run made at the same time. */
  doubled = 0

  constructor(dir: string, redact: { readonly known: Redact; readonly shapes: Redact }) {
    this.dir = dir
    this.redact = redact
  }

  async find(key: string): Promise<Kept | null> {
    const read = kept.safeParse(await this.read(this.path(key)))
    // Checked field by field above; log-probabilities carry further facts.
    if (!read.success) return null
    const { ms, server, reply } = read.data
    return { ms, server, reply: reply as unknown as ModelReply }
  }

  /** Failures of a call before its response. */
  async tries(key: string): Promise<readonly Kept[]> {
    const read = tried.safeParse(await this.read(this.path(key, '.tries')))
    return read.success ? read.data.tries : []
  }

  private async read(path: string): Promise<unknown> {
    const written = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') this.problem ??= error.message
      return 'null'
    })
    return jsonOrNull(written)
  }

  /** Makes the folder. @throws StoreError if it cannot be written */
  async prepare(): Promise<void> {
    await makeFolder(this.dir)
    await explained(this.dir, () => access(this.dir, constants.W_OK))
  }

  /**
   * Never throws: a response that cannot be stored is paid all the same.
   *
   * @param first - nothing was stored of it before the call.
   */
  keep(key: string, kept: Kept, first: boolean): Promise<void> {
    return this.write(key, this.path(key), { schema: 'touchstone/answer/1', ...this.shown(kept) }, first)
  }

  /** Stores the failures so far of a call that is retried, over those of an earlier run. Never throws. */
  keepTries(key: string, tries: readonly Kept[]): Promise<void> {
    const value = { schema: 'touchstone/tries/1', tries: tries.map((one) => this.shown(one)) }
    return this.write(key, this.path(key, '.tries'), value)
  }

  private async write(key: string, path: string, value: object, first = false): Promise<void> {
    try {
      await explained(path, async () => {
        const folder = join(this.dir, key.slice(0, 2))
        if (!this.made.has(folder)) await makeFolder(folder)
        this.made.add(folder)
        const draft = `${path}.${randomUUID().slice(0, 8)}.partial`
        try {
          await writeFile(draft, `${JSON.stringify(value)}\n`)
          if (first && (await this.isFirst(key, draft))) await unlink(draft)
          else await rename(draft, path)
        } catch (error) {
          await unlink(draft).catch(() => undefined)
          throw error
        }
      })
    } catch (error) {
      this.problem ??= (error as Error).message
    }
  }

  /** Of two processes that store a reply one is first, which creating a link decides; without links in the file system nothing is counted. */
  private async isFirst(key: string, draft: string): Promise<boolean> {
    try {
      await link(draft, this.path(key))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await this.find(key)) !== null) this.doubled++
      return false
    }
  }

  private shown({ reply, ms, server }: Kept): Kept {
    return { ms: Math.round(ms), server, reply: this.redacted(reply) }
  }

  /** As in the ledger: texts of models are redacted by value, those of servers also by pattern. */
  private redacted(reply: ModelReply): ModelReply {
    const { known, shapes } = this.redact
    const orNull = (redact: Redact, written: string | null): string | null =>
      written === null ? null : redact(written)
    if (reply.kind === 'failure')
      return { ...reply, waitMs: null, message: shapes(reply.message), body: orNull(shapes, reply.body) }
    const { allowance: _, ...rest } = reply
    return {
      ...rest,
      text: known(reply.text),
      reasoning: orNull(known, reply.reasoning),
      raw: orNull(shapes, reply.raw),
      requestId: orNull(shapes, reply.requestId),
    }
  }

  private path(key: string, what = ''): string {
    return join(this.dir, key.slice(0, 2), `${key.slice(2)}${what}.json`)
  }
}

/** SHA-256, in hex, over all that a response depends on. Two samples of one item, and two items with the same prompt, differ. */
export function answerKey({ spec, options }: Pick<RunModel, 'spec' | 'options'>, call: ModelCall): string {
  const { task, item, request, settings, sample, question } = call
  // The task takes part in these responses.
  const helped = spec.startsWith('hybrid:') ? [task.name, task.version, task.scorerVersion] : null
  const { apiKeyEnv: _, ...address } = options
  const choices = request.kind === 'chat' ? (task.choices?.(question) ?? null) : null
  const asked = [
    spec,
    Object.entries(address).sort(([a], [b]) => (a < b ? -1 : 1)),
    settingsText(settings),
    request,
    choices,
    item,
    sample,
    helped,
  ]
  return hash('sha256', JSON.stringify(['touchstone/answer/1', ...asked]), 'hex')
}

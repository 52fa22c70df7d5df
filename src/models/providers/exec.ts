import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { z } from 'zod'
import { jsonOrNull, type Request, type TokenLogprob } from '../../core/index.ts'
import { MAX_BODY } from '../http.ts'
import { type Failure, failure, type Model, type ModelCall, type ModelReply, plainAnswer } from '../model.ts'
import type { Provider } from '../provider.ts'
import { checkLogprob } from '../scoring/align.ts'

/**
 * A program of the user's, started once. It reads one JSON object a line, `{id, item, style, sample, settings, messages}`
 * or `{..., context, text}` for a scored request, and writes one a line, in any order: `{id, text, finish?, reasoning?,
 * usage?}`, `{id, logprobs: [{text, logprob, mass?}]}`, or `{id, error, retry?}`. What it started in the background is ended with it.
 */
export const exec: Provider = {
  name: 'exec',
  argument: 'COMMAND',
  summary: 'a command that answers JSON lines on stdin with JSON lines on stdout',
  costs: () => true,
  needs: (argument) => ({ program: argument }),
  open: (argument) => Promise.resolve(execModel(argument)),
}

const count = z.int().min(0).nullish()
/** Optional fields may be null too, as many programs write them. */
const replyLine = z.object({
  id: z.string(),
  text: z.string().nullish(),
  finish: z.enum(['stop', 'truncated', 'refused', 'unknown']).nullish(),
  reasoning: z.string().nullish(),
  usage: z.object({ inputTokens: count, outputTokens: count, reasoningTokens: count, cachedTokens: count }).nullish(),
  logprobs: z.array(z.object({ text: z.string(), logprob: z.number(), mass: z.number().optional() })).nullish(),
  error: z.string().nullish(),
  retry: z.boolean().nullish(),
})

function execModel(command: string): Model {
  const name = `exec:${command}`
  let program: Program | null = null
  return {
    name,
    kind: 'chat',
    route: name,
    concurrency: { start: 8, most: 64 },
    // Unless it has a price: then it hands the question on to somebody who is paid.
    isLocal: true,
    // A program that keeps what it read of a context reads each context once.
    reusesContext: true,
    call(call, signal) {
      // What is not there will not be there at the next call.
      if (program === null || program.ended?.retry === 'again') program = new Program(command)
      return program.ask(call, signal)
    },
    close: () => program?.close() ?? Promise.resolve(),
  }
}

/** Exit codes of shells for a command that is absent or cannot be executed. */
const NOT_FOUND: readonly (number | null)[] = [126, 127]

/** How long a program may take to end once nothing more comes, in ms: with answers to write, or with none that is waited for. */
const LAST_WORDS_MS = 2000
const ABANDONED_MS = 250

interface Waiting {
  readonly request: Request
  settle(reply: ModelReply): void
}

/** The id of a line that is no JSON: programs write NaN and Infinity, which JSON has no words for. */
const ID = /"id"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/u

const GROUPS = process.platform !== 'win32'

class Program {
  /** Why it answers no more. */
  ended: Failure | null = null
  private readonly child: ChildProcessWithoutNullStreams
  private readonly waiting = new Map<string, Waiting>()
  private rest = ''
  private complaints = ''
  /** Has it written anything yet? */
  private heard = false
  /** Was it asked what nobody waits for any more? */
  private abandoned = false
  private readonly command: string

  constructor(command: string) {
    this.command = command
    // A separate process group: Ctrl-C reaches only this process, which lets calls in flight finish.
    this.child = spawn(command, { shell: true, stdio: 'pipe', detached: GROUPS })
    this.child.stdout.setEncoding('utf8').on('data', (piece: string) => this.read(piece))
    this.child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.complaints = (this.complaints + piece).slice(-2000)
    })
    // A program that ends while it is written to is reported by `close` below.
    this.child.stdin.on('error', () => undefined)
    this.child.on('error', (error) => this.end(`could not be started: ${error.message}`, 'never'))
    this.child.on('close', (code, signal) => {
      // The last line may have no end.
      if (this.rest.trim() !== '' && this.ended === null) this.take(this.rest)
      this.end(`ended with ${signal ?? `exit code ${code}`}`, NOT_FOUND.includes(code) ? 'never' : 'again')
      // Processes that it started in the background, such as a server, would keep memory and ports.
      this.kill('SIGTERM')
    })
  }

  ask(call: ModelCall, signal: AbortSignal): Promise<ModelReply> {
    if (this.ended !== null) return Promise.resolve(this.ended)
    return new Promise((resolve) => {
      const id = call.attemptId
      const onAbort = (): void => {
        this.abandoned = true
        settle(timeoutOrAbort(signal, this.instead()))
      }
      const settle = (reply: ModelReply): void => {
        signal.removeEventListener('abort', onAbort)
        this.waiting.delete(id)
        resolve(reply)
      }
      if (signal.aborted) return settle(timeoutOrAbort(signal, null))
      signal.addEventListener('abort', onAbort, { once: true })
      const { item, style, sample, settings, request } = call
      this.waiting.set(id, { request, settle })
      const asked =
        request.kind === 'chat' ? { messages: request.messages } : { context: request.context, text: request.text }
      this.child.stdin.write(`${JSON.stringify({ id, item, style, sample, settings, ...asked })}\n`)
    })
  }

  /** What came in the place of an answer; null: other answers did. */
  private instead(): string | null {
    const chatter = (this.complaints + this.rest.slice(0, 300)).trim()
    if (chatter !== '') return `a line of JSON with "id" and "text" was expected, and what came is ${chatter}`
    return this.heard
      ? null
      : 'the program has written nothing yet: it is to answer each line as it comes, not at the end of its input, and to flush what it writes'
  }

  async close(): Promise<void> {
    if (this.ended !== null) return
    const closed = new Promise<void>((resolve) => this.child.once('close', () => resolve()))
    this.child.stdin.end()
    const timer = setTimeout(() => this.kill(), this.abandoned ? ABANDONED_MS : LAST_WORDS_MS)
    await closed
    clearTimeout(timer)
  }

  /** The program itself too, not only the shell that started it. */
  private kill(how: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
    const { pid } = this.child
    try {
      if (GROUPS && pid !== undefined) process.kill(-pid, how)
      else this.child.kill(how)
    } catch {
      // It has already ended.
    }
  }

  private read(piece: string): void {
    this.heard = true
    const lines = (this.rest + piece).split('\n')
    this.rest = lines.pop() ?? ''
    if (this.rest.length > MAX_BODY) {
      this.end(`wrote a line longer than ${MAX_BODY} characters`, 'again')
      this.kill()
      return
    }
    for (const line of lines) if (line.trim() !== '') this.take(line)
  }

  private take(line: string): void {
    const value = jsonOrNull(line)
    const { id: own, text, logprobs } = (value ?? {}) as { readonly [key: string]: unknown }
    const id = value === null ? ID.exec(line)?.[1] : own
    const waiting = typeof id === 'string' ? this.waiting.get(id) : undefined
    if (waiting === undefined) {
      // Nobody can say which question it answers, and the next answers would be alike.
      if (typeof own !== 'string' && (text ?? logprobs ?? null) !== null) {
        this.end(`wrote ${line.slice(0, 300)}: an answer has the "id" of its question, copied from there`, 'never')
        this.kill()
        return
      }
      // Chatter of the program, kept for the error message.
      this.complaints = `${this.complaints}${line}\n`.slice(-2000)
      return
    }
    const read = replyLine.safeParse(value)
    const [issue] = read.error?.issues ?? []
    const why = value === null ? 'this is not JSON (which has no NaN)' : `${issue?.path.join('.')} ${issue?.message}`
    waiting.settle(
      read.success
        ? toReply(read.data, waiting.request)
        : failure('bad-body', `${this.command} wrote ${line.slice(0, 300)}: ${why}`, 'again'),
    )
  }

  private end(why: string, retry: 'again' | 'never'): void {
    const tail = this.complaints.trim()
    this.ended ??= failure('exec-ended', `${this.command} ${why}${tail === '' ? '' : `: ${tail}`}`, retry)
    for (const { settle } of this.waiting.values()) settle(this.ended)
  }
}

function toReply(line: z.infer<typeof replyLine>, request: Request): ModelReply {
  if (typeof line.error === 'string') return failure('exec-error', line.error, line.retry === true ? 'again' : 'never')
  if ((line.text ?? line.logprobs ?? null) === null)
    return failure(
      'bad-body',
      `an answer has "text", "logprobs" or "error", got ${JSON.stringify(line).slice(0, 300)}`,
      'again',
    )
  const fault = request.kind === 'score' ? faultOf(line.logprobs ?? [], request.text) : null
  if (fault !== null) return failure('bad-answer', fault, 'never')
  return plainAnswer(line.text ?? '', {
    finish: line.finish ?? 'stop',
    reasoning: line.reasoning ?? null,
    logprobs: line.logprobs ?? null,
    usage: Object.fromEntries(Object.entries(line.usage ?? {}).filter(([, count]) => typeof count === 'number')),
  })
}

const ROUNDING = 1e-4

/** Why these are not the log-probabilities of a text: a wrong one is an error, never a score. null: they are. */
function faultOf(logprobs: readonly TokenLogprob[], text: string): string | null {
  const spelled = logprobs.map((token) => token.text).join('')
  if (spelled !== text)
    return `the tokens spell ${JSON.stringify(spelled.slice(0, 80))}, and the text is ${JSON.stringify(text.slice(0, 80))}, to its end`
  try {
    for (const token of logprobs) checkLogprob(token)
    const wrong = logprobs.find(({ logprob, mass = 1 }) => mass > 1 || mass < Math.exp(logprob) * (1 - ROUNDING))
    if (wrong === undefined) return null
    return `token ${JSON.stringify(wrong.text)} has mass ${wrong.mass}: expected a probability, at least that of the token`
  } catch (error) {
    return (error as Error).message
  }
}

function timeoutOrAbort(signal: AbortSignal, instead: string | null): ModelReply {
  if ((signal.reason as Error | undefined)?.name !== 'TimeoutError')
    return failure('aborted', 'the call was aborted', 'never')
  return failure('timeout', `no answer within the time limit${instead === null ? '' : `; ${instead}`}`, 'again')
}

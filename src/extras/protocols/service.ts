import {
  configHash,
  hint,
  isUsageError,
  type JsonObject,
  LruCache,
  type Request,
  seedText,
  type Task,
  UsageError,
} from '../../core/index.ts'
import { HttpError } from './http.ts'
import { type Drawn, failed, type ItemOrigin, type JobError, type Scored, type ScoreJob, type Workers } from './job.ts'
import type { Answer, ServedItem } from './schemas.ts'
import {
  type Content,
  configOf,
  fitsToken,
  type ItemRef,
  type Keys,
  MAX_TOKEN,
  openToken,
  sealToken,
  servedSeed,
} from './token.ts'

export interface ServiceOptions {
  readonly tasks: readonly Task[]
  readonly workers: Workers
  readonly keys: Keys
  /** The first is served where none is asked for. */
  readonly splits: readonly [string, ...string[]]
  /** Any split is served: for answers that are graded here, not for clients. */
  readonly anySplit?: boolean
  /** Make items from the seeds as they are, as `generate` does: whoever knows the seed can then make items and answers. */
  readonly plainSeeds?: boolean
  /** Told of everything drawn and scored. */
  readonly onDrawn?: (task: string, kind: Drawn['kind']) => void
  readonly onScored?: (task: string | null, scored: Scored) => void
}

/** Which items, without an index. */
export interface Selection {
  readonly task: string
  readonly preset?: string | undefined
  readonly config?: JsonObject | undefined
  readonly split?: string | undefined
  readonly seed?: string | number | undefined
  readonly style?: string | undefined
}

/** One index, a range, or a list. */
export interface ItemsAsked extends Selection {
  readonly index?: number | undefined
  readonly count?: number | undefined
  readonly indices?: readonly number[] | undefined
}

/** Draws and scores items by token: all that the protocols have in common. Keeps nothing between calls. */
export interface Service {
  readonly tasks: readonly Task[]
  readonly splits: readonly [string, ...string[]]
  items(request: ItemsAsked): Promise<readonly ServedItem[]>
  /** A task and a split that is served. @throws Refusal */
  choose(task: string, split: string | undefined): { readonly task: Task; readonly split: string }
  /** In the order of the answers; what has no valid token is trouble. */
  score(answers: readonly Answer[], parser: string, trace?: boolean): Promise<readonly Scored[]>
  /** The token of an index, whether or not it holds an item. @throws Refusal */
  token(selection: Selection, index: number): string
  /** The question that a token stands for. @throws Refusal where it stands for none. */
  question(token: string): Promise<Request>
  /** How many indices a selection has: null where it is endless. */
  size(selection: Selection): Promise<number | null>
}

/** Configs whose hash is remembered, and seeds of clients whose own seed is. */
const HASHES_KEPT = 512
const SEEDS_KEPT = 512
/** Bytes of tokens that were opened lately: a group of answers names one token many times. */
const TOKEN_BYTES_KEPT = 32 * 1024 * 1024
/** Of an opened token, beside its text: what it says is shorter than that. */
const OPENED_BYTES = 1024

const BAD_TOKEN: JobError = { code: 'bad-token', message: 'this is no token of this server, or it was changed' }

export function serviceOf(options: ServiceOptions): Service {
  const { tasks, workers, keys, splits, anySplit = false, plainSeeds = false } = options
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const serves = (split: string): boolean => anySplit || splits.includes(split)
  const hashes = new LruCache<string, string>(HASHES_KEPT)
  const hashOf = (task: Task, content: Content): string =>
    hashes.get(`${task.name} ${JSON.stringify(content)}`, () =>
      configHash(configOf(task, content), task.configure({})).slice(0, 12),
    )
  const seeds = new LruCache<string, string>(SEEDS_KEPT)
  const madeSeed = (seed: string): string => (plainSeeds ? seed : seeds.get(seed, () => servedSeed(keys, seed)))
  const opened = new LruCache<ItemOrigin | JobError, string>(
    TOKEN_BYTES_KEPT,
    (_, { length }) => OPENED_BYTES + 4 * length,
  )

  function taskOf(name: string): Task {
    const task = byName.get(name)
    if (task !== undefined) return task
    throw new HttpError(404, 'unknown-task', `there is no task "${name}"${hint(name, [...byName.keys()])}`)
  }

  function choose(name: string, split: string = splits[0]) {
    const task = taskOf(name)
    if (serves(split)) return { task, split }
    throw new HttpError(403, 'split-not-served', `this server serves ${splits.join(', ')}, not "${split}"`)
  }

  function refOf(selection: Selection): Omit<ItemRef, 'index'> {
    const { task, split } = choose(selection.task, selection.split)
    const { style = task.styles[0] } = selection
    if (!task.styles.includes(style))
      throw new HttpError(
        422,
        'unknown-style',
        `${task.name} has no style "${style}"; it has ${task.styles.join(', ')}`,
      )
    return asked(() => {
      const content = contentOf(task, selection)
      return {
        task: task.name,
        version: task.version,
        content,
        configHash: hashOf(task, content),
        split,
        seed: seedText(selection.seed ?? '1'),
        style,
      }
    })
  }

  /** Why a token that is ours cannot be scored here; null: it can. */
  function stale(ref: ItemRef): JobError | null {
    const task = byName.get(ref.task)
    if (task === undefined) return { code: 'unknown-task', message: `${ref.task} is not served here` }
    if (!serves(ref.split)) return { code: 'split-not-served', message: `${ref.split} is not served here` }
    try {
      if (task.version === ref.version && hashOf(task, ref.content) === ref.configHash) return null
    } catch (error) {
      if (!isUsageError(error)) throw error
    }
    return { code: 'stale-token', message: `${ref.task} makes other items now: draw anew` }
  }

  /** The item of a token; the tasks, splits and keys that decide stay as they are, so that it may be kept. */
  function open(token: string): ItemOrigin | JobError {
    const ref = openToken(keys, token)
    if (ref === null) return BAD_TOKEN
    const trouble = stale(ref)
    if (trouble !== null) return trouble
    const { task, content, split, seed, index } = ref
    return { task, content, split, seed: madeSeed(seed), index }
  }

  function jobOf({ token, text, finish, logprobs }: Answer, parser: string, trace: boolean): ScoreJob | JobError {
    // What is too long to be a token is not worth a place.
    const item = token.length > MAX_TOKEN ? BAD_TOKEN : opened.get(token, () => open(token))
    return 'code' in item ? item : { item, text, finish, logprobs, parser, trace }
  }

  return {
    tasks,
    splits,
    choose,
    async items(request) {
      const ref = refOf(request)
      const indices = indicesOf(request)
      const seed = madeSeed(ref.seed)
      const drawn = await workers.draw(indices.map((index) => ({ ...ref, seed, index })))
      return drawn.map((one, i) => {
        const index = indices[i] ?? 0
        options.onDrawn?.(ref.task, one.kind)
        return servedItem(index, one, () => sealToken(keys, { ...ref, index }))
      })
    },
    async score(answers, parser, trace = false) {
      const jobs = answers.map((answer) => jobOf(answer, parser, trace))
      const good = jobs.flatMap((job, at) => ('code' in job ? [] : [{ job, at }]))
      const scores = jobs.map((job): Scored => failed('code' in job ? job : NOT_SCORED))
      const made = await workers.score(good.map(({ job }) => job))
      for (const [i, { at }] of good.entries()) scores[at] = made[i] ?? failed(NOT_SCORED)
      for (const [i, one] of scores.entries()) {
        const job = jobs[i]
        options.onScored?.(job === undefined || 'code' in job ? null : job.item.task, one)
      }
      return scores
    },
    async question(token) {
      const ref = openToken(keys, token)
      const trouble = ref === null ? BAD_TOKEN : stale(ref)
      if (ref === null || trouble !== null) throw new HttpError(422, trouble?.code ?? '', trouble?.message ?? '')
      const [drawn] = await workers.draw([{ ...ref, seed: madeSeed(ref.seed) }])
      if (drawn?.kind === 'item') return drawn.request
      if (drawn === undefined || drawn.kind === 'trouble')
        throw new HttpError(503, 'not-drawn', drawn?.message ?? 'the worker gave no item')
      const why = drawn.kind === 'hole' ? `index ${ref.index} holds no item: ${drawn.reason}` : drawn.message
      throw new HttpError(422, drawn.kind === 'hole' ? 'hole' : 'bad-request', why)
    },
    token: (selection, index) => sealToken(keys, { ...refOf(selection), index }),
    async size(selection) {
      const ref = refOf(selection)
      const sized = await workers.size({ ...ref, seed: madeSeed(ref.seed) })
      if (sized.kind === 'refused') throw new HttpError(422, 'bad-request', sized.message)
      return sized.size
    },
  }
}

const NOT_SCORED: JobError = { code: 'not-scored', message: 'the worker gave no score' }

function servedItem(index: number, drawn: Drawn, token: () => string): ServedItem {
  switch (drawn.kind) {
    case 'item': {
      const { request } = drawn
      return request.kind === 'chat'
        ? { index, token: token(), messages: [...request.messages] }
        : { index, token: token(), context: request.context, text: request.text }
    }
    case 'hole':
      return { index, hole: drawn.reason }
    case 'refused':
      throw new HttpError(422, 'bad-request', drawn.message)
    case 'trouble':
      return { index, trouble: drawn.message }
  }
}

/** A mistake in what was asked for is the client's. */
function asked<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isUsageError(error)) throw new HttpError(422, 'bad-request', error.message)
    throw error
  }
}

function contentOf(task: Task, { preset, config = {} }: Selection): Content {
  if (preset === undefined) {
    if (fitsToken(config)) return { kind: 'config', config }
    throw new UsageError(`a config has at most ${MAX_TOKEN / 2} bytes, so that it fits into a token`)
  }
  if (Object.keys(config).length > 0) throw new UsageError('give preset or config, not both')
  return { kind: 'preset', preset: task.preset(preset).name }
}

function indicesOf({ index, count, indices }: ItemsAsked): readonly number[] {
  if (indices === undefined) {
    const first = index ?? 0
    return Array.from({ length: count ?? 1 }, (_, i) => first + i)
  }
  if (index !== undefined || count !== undefined)
    throw new HttpError(422, 'bad-request', 'give indices, or index and count, not both')
  return indices
}

/** A question as one text, for those who put it to the model themselves. @throws Refusal for a task that measures. */
export function questionText(request: Request): string {
  if (request.kind === 'score')
    throw new HttpError(422, 'no-chat', 'this task measures log-probabilities: use POST /v1/items and POST /v1/score')
  const [only, ...others] = request.messages
  if (only !== undefined && others.length === 0) return only.content
  return request.messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
}

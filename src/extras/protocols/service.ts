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
import {
  type Drawn,
  type ItemOrigin,
  type JobError,
  notScored,
  type Scored,
  type ScoreJob,
  type Workers,
} from './job.ts'
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
  /** Splits that clients may draw; the first is the default. */
  readonly splits: readonly [string, ...string[]]
  /** Every split may be scored: for `grade`, never for clients of a server. */
  readonly anySplit?: boolean
  /** Use client seeds unchanged, as `generate` does: clients can then regenerate the items with their answers. */
  readonly rawSeeds?: boolean
  readonly onDrawn?: (task: string, kind: Drawn['kind']) => void
  readonly onScored?: (task: string | null, scored: Scored) => void
}

/** Items of one config, without an index. */
export interface Selection {
  readonly task: string
  readonly preset?: string | undefined
  readonly config?: JsonObject | undefined
  readonly split?: string | undefined
  readonly seed?: string | number | undefined
  readonly style?: string | undefined
}

/** One index, a range, or a list of indices. */
export interface ItemsQuery extends Selection {
  readonly index?: number | undefined
  readonly count?: number | undefined
  readonly indices?: readonly number[] | undefined
}

/** Draws and scores items by token: what all protocols share. Stateless but for caches. Methods throw HttpError. */
export interface Service {
  readonly tasks: readonly Task[]
  readonly splits: readonly [string, ...string[]]
  items(request: ItemsQuery): Promise<readonly ServedItem[]>
  /** A served task and split. */
  choose(task: string, split: string | undefined): { readonly task: Task; readonly split: string }
  /** In the order of the answers; one without a valid token has an `error`. */
  score(answers: readonly Answer[], parser: string, trace?: boolean): Promise<readonly Scored[]>
  /** The token of an index, whether or not it holds an item. */
  token(selection: Selection, index: number): string
  /** The question of a token as one text, for clients that prompt the model themselves. */
  question(token: string): Promise<string>
  /** Number of indices; null: endless. */
  size(selection: Selection): Promise<number | null>
}

/** Entries of the caches of config hashes and of hashed seeds. */
const CACHE_ENTRIES = 512
/** Bytes of opened tokens kept: several responses to one item come with the same token. */
const TOKEN_CACHE_BYTES = 32 * 1024 * 1024
/** Upper bound of an opened token in memory, beside its text. */
const OPENED_BYTES = 1024

const BAD_TOKEN: JobError = { code: 'bad-token', message: 'the token is not from this server, or was changed' }
const NOT_SCORED: JobError = { code: 'not-scored', message: 'the worker returned no score' }

export function serviceOf(options: ServiceOptions): Service {
  const { tasks, workers, keys, splits, anySplit = false, rawSeeds = false } = options
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const serves = (split: string): boolean => anySplit || splits.includes(split)
  const hashes = new LruCache<string, string>(CACHE_ENTRIES)
  const hashOf = (task: Task, content: Content): string =>
    hashes.get(`${task.name} ${JSON.stringify(content)}`, () =>
      configHash(configOf(task, content), task.configure({})).slice(0, 12),
    )
  const seeds = new LruCache<string, string>(CACHE_ENTRIES)
  const itemSeed = (seed: string): string => (rawSeeds ? seed : seeds.get(seed, () => servedSeed(keys, seed)))
  const opened = new LruCache<ItemOrigin | JobError, string>(
    TOKEN_CACHE_BYTES,
    (_, { length }) => OPENED_BYTES + 4 * length,
  )

  function taskOf(name: string): Task {
    const task = byName.get(name)
    if (task !== undefined) return task
    throw new HttpError(404, 'unknown-task', `unknown task "${name}"${hint(name, [...byName.keys()])}`)
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
      throw new HttpError(422, 'unknown-style', `unknown style "${style}". Styles: ${task.styles.join(', ')}`)
    try {
      const content = contentOf(task, selection)
      const seed = seedText(selection.seed ?? '1')
      const { name, version } = task
      return { task: name, version, content, configHash: hashOf(task, content), split, seed, style }
    } catch (error) {
      if (isUsageError(error)) throw new HttpError(422, 'bad-request', error.message)
      throw error
    }
  }

  /** Why a valid token cannot be scored here; null: it can. */
  function stale(ref: ItemRef): JobError | null {
    const task = byName.get(ref.task)
    if (task === undefined) return { code: 'unknown-task', message: `${ref.task} is not served here` }
    if (!serves(ref.split)) return { code: 'split-not-served', message: `${ref.split} is not served here` }
    try {
      if (task.version === ref.version && hashOf(task, ref.content) === ref.configHash) return null
    } catch (error) {
      if (!isUsageError(error)) throw error
    }
    return { code: 'stale-token', message: `${ref.task} has changed since the token was made: draw the item again` }
  }

  /** The item of a token. It depends on nothing that changes while the server runs, so it can be cached. */
  function open(token: string): ItemOrigin | JobError {
    const ref = openToken(keys, token)
    if (ref === null) return BAD_TOKEN
    const error = stale(ref)
    if (error !== null) return error
    const { task, content, split, seed, index } = ref
    return { task, content, split, seed: itemSeed(seed), index }
  }

  function jobOf({ token, text, finish, logprobs }: Answer, parser: string, trace: boolean): ScoreJob | JobError {
    // Too long for a token: not worth a place in the cache.
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
      const seed = itemSeed(ref.seed)
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
      const scores = jobs.map((job): Scored => notScored('code' in job ? job : NOT_SCORED))
      const made = await workers.score(good.map(({ job }) => job))
      for (const [i, { at }] of good.entries()) scores[at] = made[i] ?? notScored(NOT_SCORED)
      for (const [i, one] of scores.entries()) {
        const job = jobs[i]
        options.onScored?.(job === undefined || 'code' in job ? null : job.item.task, one)
      }
      return scores
    },
    async question(token) {
      const ref = openToken(keys, token)
      const error = ref === null ? BAD_TOKEN : stale(ref)
      if (ref === null || error !== null) throw new HttpError(422, error?.code ?? '', error?.message ?? '')
      const [drawn] = await workers.draw([{ ...ref, seed: itemSeed(ref.seed) }])
      if (drawn?.kind === 'item') return questionText(drawn.request)
      if (drawn?.kind === 'empty')
        throw new HttpError(422, 'empty-index', `index ${ref.index} holds no item: ${drawn.reason}`)
      if (drawn?.kind === 'refused') throw new HttpError(422, 'bad-request', drawn.message)
      throw new HttpError(503, 'not-drawn', drawn?.message ?? 'the worker returned no item')
    },
    token: (selection, index) => sealToken(keys, { ...refOf(selection), index }),
    async size(selection) {
      const ref = refOf(selection)
      const sized = await workers.size({ ...ref, seed: itemSeed(ref.seed) })
      if (sized.kind === 'refused') throw new HttpError(422, 'bad-request', sized.message)
      return sized.size
    },
  }
}

function servedItem(index: number, drawn: Drawn, token: () => string): ServedItem {
  switch (drawn.kind) {
    case 'item': {
      const { request } = drawn
      return request.kind === 'chat'
        ? { index, token: token(), messages: [...request.messages] }
        : { index, token: token(), context: request.context, text: request.text }
    }
    case 'empty':
      return { index, empty: drawn.reason }
    case 'refused':
      throw new HttpError(422, 'bad-request', drawn.message)
    case 'error':
      return { index, error: drawn.message }
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

function indicesOf({ index, count, indices }: ItemsQuery): readonly number[] {
  if (indices === undefined) {
    const first = index ?? 0
    return Array.from({ length: count ?? 1 }, (_, i) => first + i)
  }
  if (index !== undefined || count !== undefined)
    throw new HttpError(422, 'bad-request', 'give indices, or index and count, not both')
  return indices
}

/** @throws HttpError for a log-likelihood task, which has no chat prompt. */
function questionText(request: Request): string {
  if (request.kind === 'score')
    throw new HttpError(422, 'no-chat', 'this task scores log-probabilities: use POST /v1/items and POST /v1/score')
  const [only, ...others] = request.messages
  if (only !== undefined && others.length === 0) return only.content
  return request.messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
}

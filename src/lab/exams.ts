import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import type { Announcement, Commitment, ItemProof } from '../datasets/index.ts'
import { type Content, configOf } from './datasets.ts'
import { type Installed, recordsOf } from './installed.ts'
import { packageName, version } from './package.ts'

/** A set that is committed to before it is shown: its content and its name. */
export interface ExamRequest extends Content {
  /** A name of your own such as `exam-2027`; left out: `exam`. */
  readonly split?: string
  /** Indices 0..count-1. */
  readonly count: number
  /** A public value that nobody could choose, `drand:ROUND:VALUE`; to announce, the round without its value. */
  readonly beacon?: string
  /** The path of a secret of before; left out: drawn anew. */
  readonly secret?: string
  /** The folder to write. */
  readonly out: string
}

/** What was bound: the document to publish, and where it and the secret lie. */
export interface Bound<Document> {
  readonly open: string
  readonly kept: string
  readonly document: Document
}

/**
 * Binds a sealed exam: writes OUT/commitment.json, to be published with a date, and OUT/secret.json, to be kept.
 *
 * @throws UsageError for a split that items are trained or tested on, and where the files are there already.
 */
export async function commitExam(here: Installed, request: ExamRequest): Promise<Bound<Commitment>> {
  const { commitTo, examSeed } = await import('../datasets/index.ts')
  const exam = await examOf(here, request)
  const document = commitTo(exam, madeWith(here))
  const { secret, beacon } = exam
  return bind(request.out, 'commitment.json', { secret, seed: examSeed(secret, beacon) }, document)
}

/**
 * Binds only the secret and a round to come: writes OUT/announcement.json and OUT/secret.json.
 *
 * @throws UsageError as {@link commitExam}, and where no round is named.
 */
export async function announceExam(here: Installed, request: ExamRequest): Promise<Bound<Announcement>> {
  const { announce } = await import('../datasets/index.ts')
  const { beacon, ...exam } = await examOf(here, request)
  if (beacon === null)
    throw new UsageError('an announcement names a round to come: `beacon` drand:ROUND, whose value is not known yet')
  return bind(request.out, 'announcement.json', { secret: exam.secret }, announce({ ...exam, beacon }, madeWith(here)))
}

async function examOf(here: Installed, request: ExamRequest) {
  const { split = 'exam', count, beacon = null } = request
  const task = here.task(request.task)
  if (['train', 'validation', 'test'].includes(split))
    throw new UsageError(`an exam has a split of its own, not ${split}: \`split\` exam-2027`)
  const { config } = configOf(task, request)
  const secret = request.secret === undefined ? randomBytes(32).toString('hex') : await secretOf(request.secret)
  return { task, config, split, indices: count, beacon, secret }
}

const madeWith = ({ plugins }: Installed) => ({
  engine: { package: packageName, version },
  ...recordsOf(plugins),
})

/** Writes both files, the secret for its owner's eyes only. @throws UsageError where one of them is there. */
async function bind<Document>(
  folder: string,
  name: string,
  secret: { readonly secret: string; readonly seed?: string },
  document: Document,
): Promise<Bound<Document>> {
  const { makeFolder, writeFileAtomic } = await import('../store/index.ts')
  const [open, kept] = [join(folder, name), join(folder, 'secret.json')]
  await makeFolder(folder)
  for (const path of [open, kept])
    if (existsSync(path)) throw new UsageError(`${path} is there already: choose another \`out\``)
  await writeFile(kept, `${JSON.stringify(secret)}\n`, { mode: 0o600, flag: 'wx' })
  await writeFileAtomic(open, `${JSON.stringify(document, null, 1)}\n`)
  return { open, kept, document }
}

/** Where the secret of a committed set lies, and the proof of its time. */
export interface RevealRequest {
  /** The path of the secret; left out: secret.json beside the commitment. */
  readonly secret?: string
  /** The path of a proof of one item to be checked: it needs no secret. */
  readonly proof?: string
  /** The path of an announcement of before, to be compared. */
  readonly announced?: string
}

/** What somebody opened, held against what was committed. */
export interface Revealed {
  readonly schema: 'touchstone/reveal/1'
  readonly root: string
  readonly mismatches: number
  readonly problems: readonly string[]
}

/** Opens a sealed exam and makes every item anew, or checks the proof of one. `where`: commitment.json, or its folder. */
export async function revealExam(here: Installed, where: string, request: RevealRequest): Promise<Revealed> {
  const { checkAnnounced, checkProof, checkReveal, parseAnnouncement, parseProof } = await import(
    '../datasets/index.ts'
  )
  const { path, commitment } = await commitmentAt(where)
  const { secret, proof, announced } = request
  const opened =
    proof === undefined
      ? checkReveal(commitment, here.task(commitment.task), await secretOf(secret ?? secretBeside(path)))
      : checkProof(commitment, parseProof(await textOf(proof), proof))
  const before =
    announced === undefined ? [] : checkAnnounced(parseAnnouncement(await textOf(announced), announced), commitment)
  const problems = [...opened, ...before]
  return { schema: 'touchstone/reveal/1', root: commitment.root, mismatches: problems.length, problems }
}

/**
 * The proof of one item of a sealed exam, which says nothing of the others.
 *
 * @throws UsageError where the secret does not open the commitment.
 */
export async function proveExamItem(
  here: Installed,
  where: string,
  index: number,
  { secret: at }: Pick<RevealRequest, 'secret'> = {},
): Promise<ItemProof> {
  const { checkReveal, proveItem } = await import('../datasets/index.ts')
  const { path, commitment } = await commitmentAt(where)
  const task = here.task(commitment.task)
  const secret = await secretOf(at ?? secretBeside(path))
  const [problem] = checkReveal(commitment, task, secret)
  if (problem !== undefined) throw new UsageError(`${path} is not opened by this secret: ${problem}`)
  const { config, split, indices, beacon } = commitment
  return proveItem({ task, config: task.configure(config), split, indices, beacon, secret }, index)
}

/** Where a commitment lies: itself, or in its folder. */
export const commitmentPath = (where: string): string =>
  where.endsWith('.json') ? where : join(where, 'commitment.json')

async function commitmentAt(where: string): Promise<{ readonly path: string; readonly commitment: Commitment }> {
  const { parseCommitment } = await import('../datasets/index.ts')
  const path = commitmentPath(where)
  return { path, commitment: parseCommitment(await textOf(path), path) }
}

const secretBeside = (path: string): string => join(path, '..', 'secret.json')

async function secretOf(path: string): Promise<string> {
  const written = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`the secret ${path} cannot be read`)
  })
  const match = /"secret":\s*"([0-9a-f]{64})"/u.exec(written)
  if (match === null) throw new UsageError(`${path} holds no secret of 64 hex digits, as commit writes it`)
  return match[1] as string
}

const textOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read`)
  })

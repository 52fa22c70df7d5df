import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import {
  type Announcement,
  announce,
  type Commitment,
  checkAnnounced,
  checkProof,
  checkReveal,
  commitTo,
  examSeed,
  type ItemProof,
  parseAnnouncement,
  parseCommitment,
  parseProof,
  proveItem,
} from '../datasets/index.ts'
import { makeFolder, writeFileAtomic } from '../store/index.ts'
import { configOf } from './datasets.ts'
import { type Environment, recordsOf } from './environment.ts'
import { packageName, version } from './package.ts'
import type { examRequest, proveRequest, revealRequest, Valid } from './requests/index.ts'

/** A commitment: the document to publish, and the paths of it and of the secret. */
export interface Committed<Document> {
  readonly open: string
  readonly kept: string
  readonly document: Document
}

/**
 * Commits to an exam: writes OUT/commitment.json, to be published with a date, and OUT/secret.json, to be kept.
 *
 * @throws UsageError for the splits train, validation and test, and where the files exist already.
 */
export async function commitExam(
  here: Environment,
  request: Valid<typeof examRequest>,
): Promise<Committed<Commitment>> {
  const exam = await examOf(here, request)
  const document = commitTo(exam, madeWith(here))
  const { secret, beacon } = exam
  return bind(request.out, 'commitment.json', { secret, seed: examSeed(secret, beacon) }, document)
}

/**
 * Binds only the secret and a future beacon round: writes OUT/announcement.json and OUT/secret.json.
 *
 * @throws UsageError as {@link commitExam}, and where no round is named.
 */
export async function announceExam(
  here: Environment,
  request: Valid<typeof examRequest>,
): Promise<Committed<Announcement>> {
  const { beacon, ...exam } = await examOf(here, request)
  if (beacon === null) throw new UsageError('an announcement needs a future round: --beacon drand:ROUND')
  return bind(request.out, 'announcement.json', { secret: exam.secret }, announce({ ...exam, beacon }, madeWith(here)))
}

async function examOf(here: Environment, request: Valid<typeof examRequest>) {
  const { split = 'exam', count, beacon = null } = request
  const task = here.task(request.task)
  if (['train', 'validation', 'test'].includes(split))
    throw new UsageError(`an exam needs its own split, got ${split}. Example: --split exam-2027`)
  const { config } = configOf(task, request)
  const secret = request.secret === undefined ? randomBytes(32).toString('hex') : await secretOf(request.secret)
  return { task, config, split, indices: count, beacon, secret }
}

const madeWith = ({ plugins }: Environment) => ({
  engine: { package: packageName, version },
  ...recordsOf(plugins),
})

/** Writes both files, the secret readable by its owner only. @throws UsageError where one of them exists. */
async function bind<Document>(
  folder: string,
  name: string,
  secret: { readonly secret: string; readonly seed?: string },
  document: Document,
): Promise<Committed<Document>> {
  const [open, kept] = [join(folder, name), join(folder, 'secret.json')]
  await makeFolder(folder)
  for (const path of [open, kept])
    if (existsSync(path)) throw new UsageError(`${path} exists already. Choose another --out`)
  await writeFile(kept, `${JSON.stringify(secret)}\n`, { mode: 0o600, flag: 'wx' })
  await writeFileAtomic(open, `${JSON.stringify(document, null, 1)}\n`)
  return { open, kept, document }
}

/** A revealed exam, or the proof of one item, compared with the commitment. */
export interface Revealed {
  readonly schema: 'touchstone/reveal/1'
  readonly root: string
  readonly mismatches: number
  readonly problems: readonly string[]
}

/** Regenerates a sealed exam, or checks the proof of one item. `where`: commitment.json, or its folder. */
export async function revealExam(
  here: Environment,
  where: string,
  request: Valid<typeof revealRequest>,
): Promise<Revealed> {
  const { path, commitment } = await commitmentAt(where)
  const { secret, proof, announcement } = request
  const opened =
    proof === undefined
      ? checkReveal(commitment, here.task(commitment.task), await secretOf(secret ?? secretBeside(path)))
      : checkProof(commitment, parseProof(await textOf(proof), proof))
  const before =
    announcement === undefined
      ? []
      : checkAnnounced(parseAnnouncement(await textOf(announcement), announcement), commitment)
  const problems = [...opened, ...before]
  return { schema: 'touchstone/reveal/1', root: commitment.root, mismatches: problems.length, problems }
}

/**
 * The proof of one item of a sealed exam; it reveals nothing about the others.
 *
 * @throws UsageError where the secret does not open the commitment.
 */
export async function proveExamItem(
  here: Environment,
  where: string,
  index: number,
  { secret: at }: Valid<typeof proveRequest>,
): Promise<ItemProof> {
  const { path, commitment } = await commitmentAt(where)
  const task = here.task(commitment.task)
  const secret = await secretOf(at ?? secretBeside(path))
  const [problem] = checkReveal(commitment, task, secret)
  if (problem !== undefined) throw new UsageError(`this secret does not open ${path}: ${problem}`)
  const { config, split, indices, beacon } = commitment
  return proveItem({ task, config: task.configure(config), split, indices, beacon, secret }, index)
}

/** The path of a commitment, given by itself or by its folder. */
export const commitmentPath = (where: string): string =>
  where.endsWith('.json') ? where : join(where, 'commitment.json')

async function commitmentAt(where: string): Promise<{ readonly path: string; readonly commitment: Commitment }> {
  const path = commitmentPath(where)
  return { path, commitment: parseCommitment(await textOf(path), path) }
}

const secretBeside = (path: string): string => join(path, '..', 'secret.json')

async function secretOf(path: string): Promise<string> {
  const written = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`cannot read the secret ${path}. Check that it exists`)
  })
  const match = /"secret":\s*"([0-9a-f]{64})"/u.exec(written)
  if (match === null) throw new UsageError(`${path} holds no secret of 64 hex digits (as exam commit writes it)`)
  return match[1] as string
}

const textOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`cannot read ${path}. Check that it exists`)
  })

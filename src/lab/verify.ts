import { type Dirent, existsSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { defined } from '../core/defined.ts'
import { isUsageError } from '../core/errors.ts'
import { jsonOrNull } from '../core/json.ts'
import { type Overlap, openDataset, overlap, type Verification } from '../datasets/index.ts'
import {
  fingerprintIn,
  parseSeal,
  type RunFault,
  type RunVerification,
  type SealVerification,
  signatureFile,
  signerOf,
  verifyRun,
  verifySeal,
  verifyStored,
} from '../extras/seals/index.ts'
import { fileName, type Report, reportFiles } from '../report/index.ts'
import { RUN_FILES, type Run } from '../runner/index.ts'
import { writeFileAtomic } from '../store/index.ts'
import { verifyDataset } from './datasets.ts'
import type { Environment } from './environment.ts'
import { version } from './package.ts'
import { inStore } from './provenance.ts'
import { type overlapRequest, rejectOptions, reportRequest, type Valid, type verifyRequest } from './requests/index.ts'
import { onRun, reportOf } from './runs.ts'
import { withStored } from './stored.ts'

const OF_DATASETS = ['hashOnly', 'sample', 'oracles', 'audit'] as const

/** Verifies a dataset, a run (a folder, or `store:RUN`) or the file of a seal. @throws UsageError for options of the others. */
export async function verifyPath(
  here: Environment,
  path: string,
  request: Valid<typeof verifyRequest>,
): Promise<Verification | RunVerification | SealVerification> {
  if (request.hashOnly === true)
    rejectOptions(request, ['sample', 'oracles', 'audit'], '--hash-only regenerates nothing. Leave one of them out')
  if (inStore(path)) {
    rejectOptions(request, OF_DATASETS, 'only for datasets; a run is always verified completely')
    return withStored(here, path, verifyStored)
  }
  if (existsSync(path) && statSync(path).isFile()) {
    rejectOptions(request, OF_DATASETS, 'only for datasets; a seal is always verified completely')
    return verifySealFile(here, path, request.signer)
  }
  rejectOptions(request, ['signer'], 'only for a seal: name its file')
  if (!existsSync(join(path, 'run.json'))) return verifyDataset(here, path, request)
  rejectOptions(request, OF_DATASETS, 'only for datasets; a run is always verified completely')
  return onRun(here, path, { mode: 'read' }, (run) => verifyFolder(here, run))
}

/** @param wanted - who must have signed it. */
async function verifySealFile(here: Environment, path: string, wanted: string | undefined): Promise<SealVerification> {
  const content = await readFile(path)
  const armored = await readFile(signatureFile(path), 'utf8').catch(() => null)
  const signer = armored === null ? null : signerOf(content, armored)
  const { tasks } = await here.runContext()
  const found = verifySeal(parseSeal(content.toString(), path), tasks, signer)
  if (wanted === undefined) return found
  const key = fingerprintIn(existsSync(wanted) ? await readFile(wanted, 'utf8') : wanted, wanted)
  if (key === found.signedBy) return found
  const message = `it is not signed by ${key}, but by ${found.signedBy ?? 'nobody'}`
  return { ...found, mismatches: found.mismatches + 1, problems: [message, ...found.problems] }
}

/** Content that two datasets share, up to renaming; of one dataset, its repeats and split partition. @throws UsageError for datasets of two tasks. */
export async function overlapOf(
  here: Environment,
  folder: string,
  { other, write = true, out = join(folder, 'overlap.json'), ...options }: Valid<typeof overlapRequest>,
): Promise<Overlap> {
  const first = await openDataset(folder)
  const second = other === undefined ? null : await openDataset(other)
  const found = await overlap(first, second, here.task(first.manifest.task), options)
  if (write) await writeFileAtomic(out, `${JSON.stringify(found, null, 1)}\n`)
  return found
}

// ---- A run folder with its report

/** Verifies a run folder: the run, and the report that lies in it. */
export async function verifyFolder(here: Environment, run: Run): Promise<RunVerification> {
  const verification = await verifyRun(run)
  // The report of a run that is not what it says cannot be made.
  if (verification.mismatches > 0 || !existsSync(join(run.dir, RUN_FILES.report))) return verification
  const { problems, notChecked } = await verifyReport(here, run)
  return {
    ...verification,
    mismatches: problems.length,
    problems: problems.map((message): RunFault => ({ check: 'report', message })),
    notChecked: [...verification.notChecked, ...notChecked],
  }
}

/** What a report says of how it was made. */
const reportFile = z.looseObject({
  run: z.string(),
  made: reportRequest.omit({ out: true }).extend({ version: z.string() }),
})

/** The same run and the same request make the same bytes: they are made again and compared. */
async function verifyReport(
  here: Environment,
  run: Run,
): Promise<{ readonly problems: readonly string[]; readonly notChecked: readonly string[] }> {
  const folder = join(run.dir, RUN_FILES.report)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (entry: Dirent): string =>
    join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .split(sep)
      .join('/')
  const files = entries.filter((entry) => entry.isFile()).map(pathOf)
  const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf)
  const left = new Set([...files, ...folders.filter((path) => !files.some((file) => file.startsWith(`${path}/`)))])
  const notChecked: string[] = []
  const again = `write it again: touchstone report ${run.dir}`
  const document = await readFile(join(folder, 'report.json'), 'utf8').catch(() => null)
  const found = document === null ? null : reportFile.safeParse(jsonOrNull(document))
  if (found?.success === false) return { problems: [`report/report.json is not a report; ${again}`], notChecked }
  const { version: by, ...request } = defined(found?.data.made ?? { version })
  const place = found?.data.run ?? run.dir
  if (place !== run.dir) notChecked.push(`where the report says that the run was: ${place}`)
  if (by !== version) notChecked.push(`that version ${by} of this program wrote the report: this is ${version}`)
  const problems: string[] = []
  try {
    const report: Report = {
      ...(await reportOf(here, run, defined(request))),
      run: place,
      made: { version: by, ...defined(request) },
    }
    const formats = request.formats?.filter((format) => format !== 'png')
    for await (const [path, content] of reportFiles(report, defined({ formats })))
      if (!left.delete(path)) problems.push(`report/${path} is missing; ${again}`)
      else if (!Buffer.from(content).equals(await readFile(join(folder, path))))
        problems.push(
          `report/${path} is not what the run gives${by === version ? '' : ` (it was written by version ${by})`}; ${again}`,
        )
    const drawn = report.analyses.flatMap(({ figures }) => figures.map(({ id }) => `figures/${fileName(id)}.png`))
    if (request.formats?.includes('png') === true)
      for (const path of drawn)
        if (left.delete(path)) notChecked.push(`report/${path}: its pixels depend on the fonts of a machine`)
  } catch (error) {
    if (!isUsageError(error)) throw error
    problems.push(`the report cannot be made again: ${error.message}; ${again}`)
  }
  for (const path of left) problems.push(`report/${path} is not part of the report. Keep it elsewhere`)
  return { problems, notChecked }
}

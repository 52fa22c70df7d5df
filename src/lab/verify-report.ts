import { type Dirent, existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { defined } from '../core/defined.ts'
import { isUsageError } from '../core/errors.ts'
import { jsonOrNull } from '../core/json.ts'
import { type RunFault, type RunVerification, verifyRun } from '../extras/seals/index.ts'
import { fileName, type Report, reportFiles } from '../report/index.ts'
import { RUN_FILES, type Run } from '../runner/index.ts'
import type { Environment } from './environment.ts'
import { version } from './package.ts'
import { reportRequest } from './requests/index.ts'
import { reportOf } from './runs.ts'

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
const said = z.looseObject({
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
  const found = document === null ? null : said.safeParse(jsonOrNull(document))
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

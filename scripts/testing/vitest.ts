import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, failed, tool } from './step.ts'

/** The part of vitest's JSON report that is counted here. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
}

/** Runs one project of vitest.config.ts and counts its tests. */
export async function vitest(project: string, env?: NodeJS.ProcessEnv): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
  try {
    const file = join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const code = await tool('vitest', ['run', '--project', project, ...reporters], env)
    return existsSync(file) ? countReport(JSON.parse(readFileSync(file, 'utf8')), code) : failed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Counts of a report, given vitest's exit code: a test file that cannot even be imported has no failed test, so an
 * exit code other than 0 is at least one failure, and so is a run that found no test.
 */
export function countReport(report: Report, code: number): Counts {
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  const none = counts.passed + counts.failed + counts.skipped === 0
  return code === 0 && !none ? counts : { ...counts, failed: Math.max(1, counts.failed) }
}

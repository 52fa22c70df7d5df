import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { type Counts, failed, root, tool } from './step.ts'
import { type Suite, suiteOf } from './suites.ts'
import type { Result } from './table.ts'

/** The part of vitest's JSON report that is counted here. */
interface Report {
  readonly testResults: readonly FileReport[]
}
interface FileReport {
  /** Absolute path. */
  readonly name: string
  readonly status: string
  readonly startTime: number
  readonly endTime: number
  readonly assertionResults: readonly { readonly status: string }[]
}

/** Runs suites beside one another in one vitest, which leaves no core idle while the last file of each ends. */
export async function vitest(suites: readonly Suite[], env: NodeJS.ProcessEnv): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
  try {
    const file = join(folder, 'report.json')
    const projects = suites.flatMap(({ name }) => ['--project', name])
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const code = await tool('vitest', ['run', ...projects, ...reporters], env)
    const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : { testResults: [] }
    return countReport(report, code, suites)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Counts of a report by suite, given vitest's exit code. A test file that cannot even be imported has no failed test and
 * is still a failure, and so is a suite without a test; an exit code other than 0 that nothing explains is one of its own.
 */
export function countReport({ testResults }: Report, code: number, suites: readonly Suite[]): Result[] {
  const files = Map.groupBy(testResults, ({ name }) => suiteOf(relative(root, name).replaceAll(sep, '/'))?.name)
  const results = suites.map(({ name }): Result => {
    const own = files.get(name) ?? []
    const all = own.map(countFile)
    const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0)
    const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
    const none = counts.passed + counts.failed + counts.skipped === 0
    return { name, counts: none ? failed : counts, seconds: none ? 0 : secondsOf(own) }
  })
  const explained = code === 0 || results.some(({ counts }) => counts.failed > 0)
  return explained ? results : [...results, { name: 'vitest', counts: failed, seconds: 0 }]
}

function countFile({ status, assertionResults }: FileReport): Counts {
  const count = (...which: string[]) => assertionResults.filter((test) => which.includes(test.status)).length
  const [passed, own] = [count('passed'), count('failed')]
  const broken = status === 'failed' && own === 0
  return { passed, failed: broken ? 1 : own, skipped: assertionResults.length - passed - own }
}

/** From the start of the first test to the end of the last; other suites ran beside it. */
const secondsOf = (files: readonly FileReport[]): number =>
  (Math.max(...files.map(({ endTime }) => endTime)) - Math.min(...files.map(({ startTime }) => startTime))) / 1000

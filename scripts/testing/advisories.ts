import { spawnSync } from 'node:child_process'
import { type Counts, failed, passed, root, skipped } from './step.ts'

interface Answer {
  readonly message?: string
  readonly error?: { readonly summary?: string }
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } }
}

/** The answer of `npm audit --json`: known advisories fail; without an answer the step reports NOT CHECKED. */
export function verdictOf(output: string): { readonly counts: Counts; readonly text: string } {
  let answer: Answer = {}
  try {
    answer = JSON.parse(output) as Answer
  } catch {
    // No JSON is no answer.
  }
  const { metadata, error, message } = answer
  if (metadata === undefined) {
    const why = message ?? error?.summary ?? 'no answer'
    return { counts: skipped, text: `NOT CHECKED: the registry could not be asked for advisories (${why})` }
  }
  const { total } = metadata.vulnerabilities
  return total === 0
    ? { counts: passed, text: 'no known advisory for a package of production' }
    : { counts: failed, text: `${total} packages of production have known advisories: see npm audit --omit=dev` }
}

/** Asks the registry for known advisories of the packages that users install. */
export function checkAdvisories(): Counts {
  const args = ['audit', '--omit=dev', '--json']
  const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  const { counts, text } = verdictOf(stdout)
  process.stdout.write(`${text}\n`)
  return counts
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')

/** What runs the command line from the sources: arguments of Node before those of the command. */
export const COMMAND = ['--conditions=touchstone-source', join(root, 'src/cli/main.ts')] as const

/** Its environment: types are stripped from the sources once and not at every start, as by `./touchstone`. */
export const ENVIRONMENT = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/node'),
}

/** What one process took from start to exit. */
export interface Cost {
  readonly seconds: number
  /** Seconds of all its threads. */
  readonly cpu: number
  /** Most resident memory, in MiB. */
  readonly peak: number
}

/** Tells at its end what the process took. */
const TELLS = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.send([userCPUTime + systemCPUTime, maxRSS]) })",
)}`

/** Runs Node with these arguments to its end. @throws Error where it fails. */
export async function costOf(args: readonly string[]): Promise<Cost> {
  const from = performance.now()
  const child = spawn(process.execPath, ['--import', TELLS, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: ENVIRONMENT,
  })
  const told = once(child, 'message') as Promise<[[cpu: number, kilobytes: number]]>
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${code}`)
  const [[cpu, kilobytes]] = await told
  return { seconds: (performance.now() - from) / 1000, cpu: cpu / 1e6, peak: kilobytes / 1024 }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { COMMAND, ENVIRONMENT } from '../command.ts'

/** What one report cost. */
export interface Cost {
  readonly seconds: number
  readonly cpu: number
  /** Most resident memory, in MiB. */
  readonly peak: number
}

/** Tells at its end what the process took. */
const TELLS = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.send([userCPUTime + systemCPUTime, maxRSS]) })",
)}`

/** Makes the report of a run by the command line, in a process of its own. */
export async function reportCost(run: string, out: string): Promise<Cost> {
  const from = performance.now()
  const child = spawn(process.execPath, ['--import', TELLS, ...COMMAND, 'report', run, '--out', out], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: ENVIRONMENT,
  })
  const told = once(child, 'message') as Promise<[[cpu: number, kilobytes: number]]>
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the report of ${run} ended with exit code ${code}`)
  const [[cpu, kilobytes]] = await told
  return { seconds: (performance.now() - from) / 1000, cpu: cpu / 1e6, peak: kilobytes / 1024 }
}

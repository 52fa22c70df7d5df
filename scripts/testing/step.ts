import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'

export const root = dirname(dirname(import.meta.dirname))

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** One line of the table that `npm test` ends with. */
export interface Step {
  readonly name: string
  /** One sentence for `--help`. */
  readonly checks: string
}
/** A step that is no suite of tests. */
export interface Check extends Step {
  run(): Promise<Counts>
}

export const passed: Counts = { passed: 1, failed: 0, skipped: 0 }
export const failed: Counts = { passed: 0, failed: 1, skipped: 0 }
export const skipped: Counts = { passed: 0, failed: 0, skipped: 1 }

export function add(list: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => list.reduce((total, counts) => total + counts[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

export interface ExecuteOptions {
  readonly env?: NodeJS.ProcessEnv | undefined
  /** The program is ended after so long; default: never. */
  readonly seconds?: number
}

/** Runs a program with the terminal of this process and resolves to its exit code; 1 when a signal ended it. */
export function execute(program: string, args: readonly string[], options: ExecuteOptions = {}): Promise<number> {
  const { env, seconds } = options
  process.stdout.write(`$ ${[program, ...args].join(' ')}\n`)
  const child = spawn(program, args, {
    cwd: root,
    ...(seconds === undefined ? {} : { timeout: 1000 * seconds }),
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** Runs a program that a dependency brings. */
export const tool = (name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<number> =>
  execute(join('node_modules/.bin', name), args, { env })

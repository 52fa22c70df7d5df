import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let made: string | undefined
/** Where the command line remembers plugins, apart from that of whoever runs the tests: one for each process of tests. */
export const home = (): string => (made ??= mkdtempSync(join(inject('homes'), 'home-')))

const root = join(import.meta.dirname, '../../..')

/** Runs the command line as a user would, and waits. */
export function touchstone(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
  cwd = process.cwd(),
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=touchstone-source', join(root, 'src/cli/main.ts'), ...args], {
      env: { ...process.env, TOUCHSTONE_HOME: home(), ...env },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString()
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** The one JSON document of a `--json` call of a command line. Throws where standard output holds anything else. */
export const jsonWith =
  <More extends readonly unknown[]>(command: (args: readonly string[], ...more: More) => Promise<Finished>) =>
  async <T>(args: readonly string[], ...more: More): Promise<T> => {
    const { stdout, stderr, code } = await command([...args, '--json'], ...more)
    try {
      return JSON.parse(stdout) as T
    } catch {
      throw new Error(`exit ${code}, not one JSON document: ${stdout.slice(0, 500)}\n${stderr.slice(0, 2000)}`)
    }
  }

/** A folder that is gone when the test is. */
export function scratch(): { readonly path: (name: string) => string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-e2e-'))
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

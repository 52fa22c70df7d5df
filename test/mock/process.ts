import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Entry } from './server.ts'

export interface MockProcess {
  readonly url: string
  books(): Promise<{ readonly books: readonly Entry[]; readonly requests: number; readonly mostOpen: number }>
  close(): Promise<void>
}

/** Starts the mock as its own process; `args` as in main.ts. */
export async function spawnMock(...args: readonly string[]): Promise<MockProcess> {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error('the mock has no stdout')
  const [url] = (await once(createInterface({ input: stdout }), 'line')) as [string]
  return {
    url,
    async books() {
      const response = await fetch(new URL('/books', url))
      return (await response.json()) as Awaited<ReturnType<MockProcess['books']>>
    },
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

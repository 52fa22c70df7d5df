import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Numbered } from './compile.ts'
import type { Answer, Order } from './tester.ts'

/** A process of `tester.ts`. */
export interface Tester {
  /** What it answers; undefined where it ended: out of time, or of memory. */
  tell(order: Order): Promise<Answer | undefined>
  close(): Promise<void>
}

const ARGS = ['--conditions=touchstone-source', '--max-old-space-size=2048', '--no-warnings']

export async function hire(root: string, mutants: readonly Numbered[], folder: string): Promise<Tester> {
  const child = fork(new URL('./tester.ts', import.meta.url), {
    execArgv: ARGS,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, TMPDIR: folder },
    cwd: root,
  })
  const tester: Tester = {
    tell: (order) => answerOf(child, order),
    async close() {
      await answerOf(child, { do: 'close' })
      child.kill('SIGKILL')
    },
  }
  await tester.tell({ do: 'open', root, mutants })
  return tester
}

async function answerOf(child: ChildProcess, order: Order): Promise<Answer | undefined> {
  if (!child.connected) return undefined
  const controller = new AbortController()
  const { signal } = controller
  child.send(order, () => {})
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([answer]) => answer as Answer),
      once(child, 'exit', { signal }).then(() => undefined),
    ])
  } finally {
    controller.abort()
  }
}

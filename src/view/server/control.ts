import { hostname } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { RUN_FILES } from '../../runner/index.ts'
import { lockHolder } from '../../store/index.ts'

/** May the process that works on this run be stopped from here? It must be of this machine. */
export function isStoppable(run: string): boolean {
  return lockHolder(join(run, RUN_FILES.lock))?.host === hostname()
}

/**
 * Stops the process that works on a run, as Ctrl-C does: what was answered is saved, and `resume` goes on. The lock says
 * which process that is, so another one is never meant.
 *
 * @throws UsageError where nobody of this machine works on it.
 */
export function stopRun(run: string, kill: (pid: number, signal: 'SIGINT') => void = process.kill): number {
  const holder = lockHolder(join(run, RUN_FILES.lock))
  if (holder === null) throw new UsageError('no process works on this run')
  if (holder.host !== hostname())
    throw new UsageError(`process ${holder.pid} on ${holder.host} works on this run: stop it there`)
  kill(holder.pid, 'SIGINT')
  return holder.pid
}

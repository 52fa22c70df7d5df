import { hostname } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { RUN_FILES } from '../../runner/index.ts'
import { lockHolder } from '../../store/index.ts'

/** True if a process of this machine works on the run. */
export function isStoppable(run: string): boolean {
  return lockHolder(join(run, RUN_FILES.lock))?.host === hostname()
}

/** Stops the process that works on a run, as Ctrl-C does: responses are saved and `resume` continues. The lock names the process. @throws UsageError if no process of this machine works on the run */
export function stopRun(run: string, kill: (pid: number, signal: 'SIGINT') => void = process.kill): number {
  const holder = lockHolder(join(run, RUN_FILES.lock))
  if (holder === null) throw new UsageError('no process works on this run')
  if (holder.host !== hostname())
    throw new UsageError(`process ${holder.pid} on ${holder.host} works on this run: stop it there`)
  kill(holder.pid, 'SIGINT')
  return holder.pid
}

import { readFileSync } from 'node:fs'

/** Most memory that a process has had, in MiB; 0 where the platform does not say. */
export function peakOf(pid: number | undefined): number {
  try {
    return Math.round(
      Number(/^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    )
  } catch {
    return 0
  }
}

import process from 'node:process'
import type { Context } from './context.ts'

/** Keeps the heap small where the process is the command's own; that of a program which runs commands is its own affair. */
export async function keepOwnHeapSmall(context: Context): Promise<void> {
  if (context.process !== process) return
  // Before all else is loaded, which makes the heap grow.
  const { keepHeapSmall } = await import('../runner/memory.ts')
  keepHeapSmall()
}

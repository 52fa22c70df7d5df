import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { printable, printableJson } from '../core/text.ts'
import type { Context } from './context.ts'

/** stdout: results. With `--json` exactly one document. */
export function printJson(context: Context, document: unknown): void {
  context.process.stdout.write(`${printableJson(JSON.stringify(document, null, 1))}\n`)
}

export function print(context: Context, ...lines: readonly string[]): void {
  context.process.stdout.write(`${printable(lines.join('\n'))}\n`)
}

/** stderr: what goes on meanwhile. */
export function note(context: Context, ...lines: readonly string[]): void {
  context.process.stderr.write(`${printable(lines.join('\n'))}\n`)
}

/** Writes, and waits until there is place for more, or nobody reads any longer. */
export async function written(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text) && !stream.destroyed) await once(stream, 'drain').catch(() => undefined)
}

/** Columns padded to their widest cell; numbers to the right. */
export function aligned(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, c) => Math.max(...rows.map((row) => (row[c] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, c) => (right.includes(c) ? cell.padStart(widths[c] as number) : cell.padEnd(widths[c] as number)))
      .join('  ')
      .trimEnd(),
  )
}

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { printable, printableJson } from '../core/text.ts'

/** The process of a command: its own, or that of a program that runs commands. */
export interface Context {
  readonly process: NodeJS.Process
}

/** Exit codes. */
export const exits = { done: 0, failed: 1, usage: 2, costLimit: 3, interrupted: 130 } as const

/** Writes the one document of `--json` to stdout. */
export function printJson(context: Context, document: unknown): void {
  context.process.stdout.write(`${printableJson(JSON.stringify(document, null, 1))}\n`)
}

/** Writes results to stdout. */
export function print(context: Context, ...lines: readonly string[]): void {
  context.process.stdout.write(`${printable(lines.join('\n'))}\n`)
}

/** As `print`, with long lines wrapped to the width of the terminal; lines that begin with a space or are tables stay whole. */
export function printText(context: Context, ...lines: readonly string[]): void {
  const width = terminalWidth(context)
  print(
    context,
    ...lines.flatMap((line) => (line.length <= width || line.includes('  ') ? [line] : wrapped(line, width))),
  )
}

/** Characters of a line of stdout: unlimited in files and pipes. */
export const terminalWidth = ({ process }: Context): number => process.stdout.columns ?? Number.POSITIVE_INFINITY

/** Writes progress and warnings to stderr. */
export function printError(context: Context, ...lines: readonly string[]): void {
  context.process.stderr.write(`${printable(lines.join('\n'))}\n`)
}

/** Writes, and waits until the stream has room again or is closed. */
export async function writeWithBackpressure(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text) && !stream.destroyed) await once(stream, 'drain').catch(() => undefined)
}

/** Columns padded to their widest cell; those of `right` to the right. */
export function aligned(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, c) => Math.max(...rows.map((row) => (row[c] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, c) => (right.includes(c) ? cell.padStart(widths[c] as number) : cell.padEnd(widths[c] as number)))
      .join('  ')
      .trimEnd(),
  )
}

/** As `aligned`, with the last column wrapped to `width`: below the others where they leave less than 30 characters. */
export function alignedText(
  rows: readonly (readonly string[])[],
  width: number,
  right: readonly number[] = [],
): string[] {
  const heads = aligned(
    rows.map((row) => row.slice(0, -1)),
    right,
  )
  const behind = Math.max(0, ...heads.map((head) => head.length)) + 2
  const isBelow = width - behind < 30
  const left = isBelow ? 6 : behind
  return rows.flatMap((row, k) => {
    const texts = wrapped(row.at(-1) ?? '', width - left)
    const head = heads[k] ?? ''
    const lines = texts.map((text, t) => `${(t === 0 && !isBelow ? head : '').padEnd(left)}${text}`.trimEnd())
    return isBelow ? [head, ...lines.filter((line) => line !== '')] : lines
  })
}

/** Words of a text in lines of at most `width` characters. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A plural: `1 item`, `2 items`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

import { printable } from '../core/text.ts'
import type { ModelProgress, Progress } from '../runner/index.ts'
import { duration, waitText } from '../runner/progress/model-progress.ts'
import { aligned, type Context, plural, printError } from './output.ts'

/** The whole run in one line. */
export function progressText(progress: Progress): string {
  const { planned, done, failed, retrying, inFlight, batched, elsewhere, rate, usd, limit, left, failures, models } =
    progress
  const parts = [`${done}/${planned} done`]
  if (failed > 0) parts.push(plural(failed, 'error'))
  if (retrying > 0) parts.push(`${retrying} waiting for a retry`)
  if (batched > 0) parts.push(`${batched} in batches`)
  parts.push(`${inFlight} in flight`, rateText(rate))
  if (left !== null && left > 0) parts.push(`${duration(left)} left`)
  if (usd > 0 || limit !== null) parts.push(`$${usd.toFixed(2)}${limit === null ? '' : ` of $${limit}`}`)
  const faults = Object.entries(failures).map(([code, count]) => `${code} ${count}`)
  if (faults.length > 0) parts.push(faults.join(', '))
  // Without a call in flight, say what the run waits for.
  const waiting = inFlight > 0 ? undefined : models.flatMap(({ waits }) => waits).find(({ kind }) => kind !== 'broken')
  if (waiting !== undefined) parts.push(oneLine(waitText(waiting), MAX_MESSAGE))
  else if (inFlight === 0 && elsewhere.length > 0)
    parts.push(`batches of ${oneLine(elsewhere.join(', '), MAX_MESSAGE)} are polled by another worker`)
  return parts.join(' · ')
}

const rateText = (rate: number): string => `${rate.toFixed(rate < 10 ? 1 : 0)}/s`

/** Characters of a bar, of a name, and of a message of a provider. */
const BAR = 16
const MAX_NAME = 32
const MAX_MESSAGE = 100

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
const oneLine = (text: string, most: number): string => cut(printable(text.replaceAll(/\s+/gu, ' ')), most)

/**
 * One line per model, with what it waits for and its errors below.
 *
 * @param columns - width of the terminal; bars are dropped first where it is too small.
 */
export function modelLines(
  models: readonly ModelProgress[],
  limit: number | null,
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  const all = models.map((model) => row(model, limit))
  const wide = aligned(all, [2, 3, 5, 6, 7])
  const rows = wide.every((line) => line.length <= columns)
    ? wide
    : aligned(
        all.map(([name = '', , ...rest]) => [name, ...rest]),
        [1, 2, 4, 5, 6],
      )
  return models.flatMap(({ waits, failures }, k) => [
    rows[k] as string,
    ...(waits.length === 0
      ? []
      : [`    waiting: ${waits.map((wait) => oneLine(waitText(wait), MAX_MESSAGE)).join('; ')}`]),
    ...failures.map(
      ({ code, times, message }) => `    ✗ ${oneLine(code, MAX_NAME)} ×${times}: ${oneLine(message, MAX_MESSAGE)}`,
    ),
  ])
}

function row({ model, total, done, failed, accuracy, rate, left, usd }: ModelProgress, limit: number | null) {
  const ended = done + failed
  const full = total > 0 ? Math.min(BAR, Math.floor((BAR * ended) / total)) : BAR
  return [
    `  ${oneLine(model, MAX_NAME)}`,
    `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`,
    `${done}/${total}`,
    failed > 0 ? plural(failed, 'error') : '',
    accuracy === null ? '' : `${accuracy.value.toFixed(3)} [${accuracy.low.toFixed(3)}, ${accuracy.high.toFixed(3)}]`,
    left === 0 ? 'finished' : rateText(rate),
    left === null ? '' : left === 0 ? '' : `${duration(left)} left`,
    usd > 0 || limit !== null ? `$${usd.toFixed(usd < 1 ? 4 : 2)}` : '',
  ]
}

/** A line folded between its parts, or between words where it has no parts. */
function folded(line: string, columns: number): readonly string[] {
  if (line.length <= columns) return [line]
  const indent = ' '.repeat(line.length - line.trimStart().length)
  const between = /( {2,}| · )/u
  const [first = '', ...rest] = line.trim().split(between.test(line.trim()) ? between : /( )/u)
  const lines = [`${indent}${first}`]
  for (let k = 0; k < rest.length; k += 2) {
    const [gap = '', part = ''] = rest.slice(k, k + 2)
    const joined = `${lines.at(-1)}${gap.length > 2 && gap.trim() === '' ? '  ' : gap}${part}`
    if (joined.length <= columns) lines[lines.length - 1] = joined
    else lines.push(`${indent}    ${part}`)
  }
  return lines.map((one) => cut(one, columns))
}

/** Ms between lines where there is no terminal. */
const EACH_MS = 60_000

/** Live progress on stderr. */
export interface LiveBlock {
  /** One line, and further lines that only a terminal shows. */
  show(first: string, more?: (columns: number) => readonly string[]): void
  /** Writes lines that stay above the block. */
  say(...lines: readonly string[]): void
  end(): void
}

/** A block that is redrawn in place on a terminal; elsewhere its first line once per minute. */
export function liveBlock(context: Context): LiveBlock {
  const { stderr } = context.process
  if (!stderr.isTTY) {
    let last = performance.now()
    return {
      show(first) {
        if (performance.now() - last < EACH_MS) return
        last = performance.now()
        printError(context, first)
      },
      say: (...lines) => printError(context, ...lines),
      end: () => undefined,
    }
  }
  let drawn = 0
  // Moves to the beginning of the block and erases it.
  const clear = (): string => `\r${drawn > 1 ? `\x1b[${drawn - 1}A` : ''}\x1b[J`
  return {
    show(first, more = () => []) {
      // Some terminals report a width of 0.
      const [columns, rows] = [(stderr.columns || 100) - 1, Math.max(1, (stderr.rows || 24) - 2)]
      const lines = [first, ...more(columns)].flatMap((line) => folded(printable(line), columns))
      const shown =
        lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `  … ${lines.length - rows + 1} more lines`]
      stderr.write(`${clear()}${shown.join('\n')}`)
      drawn = shown.length
    },
    say(...lines) {
      stderr.write(clear())
      drawn = 0
      printError(context, ...lines)
    },
    end() {
      if (drawn > 0) stderr.write(clear())
      drawn = 0
    },
  }
}

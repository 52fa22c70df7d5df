import { printable } from '../core/text.ts'
import type { ModelProgress, Progress } from '../runner/index.ts'
import { duration, waitText } from '../runner/progress/model-progress.ts'
import type { Context } from './context.ts'
import { aligned, note } from './output.ts'

/** The whole run in one line. */
export function progressText(progress: Progress): string {
  const { planned, done, failed, retrying, inFlight, batched, elsewhere, rate, usd, limit, left, failures, models } =
    progress
  const parts = [`${done}/${planned} done`]
  if (failed > 0) parts.push(`${failed} failed`)
  if (retrying > 0) parts.push(`${retrying} wait to be tried again`)
  if (batched > 0) parts.push(`${batched} in batches`)
  parts.push(`${inFlight} in flight`, rateText(rate))
  if (left !== null && left > 0) parts.push(`${duration(left)} left`)
  if (usd > 0 || limit !== null) parts.push(`$${usd.toFixed(2)}${limit === null ? '' : ` of $${limit}`}`)
  const faults = Object.entries(failures).map(([code, count]) => `${code} ${count}`)
  if (faults.length > 0) parts.push(faults.join(', '))
  // Nothing goes on, maybe for an hour: whoever sees this line only is told what for.
  const waiting = inFlight > 0 ? undefined : models.flatMap(({ waits }) => waits).find(({ kind }) => kind !== 'broken')
  if (waiting !== undefined) parts.push(oneLine(waitText(waiting), SAID))
  else if (inFlight === 0 && elsewhere.length > 0)
    parts.push(`another worker looks after the batches of ${oneLine(elsewhere.join(', '), SAID)}`)
  return parts.join(' · ')
}

const rateText = (rate: number): string => `${rate.toFixed(rate < 10 ? 1 : 0)}/s`

/** Cells of a bar. */
const BAR = 16
/** Characters of a name, and of what a provider said. */
const NAME = 32
const SAID = 100

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
const oneLine = (text: string, most: number): string => cut(printable(text.replaceAll(/\s+/gu, ' ')), most)

/**
 * Each model in a line of a table, with what it waits for and what failed below.
 *
 * @param columns - that there are: bars go first where there is no room for all.
 */
export function modelLines(
  models: readonly ModelProgress[],
  limit: number | null,
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  const all = models.map((model) => cells(model, limit))
  const wide = aligned(all, [2, 3, 5, 6, 7])
  const rows = wide.every((row) => row.length <= columns)
    ? wide
    : aligned(
        all.map(([name = '', , ...rest]) => [name, ...rest]),
        [1, 2, 4, 5, 6],
      )
  return models.flatMap(({ waits, failures }, k) => [
    rows[k] as string,
    ...(waits.length === 0 ? [] : [`    waits: ${waits.map((wait) => oneLine(waitText(wait), SAID)).join('; ')}`]),
    ...failures.map(({ code, times, message }) => `    ✗ ${oneLine(code, NAME)} ×${times}: ${oneLine(message, SAID)}`),
  ])
}

function cells({ model, total, done, failed, accuracy, rate, left, usd }: ModelProgress, limit: number | null) {
  const ended = done + failed
  const full = total > 0 ? Math.min(BAR, Math.floor((BAR * ended) / total)) : BAR
  return [
    `  ${oneLine(model, NAME)}`,
    `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`,
    `${done}/${total}`,
    failed > 0 ? `${failed} failed` : '',
    accuracy === null ? '' : `${accuracy.value.toFixed(3)} [${accuracy.low.toFixed(3)}, ${accuracy.high.toFixed(3)}]`,
    left === 0 ? 'all asked' : rateText(rate),
    left === null ? '' : left === 0 ? '' : `${duration(left)} left`,
    usd > 0 || limit !== null ? `$${usd.toFixed(usd < 1 ? 4 : 2)}` : '',
  ]
}

/** A line in as many as it takes: broken between its parts, or between words where it has none. */
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

/** What goes on, on stderr. */
export interface LiveBlock {
  /** One line, and further ones that only a terminal shows, for so many columns. */
  show(first: string, more?: (columns: number) => readonly string[]): void
  /** Something that stays: it is written above. */
  say(...lines: readonly string[]): void
  end(): void
}

/** A block that is drawn anew in its place on a terminal; elsewhere its first line once a minute. */
export function liveBlock(context: Context): LiveBlock {
  const { stderr } = context.process
  if (!stderr.isTTY) {
    let told = performance.now()
    return {
      show(first) {
        if (performance.now() - told < EACH_MS) return
        told = performance.now()
        note(context, first)
      },
      say: (...lines) => note(context, ...lines),
      end: () => undefined,
    }
  }
  let drawn = 0
  // To the beginning of the block, and away with all below.
  const clear = (): string => `\r${drawn > 1 ? `\x1b[${drawn - 1}A` : ''}\x1b[J`
  return {
    show(first, more = () => []) {
      // A terminal that is not asked how wide it is says 0.
      const [columns, rows] = [(stderr.columns || 100) - 1, Math.max(1, (stderr.rows || 24) - 2)]
      const lines = [first, ...more(columns)].flatMap((line) => folded(printable(line), columns))
      const shown =
        lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `  … ${lines.length - rows + 1} lines more`]
      stderr.write(`${clear()}${shown.join('\n')}`)
      drawn = shown.length
    },
    say(...lines) {
      stderr.write(clear())
      drawn = 0
      note(context, ...lines)
    },
    end() {
      if (drawn > 0) stderr.write(clear())
      drawn = 0
    },
  }
}

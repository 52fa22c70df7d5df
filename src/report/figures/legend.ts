import { trueMinus } from '../../core/text.ts'
import type { Heat } from './heat.ts'
import { MISSING } from './marks.ts'
import { colour, FONT, INK, symbol, textWidth } from './theme.ts'

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export interface Header {
  readonly svg: string
  readonly height: number
}

/** The legend of a reference line. */
export interface Reference {
  readonly label: string
  readonly dash: string
  readonly stroke: string
}

const MARGIN = 16
const SIZE = 12

/** Title and legend: swatches of several series over as many lines as needed, or the colours of a heat map. */
export function header(
  title: string,
  series: readonly string[],
  references: readonly Reference[],
  heat: Heat | null,
  width: number,
): Header {
  const lines = wrap(title, Math.floor((width - 2 * MARGIN) / (15 * 0.6)))
  const parts = lines.map(
    (line, i) =>
      `<text x="${MARGIN}" y="${24 + 19 * i}" font-family="${FONT}" font-size="15" font-weight="bold" fill="${INK}">${escapeText(line)}</text>`,
  )
  let y = 24 + 19 * lines.length
  const swatches = [
    ...(series.length > 1 ? series : []).map((name, i) => ({
      name,
      sign: (x: number) => sign(i, x, y + 1),
    })),
    ...references.map(({ label, dash, stroke }) => ({
      name: label,
      sign: (x: number) =>
        `<line x1="${x - 4}" x2="${x + 13}" y1="${y + 1}" y2="${y + 1}" stroke="${stroke}" stroke-width="1.5" stroke-dasharray="${dash}"/>`,
    })),
  ]
  if (swatches.length > 0) {
    let x = MARGIN
    swatches.forEach(({ name, sign }) => {
      const wide = 18 + textWidth(name, SIZE) + 16
      if (x > MARGIN && x + wide > width - MARGIN) {
        x = MARGIN
        y += 18
      }
      parts.push(
        sign(x),
        `<text x="${x + 17}" y="${y + 5}" font-family="${FONT}" font-size="${SIZE}" fill="${INK}">${escapeText(name)}</text>`,
      )
      x += wide
    })
    y += 16
  }
  if (heat !== null) {
    parts.push(rampLegend(heat, y))
    y += 22
  }
  return { svg: parts.join(''), height: y - 6 }
}

/** The symbol of a series in its colour. */
function sign(i: number, x: number, middle: number): string {
  const fill = colour(i)
  const centre = x + 6
  switch (symbol(i)) {
    case 'circle':
      return `<circle cx="${centre}" cy="${middle}" r="5" fill="${fill}"/>`
    case 'square':
      return `<rect x="${centre - 5}" y="${middle - 5}" width="10" height="10" fill="${fill}"/>`
    case 'triangle':
      return `<path d="M${centre},${middle - 6}l6,11h-12z" fill="${fill}"/>`
    case 'diamond':
      return `<path d="M${centre},${middle - 7}l5,7l-5,7l-5,-7z" fill="${fill}"/>`
  }
}

const STEPS = 30
const STEP = 4

/** The colour bar with its ends, the labels of the texts in the cells, and the sign of an empty cell. */
function rampLegend({ ramp, label, lines, missing }: Heat, y: number): string {
  const words = (x: number, text: string) =>
    `<text x="${x}" y="${y + 5}" font-family="${FONT}" font-size="${SIZE}" fill="${INK}">${escapeText(text)}</text>`
  const before = `${label}: ${rampEnd(ramp.low)}`
  const from = MARGIN + textWidth(before, SIZE) + 8
  const bar = Array.from({ length: STEPS }, (_, i) => {
    const amount = ramp.low + ((i + 0.5) / STEPS) * (ramp.high - ramp.low)
    return `<rect x="${from + STEP * i}" y="${y - 5}" width="${STEP}" height="12" fill="${ramp.colour(amount)}"/>`
  })
  const after = [
    rampEnd(ramp.high),
    ...(lines.some((line) => line !== label) ? [`in cells: ${lines.join(', ')}`] : []),
    ...(missing.length > 0 ? [`${MISSING} no rows`] : []),
  ]
  return [words(MARGIN, before), ...bar, words(from + STEP * STEPS + 8, after.join('; '))].join('')
}

const rampEnd = (amount: number): string => trueMinus(String(Number(amount.toPrecision(3))))

function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export { escapeText }

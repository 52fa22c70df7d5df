import { colour, FONT, INK, textWidth } from './theme.ts'

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export interface Header {
  readonly svg: string
  readonly height: number
}

const MARGIN = 16
const SIZE = 12

/** Title and, where there is more than one series, its legend: swatches in as many lines as they need. */
export function header(title: string, series: readonly string[], width: number): Header {
  const lines = wrap(title, Math.floor((width - 2 * MARGIN) / (15 * 0.6)))
  const parts = lines.map(
    (line, i) =>
      `<text x="${MARGIN}" y="${24 + 19 * i}" font-family="${FONT}" font-size="15" font-weight="bold" fill="${INK}">${escapeText(line)}</text>`,
  )
  let y = 24 + 19 * lines.length
  if (series.length > 1) {
    let x = MARGIN
    series.forEach((name, i) => {
      const wide = 18 + textWidth(name, SIZE) + 16
      if (x > MARGIN && x + wide > width - MARGIN) {
        x = MARGIN
        y += 18
      }
      parts.push(
        `<rect x="${x}" y="${y - 5}" width="12" height="12" rx="2" fill="${colour(i)}"/>`,
        `<text x="${x + 17}" y="${y + 5}" font-family="${FONT}" font-size="${SIZE}" fill="${INK}">${escapeText(name)}</text>`,
      )
      x += wide
    })
    y += 16
  }
  return { svg: parts.join(''), height: y - 6 }
}

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

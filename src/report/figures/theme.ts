/** Okabe and Ito's colours (legible with colour blindness), darkened to stand out on white, without yellow, and four more. */
export const PALETTE = [
  '#0072b2',
  '#b87400',
  '#a8478a',
  '#40464d',
  '#009e73',
  '#d55e00',
  '#56b4e9',
  '#8c564b',
  '#6a3d9a',
  '#7f7f7f',
] as const

/** Symbols beside colours, so that no series is identified by colour alone. */
export const SYMBOLS = ['circle', 'diamond', 'square', 'triangle'] as const

export const FONT = 'DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'
export const INK = '#222222'
/** On the coloured cells of heat maps, which are the same on light and dark pages. */
export const CELL_INK = '#1c1c1c'
/** Chance and other reference lines. */
export const REFERENCE = '#666666'
export const FAINT = '#dddddd'

export const colour = (index: number): string => PALETTE[index % PALETTE.length] as string
/** Colours and symbols repeat together only after 40 series. */
export const symbol = (index: number): (typeof SYMBOLS)[number] =>
  SYMBOLS[(index + Math.floor(index / (2 * PALETTE.length))) % SYMBOLS.length] as (typeof SYMBOLS)[number]

/** An SVG with the colours of a page, given as its CSS variables, which may be dark. */
export function withPageColours(svg: string): string {
  const named = [
    [INK, 'ink'],
    [REFERENCE, 'ref'],
    ['#888888', 'ref'],
    [FAINT, 'line'],
    ...PALETTE.slice(0, 4).map((hex, i) => [hex, `m${i + 1}`] as const),
  ] as const
  const coloured = named.reduce((text, [hex, name]) => text.replaceAll(`="${hex}"`, `="var(--${name})"`), svg)
  return coloured
    .replaceAll('="white"', '="var(--paper)"')
    .replaceAll('background: white; color: rgb(34, 34, 34)', 'background: none; color: var(--ink)')
    .replaceAll(FONT, 'inherit')
}

/** Approximate width of a text in this font, pixels. */
export const textWidth = (text: string, size: number): number => Array.from(text).length * size * 0.6

/** Okabe and Ito's colours (legible with colour blindness) without yellow, and four more. */
export const PALETTE = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#222222',
  '#8c564b',
  '#6a3d9a',
  '#7f7f7f',
] as const

/** Symbols beside colours, for more series than colours. */
export const SYMBOLS = ['circle', 'square', 'triangle', 'diamond'] as const

export const FONT = 'DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'
export const INK = '#222222'
/** Chance and other reference lines. */
export const REFERENCE = '#666666'
export const FAINT = '#dddddd'

export const colour = (index: number): string => PALETTE[index % PALETTE.length] as string
export const symbol = (index: number): (typeof SYMBOLS)[number] =>
  SYMBOLS[Math.floor(index / PALETTE.length) % SYMBOLS.length] as (typeof SYMBOLS)[number]

/** Approximate width of a text in this font, pixels. */
export const textWidth = (text: string, size: number): number => Array.from(text).length * size * 0.6

import { partitioned } from './partition.ts'
import { objectsData } from './words/objects-data.ts'

/** A thing with the usual range of its largest dimension (metres) and its mass (kilograms). */
export interface Thing {
  readonly name: string
  readonly size: readonly [low: number, high: number]
  readonly weight: readonly [low: number, high: number]
  readonly source: keyof typeof sources
}

/** What the intervals of each heading were compiled from: general knowledge of these kinds of source, rounded. */
export const sources = {
  zoology: 'adult body length (with tail) and mass, as in species accounts of standard zoological handbooks',
  botany: 'mature fruit, seed or plant, as in horticultural handbooks and market grading standards',
  kitchen: 'household weights and measures; dimensions as in retailers’ listings',
  standard:
    'published standards and rules of sport: ISO 216, 668 and 7810, IEC 60086, mint specifications, Laws of the Game, ITF, ITTF, World Athletics, FIDE',
  maker: 'makers’ data sheets for common household goods and tools',
  electronics: 'makers’ data sheets for electronics and instruments; ISO 7810 and SD card sizes',
  vehicles: 'makers’ data sheets; operators’ published figures for ships, trains and aircraft',
  structures: 'figures published by owners for named structures; makers’ data sheets for the rest',
} as const

const LINE = /^(.+): ([\d.]+)-([\d.]+), ([\d.]+)-([\d.]+)$/

function parse(): Thing[] {
  const things: Thing[] = []
  let source: keyof typeof sources | undefined
  for (const line of objectsData.split('\n')) {
    if (line === '') continue
    if (line.startsWith('# ')) {
      source = line.slice(2) as keyof typeof sources
      continue
    }
    const parts = LINE.exec(line)
    if (parts === null || source === undefined || !(source in sources))
      throw new Error(`cannot read the line "${line}"`)
    const [, name, ...numbers] = parts
    const [sizeLow, sizeHigh, weightLow, weightHigh] = numbers.map(Number) as [number, number, number, number]
    things.push({ name: name as string, size: [sizeLow, sizeHigh], weight: [weightLow, weightHigh], source })
  }
  return things.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** All things, by name in code-unit order. */
export const things = partitioned(parse(), (thing) => thing.name)

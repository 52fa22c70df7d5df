import objects from './data/objects.json' with { type: 'json' }
import { withBuckets } from './word-partition.ts'

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

type Intervals = { readonly [measure in 'size' | 'weight']: readonly number[] }

function read(): Thing[] {
  const all: Thing[] = []
  for (const source of Object.keys(sources) as (keyof typeof sources)[])
    for (const [name, { size, weight }] of Object.entries<Intervals>(objects[source]))
      all.push({ name, size: interval(size), weight: interval(weight), source })
  return all.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const interval = ([low, high]: readonly number[]): readonly [number, number] => [low as number, high as number]

/** All things, by name in code-unit order. */
export const things = withBuckets(read(), (thing) => thing.name)

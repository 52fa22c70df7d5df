import type { Item, Source } from '../../../src/core/index.ts'

/** The first items of a source, one after the other as they are asked for: most faults are seen in the first. */
export class Drawing implements Iterable<Item> {
  readonly entries: ReturnType<Source['item']>[] = []
  readonly items: Item[] = []
  private readonly source: Source
  private readonly size: number

  constructor(source: Source, size: number) {
    this.source = source
    this.size = size
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let index = 0; index < this.size; index++) {
      const entry = this.source.item(index)
      this.entries.push(entry)
      if (entry.kind !== 'item') continue
      this.items.push(entry)
      yield entry
    }
  }
}

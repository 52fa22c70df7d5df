import type { AnalysisResult } from './analysis.ts'
import type { ComputeBudget, HowReproduced, PaperItem } from './paper.ts'

type Notes = Partial<Pick<PaperItem, 'differs' | 'unprinted' | 'undrawn' | 'pictures'>>
type Run = HowReproduced & { by: 'run' }

/** An item as the `paper-items.json` of a family has it. */
export interface WrittenItem extends Notes {
  readonly item: string
  readonly shows: string
  readonly made: string
  readonly experiment?: string
  readonly analyses?: readonly string[]
  readonly reason?: string
}

/** What of an item is code: a computation, or a reader of published data. */
interface ItemCode extends Pick<Run, 'sourceFrom'> {
  readonly compute?: ((budget: ComputeBudget) => AnalysisResult) | undefined
}

/** Writes the entries of a family's paper: ids follow from the names of the items, pages are the family's. */
export function paperItems(family: string) {
  const entry = (item: string, shows: string, made: HowReproduced, notes: Notes = {}): PaperItem => ({
    id: `${family}/${item.toLowerCase().replaceAll(' ', '')}`,
    item,
    shows,
    made,
    unprinted: item.startsWith('Figure') ? 'none: a figure without numbers' : 'no numbers',
    ...(made.by === 'run' || made.by === 'computation' ? {} : { differs: 'Nothing is measured.' }),
    ...notes,
  })
  const page = { by: 'page', page: `docs/families/${family}.md` } as const
  return {
    written(one: WrittenItem, { compute, ...code }: ItemCode = {}): PaperItem {
      const { item, shows, made, experiment = '', analyses = [], reason = '', ...notes } = one
      if (compute !== undefined) return entry(item, shows, { by: 'computation', compute }, notes)
      if (made === 'run') return entry(item, shows, { by: 'run', experiment, analyses, ...code }, notes)
      if (made === 'page') return entry(item, shows, page, notes)
      return entry(item, shows, made === 'print' ? { by: 'print' } : { by: 'none', reason }, notes)
    },
    run: (item: string, shows: string, made: Omit<Run, 'by'>, notes: Notes): PaperItem =>
      entry(item, shows, { by: 'run', ...made }, notes),
    computed: (item: string, shows: string, compute: NonNullable<ItemCode['compute']>, differs: string): PaperItem =>
      entry(item, shows, { by: 'computation', compute }, { differs }),
    page: (item: string, shows: string, notes?: Notes): PaperItem => entry(item, shows, page, notes),
    /** A fact about the paper's experiment. */
    print: (item: string, shows: string): PaperItem => entry(item, shows, { by: 'print' }),
    none: (item: string, shows: string, reason: string): PaperItem => entry(item, shows, { by: 'none', reason }),
  }
}

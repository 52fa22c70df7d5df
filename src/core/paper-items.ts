import type { AnalysisResult } from './analysis.ts'
import type { ComputeBudget, HowReproduced, PaperItem } from './paper.ts'

type Notes = Partial<Pick<PaperItem, 'differs' | 'unprinted' | 'undrawn'>>

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
  return {
    run: (item: string, shows: string, made: Omit<HowReproduced & { by: 'run' }, 'by'>, notes: Notes): PaperItem =>
      entry(item, shows, { by: 'run', ...made }, notes),
    computed: (
      item: string,
      shows: string,
      compute: (budget: ComputeBudget) => AnalysisResult,
      differs: string,
    ): PaperItem => entry(item, shows, { by: 'computation', compute }, { differs }),
    page: (item: string, shows: string, notes?: Notes): PaperItem =>
      entry(item, shows, { by: 'page', page: `docs/families/${family}.md` }, notes),
    /** A fact about the paper's experiment. */
    print: (item: string, shows: string): PaperItem => entry(item, shows, { by: 'print' }),
    none: (item: string, shows: string, reason: string): PaperItem => entry(item, shows, { by: 'none', reason }),
  }
}

import type { AnalysisResult } from './analysis.ts'
import type { ComputeBudget, HowReproduced, PaperItem } from './paper.ts'

type Run = HowReproduced & { by: 'run' }

/** An item as the `paper-items.json` of a family has it: what each way of making it needs, and the notes of a {@link PaperItem}. */
export interface WrittenItem extends Partial<Omit<PaperItem, 'id' | 'made'>>, Pick<Run, 'judged'> {
  readonly item: string
  readonly shows: string
  readonly made: string
  readonly experiment?: string
  readonly analyses?: readonly string[]
  readonly reason?: string
}

/** What of an item is code: a computation, or a reader of published data. */
export interface ItemCode extends Pick<Run, 'sourceFrom'> {
  readonly compute?: (budget: ComputeBudget) => AnalysisResult
}

/** The entry of a family's paper: its id follows from the name of the item, and pages are the family's. */
export function paperItem(family: string, written: WrittenItem, { compute, ...code }: ItemCode = {}): PaperItem {
  const { item, shows, made, experiment = '', analyses = [], judged, reason = '', ...notes } = written
  return {
    id: `${family}/${item.toLowerCase().replaceAll(' ', '')}`,
    item,
    shows,
    made: howMade(),
    unprinted: item.startsWith('Figure') ? 'none: a figure without numbers' : 'no numbers',
    ...(made === 'run' || made === 'computation' ? {} : { differs: 'Nothing is measured.' }),
    ...notes,
  }

  function howMade(): HowReproduced {
    if (compute !== undefined) return { by: 'computation', compute }
    if (made === 'run') return { by: 'run', experiment, analyses, ...(judged === undefined ? {} : { judged }), ...code }
    if (made === 'page') return { by: 'page', page: `docs/families/${family}.md` }
    return made === 'print' ? { by: 'print' } : { by: 'none', reason }
  }
}

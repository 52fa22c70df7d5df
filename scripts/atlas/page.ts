import type { Paper, PaperItem } from '../../src/core/index.ts'

/** A page of docs/papers. `drawn` says which pictures there are. */
export function paperPage(paper: Paper, drawn: (image: string) => boolean): string {
  const count = (by: PaperItem['made']['by']): number => paper.items.filter(({ made }) => made.by === by).length
  const computed = count('computation')
  const lines = [
    `# ${paper.title}`,
    '',
    `${paper.authors}. Every table, figure and named experiment of the paper, ${paper.items.length} in all; ${count('run')} are made by a run${computed === 0 ? '' : `, ${computed} are computed`}.`,
    'Embedded models answer unless `--model` names another, as often as the experiment file says or `--samples` does;',
    '`--reference` puts the number of the paper, ours as published and ours corrected on one row, with both differences and',
    'why; printed numbers enter no statistic. A place is a section or an appendix: the texts that the numbers were checked',
    'against have no pages.',
    '',
    '| item | what it shows | made by | printed numbers | published and corrected |',
    '|---|---|---|---|---|',
    ...paper.items.map((item) => row(paper, item)),
    '',
    ...pictures(paper, drawn),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const row = (paper: Paper, entry: PaperItem): string =>
  `| ${entry.item} | ${entry.shows} | ${madeBy(entry)} | ${printed(paper, entry)} | ${entry.differs ?? ''} |`

function madeBy({ id, made }: PaperItem): string {
  if (made.by === 'run')
    return `\`touchstone reproduce ${id}\` ([${made.experiment}](../../experiments/${made.experiment}.yaml): ${listed(made.analyses)}${judgedBy(made)})`
  if (made.by === 'computation') return `\`touchstone reproduce ${id}\`, computed: no model is asked`
  if (made.by === 'page') return `[${made.page.replace('docs/', '')}](../${made.page.replace('docs/', '')})`
  if (made.by === 'print') return `\`touchstone reproduce ${id}\`: a fact of the paper, nothing to measure`
  return `not made: ${made.reason}`
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

const judgedBy = ({ judged }: Extract<PaperItem['made'], { by: 'run' }>): string =>
  judged === undefined ? '' : `; its responses judged by ${listed(judged.judges)}: ${listed(judged.analyses)}`

const printed = (paper: Paper, { id, unprinted }: PaperItem): string => {
  const table = paper.printed.find((one) => one.id === id)
  if (table === undefined) return unprinted ?? 'none'
  const beside = paper.paperComparisons.some((side) => side.printed === id) ? ', beside ours' : ''
  return `${table.rows.length} rows, ${table.place}${beside}${table.apart === undefined ? '' : `. ${table.apart}`}`
}

function pictures(paper: Paper, drawn: (image: string) => boolean): string[] {
  const found = paper.items.flatMap(({ id, item, shows }) => {
    const image = imageOf(id)
    return drawn(image) ? [`### ${item}`, '', `![${item}: ${shows}](${image})`, ''] : []
  })
  const left = undrawnOf(paper, drawn).map(({ item, undrawn }) => `* ${item}: ${undrawn ?? 'no reason is known'}`)
  return [
    ...(found.length === 0 ? [] : ['## From embedded models', '', ...found]),
    ...(left.length === 0 ? [] : ['## Without a picture here', '', ...left, '']),
  ]
}

/** Figures that are made and have no picture in the repository. */
export const undrawnOf = ({ items }: Paper, drawn: (image: string) => boolean): readonly PaperItem[] =>
  items.filter(
    ({ id, made }) => id.includes('/figure') && (made.by === 'run' || made.by === 'computation') && !drawn(imageOf(id)),
  )

/** Where the picture of an entry lies, from docs/papers. */
export const imageOf = (id: string): string => `images/${id.replace('/', '-')}.svg`

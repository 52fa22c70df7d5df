import type { Paper, PaperItem } from '../../src/core/index.ts'

/** The name of the generated part of a paper's page. */
export const BLOCK = 'paper'

/** "Every item" on the page of a paper: every table and figure and how to make it. Neighbours that are made alike share a row. */
export function paperSection(family: string, paper: Paper, hasPicture: (image: string) => boolean): string {
  const made = paper.items.filter(({ made: { by } }) => by === 'run' || by === 'computation' || by === 'print')
  const onPage = paper.items.filter((item) => item.made.by === 'page')
  const lines = [
    `*${paper.title}* (${paper.authors}): ${paper.items.length} tables, figures and named experiments, ${made.length} of them by command.`,
    `\`touchstone reproduce ${family}/figure2\` makes Figure 2: write the name in lower case, without spaces. A link leads to the figure, drawn from searches, baselines and simulated models.`,
    '',
    '| item | shows | experiment | printed numbers | published and corrected |',
    '|---|---|---|---|---|',
    ...inRuns(made, (item) => [source(item), printed(paper, item), item.differs].join()).map((items) =>
      row(paper, items, hasPicture),
    ),
    '',
    `Described on the [page of the family](../families/${family}.md):`,
    '',
    ...onPage.map(({ item, shows }) => `* ${item}: ${shows}`),
    ...paper.items.flatMap(({ item, shows, made: how }) =>
      how.by === 'none' ? [`* ${item} (${shows}): not made: ${how.reason}`] : [],
    ),
    ...missingPictures(paper, hasPicture).map(({ item, undrawn }) => `* ${item} has no picture here: ${undrawn}`),
  ]
  return lines.join('\n')
}

/** Neighbours of equal key together. */
function inRuns<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const runs: [T, ...T[]][] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last !== undefined && keyOf(last[0]) === keyOf(item)) last.push(item)
    else runs.push([item])
  }
  return runs
}

function row(
  paper: Paper,
  items: readonly [PaperItem, ...PaperItem[]],
  hasPicture: (image: string) => boolean,
): string {
  const [first] = items
  const names = items.map(({ id, item }) => (hasPicture(imageOf(id)) ? `[${item}](../${imageOf(id)})` : item))
  const cells = [
    names.join(', '),
    items.map(({ shows }) => shows).join('; '),
    source(first),
    printed(paper, first),
    first.differs ?? '-',
  ]
  return `| ${cells.join(' | ')} |`
}

function source({ made }: PaperItem): string {
  if (made.by === 'run') return `[${made.experiment}](../../experiments/${made.experiment}.yaml)`
  return made.by === 'computation' ? 'computed' : 'a fact of the paper'
}

const printed = (paper: Paper, { id, unprinted }: PaperItem): string => {
  const table = paper.printed.find((one) => one.id === id)
  if (table === undefined) return unprinted ?? 'none'
  const beside = paper.paperComparisons.some((side) => side.printed === id) ? ', beside ours' : ''
  return `${table.rows.length} rows, ${table.place}${beside}${table.apart === undefined ? '' : `. ${table.apart}`}`
}

/** Figures that are made and have no picture in the repository. */
export const missingPictures = ({ items }: Paper, hasPicture: (image: string) => boolean): readonly PaperItem[] =>
  items.filter(
    ({ id, made }) =>
      id.includes('/figure') && (made.by === 'run' || made.by === 'computation') && !hasPicture(imageOf(id)),
  )

/** Where the picture of an item lies, from docs. */
export const imageOf = (id: string): string => `images/papers/${id.replace('/', '-')}.svg`

/** Drawings one below another, as one. */
export function stacked(drawings: readonly string[]): string {
  const [first] = drawings
  if (first !== undefined && drawings.length === 1) return first
  const sizes = drawings.map((svg) => /width="(\d+)" height="(\d+)"/u.exec(svg)?.slice(1).map(Number) ?? [0, 0])
  let height = 0
  const inside = drawings.map((svg, k) => {
    const placed = svg.replace('<svg ', `<svg y="${height}" `)
    height += sizes[k]?.[1] ?? 0
    return placed
  })
  const width = Math.max(...sizes.map(([across = 0]) => across))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${inside.join('')}</svg>\n`
}

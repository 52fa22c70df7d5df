/**
 * Writes "Every item" into docs/papers: every table and figure of the four papers and how to make it. With
 * --pictures it first runs every experiment with embedded models (20 minutes; runs/reproduce keeps the runs) and draws
 * the figures of each item, or of the named items only.
 * Run: node --conditions=touchstone-source scripts/atlas.ts [--pictures [relic/figure6 ...]]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { HowReproduced, Paper, PaperItem } from '../src/core/index.ts'
import { openLab } from '../src/lab/index.ts'
import { figureSvg, figuresWithPaper, withShortNames } from '../src/report/index.ts'
import { families } from '../src/tasks/index.ts'
import { BLOCK, imageOf, paperSection, stacked } from './atlas/page.ts'
import { withBlock } from './generated-block.ts'

const docs = join(import.meta.dirname, '../docs')
mkdirSync(join(docs, 'images/papers'), { recursive: true })

if (process.argv.includes('--pictures')) {
  const lab = await openLab()
  const named = process.argv.slice(process.argv.indexOf('--pictures') + 1)
  const papers = families.flatMap(({ paper }) => paper ?? [])
  for (const paper of papers)
    for (const item of paper.items) if (named.length === 0 || named.includes(item.id)) await draw(paper, item)

  async function draw(paper: Paper, { id, made, pictures = [], undrawn }: PaperItem): Promise<void> {
    if (undrawn !== undefined || !(id.includes('/figure') || pictures.length > 0 || named.includes(id))) return
    if (made.by !== 'run' && made.by !== 'computation') return
    const analyses = made.by === 'run' ? await reported(id, made) : [made.compute({ steps: null })]
    const own = analyses.flatMap(({ figures = [], tables }) =>
      figures.map((figure) => [figure, tables.find((table) => table.id === figure.table)] as const),
    )
    const withPaper = paper.printed.flatMap((printed) =>
      figuresWithPaper(
        paper,
        printed,
        analyses.map(({ figures = [], tables }) => ({ figures, tables })),
      ),
    )
    // What another item by its name shows is left to that.
    const others = paper.items.flatMap((one) => (one.id === id ? [] : [one.id, ...(one.pictures ?? [])]))
    const byName = own.filter(([figure]) => figure.id.startsWith(id))
    const rest = byName.length > 0 ? byName : own.filter(([figure]) => !others.includes(figure.id))
    const chosen =
      pictures.length > 0 ? [...own, ...withPaper].filter(([figure]) => pictures.includes(figure.id)) : rest
    const drawn = await Promise.all(chosen.flatMap(([figure, table]) => (table ? figureSvg(figure, [table]) : [])))
    if (drawn.length > 0) writeFileSync(join(docs, imageOf(id)), stacked(drawn))
    console.log(id, drawn.length === 0 ? 'no picture' : chosen.map(([figure]) => figure.id).join(' '))
  }

  /** The analyses of an item, of the run and of its judges. */
  async function reported(id: string, { analyses, judged }: HowReproduced & { by: 'run' }) {
    const made = await lab.reproduce(id, { formats: [] })
    const wanted = [...analyses, ...(judged?.analyses ?? [])]
    const all = [made.made, made.judged].flatMap((part) => part?.report.report.analyses ?? [])
    return withShortNames(all.filter((analysis) => wanted.includes(analysis.id)))
  }
}

for (const { name, paper } of families)
  if (paper !== undefined) {
    const path = join(docs, `papers/${name}.md`)
    const section = paperSection(name, paper, (image) => existsSync(join(docs, image)))
    writeFileSync(path, withBlock(readFileSync(path, 'utf8'), BLOCK, section))
  }

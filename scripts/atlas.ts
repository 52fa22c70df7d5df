/**
 * Writes "Reproducing the paper" into docs/families: every table and figure of the four papers and how to make it. With
 * --pictures it first runs every experiment with embedded models (20 minutes; runs/reproduce keeps the runs) and draws
 * the figure of each item, or of the named items only.
 * Run: node --conditions=touchstone-source scripts/atlas.ts [--pictures [relic/figure6 ...]]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { PaperItem } from '../src/core/index.ts'
import { openLab } from '../src/lab/index.ts'
import { figureSvg } from '../src/report/index.ts'
import { families } from '../src/tasks/index.ts'
import { BLOCK, imageOf, paperSection } from './atlas/page.ts'
import { withBlock } from './generated-block.ts'

/** Larger pictures are a click away in the report; the repository holds none. */
const MAX_BYTES = 100_000
const docs = join(import.meta.dirname, '../docs')
mkdirSync(join(docs, 'images/papers'), { recursive: true })

if (process.argv.includes('--pictures')) {
  const lab = await openLab()
  const shown = new Set<string>()
  const named = process.argv.slice(process.argv.indexOf('--pictures') + 1)
  const entries = families.flatMap(({ paper }) => paper?.items ?? [])
  for (const entry of entries) if (named.length === 0 || named.includes(entry.id)) await draw(entry)

  async function draw({ id, made }: PaperItem): Promise<void> {
    if (made.by === 'computation') {
      const { tables, figures = [] } = made.compute({ steps: null })
      for (const figure of figures) writeFileSync(join(docs, imageOf(id)), await figureSvg(figure, tables))
      return
    }
    if (made.by !== 'run' || !(id.includes('/figure') || named.includes(id))) return
    const { made: result, judged } = await lab.reproduce(id, { formats: [] })
    const wanted = [...made.analyses, ...(made.judged?.analyses ?? [])]
    const analyses = [result, judged]
      .flatMap((part) => part?.report.report.analyses ?? [])
      .filter((analysis) => wanted.includes(analysis.id))
    const drawn: { readonly id: string; readonly svg: string }[] = []
    for (const { figures, tables } of analyses)
      for (const figure of figures) drawn.push({ id: figure.id, svg: await figureSvg(figure, tables) })
    // What the same experiment draws for another item by its name is left to that.
    const others = entries.filter((one) => one.made.by === 'run' && one.made.experiment === made.experiment)
    const ofAnother = (name: string): boolean => name !== id && others.some((one) => one.id === name)
    // Items that share a picture do not repeat it.
    const small = drawn.filter(
      (picture) =>
        picture.svg.length <= MAX_BYTES && !ofAnother(picture.id) && !shown.has(`${made.experiment} ${picture.id}`),
    )
    const own = small.filter((picture) => picture.id.startsWith(id))
    const among = own.length === 0 ? small : own
    const chosen = among.find((picture) => picture.id.endsWith('corrected')) ?? among[0]
    if (chosen !== undefined) shown.add(`${made.experiment} ${chosen.id}`)
    if (chosen !== undefined) writeFileSync(join(docs, imageOf(id)), chosen.svg)
    console.log(id, chosen === undefined ? 'no picture' : `${chosen.id} ${chosen.svg.length} bytes`)
  }
}

for (const { name, paper } of families)
  if (paper !== undefined) {
    const path = join(docs, `families/${name}.md`)
    const section = paperSection(paper, (image) => existsSync(join(docs, image)))
    writeFileSync(path, withBlock(readFileSync(path, 'utf8'), BLOCK, section))
  }

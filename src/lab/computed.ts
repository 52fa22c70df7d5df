import { join } from 'node:path'
import type { AnalysisResult } from '../core/index.ts'
import type { ReportFormat } from '../report/index.ts'
import { makeFolder, writeFileAtomic } from '../store/index.ts'

/** Where something computed was written. */
export interface Computed {
  readonly out: string
  /** Paths below `out`: tables as CSV, figures as SVG. */
  readonly files: readonly string[]
}

/** Writes tables and figures that no run is behind; `formats` may ask for one kind only. */
export async function writeComputed(
  { tables, figures = [] }: AnalysisResult,
  out: string,
  formats: readonly ReportFormat[] = ['csv', 'svg'],
): Promise<Computed> {
  const { csvTable, figureSvg } = await import('../report/index.ts')
  const name = (id: string): string => id.replaceAll('/', '-')
  const files = [
    ...(formats.includes('csv') ? tables.map((table) => [`${name(table.id)}.csv`, csvTable(table)] as const) : []),
    ...(formats.includes('svg')
      ? await Promise.all(
          figures.map(async (figure) => [`${name(figure.id)}.svg`, await figureSvg(figure, tables)] as const),
        )
      : []),
  ]
  if (files.length > 0) await makeFolder(out)
  for (const [path, text] of files) await writeFileAtomic(join(out, path), text)
  return { out, files: files.map(([path]) => path) }
}

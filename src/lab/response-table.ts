import { promptOf } from '../extras/exchange/line.ts'
import { runAnswers } from '../extras/exchange/run-questions.ts'
import { csvLine } from '../report/index.ts'
import type { Run } from '../runner/index.ts'
import { type ColumnSpec, linesWriter, loadFrames, type Row, rowWriter } from '../store/index.ts'

/**
 * Writes the responses of a run as one flat table, a row each: the columns of its rows by the strict parser, prompt and response.
 * Columns without a value in any row are not written.
 *
 * @returns the number of rows.
 */
export async function writeResponses(run: Run, path: string, format: 'csv' | 'parquet'): Promise<number> {
  const frames = await loadFrames(run)
  const used = new Set<string>()
  for (const page of frames.pages())
    for (const row of page) for (const [name, value] of Object.entries(row)) if (value !== null) used.add(name)
  const kept = frames.specs.filter(({ name }) => used.has(name) && !name.includes('@'))
  const columns: readonly ColumnSpec[] = [...kept, { name: 'prompt', type: 'text' }, { name: 'response', type: 'text' }]
  const names = columns.map(({ name }) => name)
  const writer = await (format === 'csv'
    ? linesWriter(path, csvLine(names), (row) => csvLine(names.map((name) => row[name])))
    : rowWriter(path, 'parquet', columns))
  try {
    const rows = rowsOf(frames.pages())
    for await (const page of runAnswers(run)) {
      const batch = page.map((answer): Row => {
        const row = rows.next().value
        if (row === undefined || row['item'] !== answer.item || row['model'] !== answer.model)
          throw new Error(`rows and responses of ${run.dir} differ at ${answer.item}`)
        return {
          ...Object.fromEntries(kept.map(({ name }) => [name, row[name] ?? null])),
          prompt: promptOf(answer.request),
          response: answer.response?.text ?? null,
        }
      })
      await writer.write(batch)
    }
    return (await writer.close()).rows
  } catch (error) {
    await writer.abort()
    throw error
  }
}

function* rowsOf(pages: Iterable<readonly Row[]>): Generator<Row, undefined> {
  for (const page of pages) yield* page
}

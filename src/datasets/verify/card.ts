import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source, Task } from '../../core/index.ts'
import type { Audit } from '../audit/report.ts'
import { datasetCard } from '../card.ts'
import { CARD } from '../folder.ts'
import type { Dataset } from '../open.ts'
import type { Problems } from './problems.ts'

/** Is the card the one that this set gets? A missing one is told where files are checked. */
export async function checkCard(
  { folder, manifest }: Dataset,
  task: Task,
  source: Source,
  audit: Audit | null,
  problems: Problems,
): Promise<void> {
  const text = await readFile(join(folder, CARD), 'utf8').catch(() => null)
  if (text === null) return
  const [stored, fresh] = [text, datasetCard(task, source, manifest, audit ?? undefined)].map((card) =>
    card.split('\n'),
  )
  const line = (fresh ?? []).findIndex((one, i) => one !== stored?.[i])
  if (line >= 0)
    problems.whole(
      'card',
      `${CARD} line ${line + 1} is not that of the card made anew: ${JSON.stringify(stored?.[line]?.slice(0, 100) ?? null)}`,
    )
  else if (stored?.length !== fresh?.length) problems.whole('card', `${CARD} goes on where the card made anew ends`)
}

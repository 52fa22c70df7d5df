import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../core/index.ts'

/** The file in a run folder that `select` writes. */
export const SELECTION_FILE = 'selection.json'

/** Which style and parser a model with its settings (as the ledger writes them) uses for a task. */
export const choiceSchema = z.object({
  task: z.string(),
  model: z.string().describe('its name in the run'),
  settings: z.string().default('{}').describe('JSON with sorted keys'),
  style: z.string(),
  parser: z.string(),
})
export type Choice = z.infer<typeof choiceSchema>

const shape = z.looseObject({ schema: z.literal('touchstone/select/1'), choices: z.array(choiceSchema).min(1) })

/** The choices of a selection.json. @throws UsageError */
export async function readSelection(path: string): Promise<readonly Choice[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(
      `the selection ${path} cannot be read: touchstone analyze select RUN writes RUN/${SELECTION_FILE}`,
    )
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`)
  }
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw new UsageError(`${path} is not what select writes: ${z.prettifyError(parsed.error)}`)
  return parsed.data.choices
}

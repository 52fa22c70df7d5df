import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Seal } from '../../runner/index.ts'
import type { Context } from '../context.ts'
import { inStore, withStored } from '../mirror.ts'
import { print, printJson } from '../output.ts'
import { runContext } from '../runs.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const seal = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Seal a finished run in one file that anybody can verify offline',
    fullDescription:
      'The run is verified first. Publish the id with a date: a git tag, a timestamp service, a paper. touchstone verify FILE checks the file by itself.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The run folder, or store:RUN', parse: text, placeholder: 'run' }],
    },
    flags: {
      out: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The file to write; left out: seal.json in the run folder',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what) {
    const stored = inStore(what)
    if (stored && flags.out === undefined)
      throw new UsageError(`${what} has no folder: say where the seal goes, --out FILE`)
    const made = stored ? await sealThere(this, what, flags) : await sealHere(what, flags)
    const { SEAL_FILE } = await import('../../runner/index.ts')
    const { writeFileAtomic } = await import('../../store/index.ts')
    const path = flags.out ?? join(what, SEAL_FILE)
    await writeFileAtomic(path, `${JSON.stringify(made)}\n`)
    if (flags.json) return printJson(this, { schema: made.schema, out: path, id: made.id, summary: made.summary })
    print(
      this,
      `${path}: ${made.items.length} items, ${made.cells.length} cells`,
      `id ${made.id}`,
      `next: touchstone verify ${path}`,
    )
  },
})

async function sealHere(dir: string, flags: Flags): Promise<Seal> {
  const { openRun, sealOf, verifyRun, withRun } = await import('../../runner/index.ts')
  return withRun(await openRun(dir, await runContext(flags.plugin, dir), { mode: 'read' }), async (open) => {
    const { mismatches, problems } = await verifyRun(open)
    if (mismatches > 0)
      throw new UsageError(
        `${dir} is not sealed, it has ${mismatches} mismatches (touchstone verify): ${problems[0]?.message}`,
      )
    return sealOf(open)
  })
}

async function sealThere(context: Context, what: string, flags: Flags): Promise<Seal> {
  const { sealStored } = await import('../../runner/index.ts')
  const run = await runContext(flags.plugin)
  return withStored(context, what, (stored) => sealStored(stored, run))
}

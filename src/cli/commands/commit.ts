import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import { packageName, version } from '../../lab/package.ts'
import type { Context } from '../context.ts'
import { print, printJson } from '../output.ts'
import { type ConfigFlags, configFlags, jsonFlag, pluginFlag, resolveConfig, text, wholeNumber } from '../words.ts'

interface Flags extends ConfigFlags {
  readonly split: string
  readonly count: number
  readonly beacon?: string
  readonly secret?: string
  readonly announce: boolean
  readonly out: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const commit = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Bind a sealed exam before anybody sits it: a commitment to publish, a secret to keep',
    fullDescription:
      'Writes OUT/commitment.json (publish it with a date) and OUT/secret.json (keep it; it holds the seed for generate and run). ' +
      'The next exam: the same --secret with the --beacon of a public round that was named before, so that nobody can pick a lucky seed.',
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The task', parse: text, placeholder: 'task' }] },
    flags: {
      ...configFlags,
      split: { kind: 'parsed', parse: text, default: 'exam', brief: 'A name of your own, e.g. exam-2027' },
      count: { kind: 'parsed', parse: wholeNumber, brief: 'Indices 0..N-1' },
      beacon: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'A public value that nobody could choose, e.g. drand:ROUND:VALUE',
      },
      secret: { kind: 'parsed', parse: text, optional: true, brief: 'A secret.json of before; left out: drawn anew' },
      announce: {
        kind: 'boolean',
        default: false,
        brief:
          'Only bind secret and round (--beacon drand:ROUND, its value unknown): announcement.json; then commit with --secret',
      },
      out: { kind: 'parsed', parse: text, brief: 'The folder to write' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, name) {
    const { announce, commitTo, examSeed } = await import('../../datasets/index.ts')
    const { writeFileAtomic } = await import('../../store/index.ts')
    const { familiesWith, findTask, loadPlugins } = await import('../../lab/plugins.ts')
    const plugins = await loadPlugins(flags.plugin ?? [])
    const task = findTask(
      (await familiesWith(plugins)).flatMap(({ tasks }) => tasks),
      name,
    )
    if (['train', 'validation', 'test'].includes(flags.split))
      throw new UsageError(`an exam has a split of its own, not ${flags.split}: --split exam-2027`)
    const { config } = await resolveConfig(task, flags)
    const secret = flags.secret === undefined ? randomBytes(32).toString('hex') : await secretOf(flags.secret)
    const beacon = flags.beacon ?? null
    const madeWith = {
      engine: { package: packageName, version },
      ...(plugins.length > 0 && { plugins: plugins.map(({ record }) => record) }),
    }
    if (flags.announce) {
      if (beacon === null)
        throw new UsageError('--announce names a round to come: --beacon drand:ROUND, whose value is not known yet')
      const exam = { task, config, split: flags.split, indices: flags.count, beacon, secret }
      const announced = announce(exam, madeWith)
      const [open, kept] = [join(flags.out, 'announcement.json'), join(flags.out, 'secret.json')]
      await freeFolder(flags.out, [open, kept])
      await writeFile(kept, `${JSON.stringify({ secret })}\n`, { mode: 0o600, flag: 'wx' })
      await writeFileAtomic(open, `${JSON.stringify(announced, null, 1)}\n`)
      if (flags.json) return printJson(this, announced)
      return print(
        this,
        `publish ${open}`,
        `keep ${kept}`,
        `commitment ${announced.commitment}`,
        `when the value of ${beacon} is known: touchstone commit ... --secret ${kept} --beacon ${beacon}:VALUE`,
      )
    }
    const made = commitTo({ task, config, split: flags.split, indices: flags.count, beacon, secret }, madeWith)
    const [open, kept] = [join(flags.out, 'commitment.json'), join(flags.out, 'secret.json')]
    await freeFolder(flags.out, [open, kept])
    const content = `${JSON.stringify({ secret, seed: examSeed(secret, beacon) })}\n`
    await writeFile(kept, content, { mode: 0o600, flag: 'wx' })
    await writeFileAtomic(open, `${JSON.stringify(made, null, 1)}\n`)
    if (flags.json) return printJson(this, made)
    print(this, `publish ${open}`, `keep ${kept}`, `commitment ${made.commitment}`, `root ${made.root}`)
  },
})

/** Makes the folder. @throws UsageError where one of these files is there. */
async function freeFolder(folder: string, paths: readonly string[]): Promise<void> {
  const { makeFolder } = await import('../../store/index.ts')
  await makeFolder(folder)
  for (const path of paths) if (existsSync(path)) throw new UsageError(`${path} is there already: choose another --out`)
}

/** The secret in a file that `commit` wrote. @throws UsageError */
export async function secretOf(path: string): Promise<string> {
  const written = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`the secret ${path} cannot be read`)
  })
  const match = /"secret":\s*"([0-9a-f]{64})"/u.exec(written)
  if (match === null) throw new UsageError(`${path} holds no secret of 64 hex digits, as commit writes it`)
  return match[1] as string
}

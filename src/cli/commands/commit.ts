import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { countOf } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { type ConfigFlags, configFlags, jsonFlag, pluginFlag, resolveConfig, text } from '../words.ts'

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
      count: { kind: 'parsed', parse: countOf(100), brief: 'Indices 0..N-1' },
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
    const lab = await labOf(flags)
    const { preset, config } = await resolveConfig(lab.task(name), flags)
    const { beacon, secret } = flags
    const exam = {
      task: name,
      ...(preset === null ? { config } : { preset }),
      split: flags.split,
      count: flags.count,
      ...(beacon === undefined ? {} : { beacon }),
      ...(secret === undefined ? {} : { secret }),
      out: flags.out,
    }
    if (flags.announce) {
      const { open, kept, document } = await lab.announce(exam)
      if (flags.json) return printJson(this, document)
      return print(
        this,
        `publish ${open}`,
        `keep ${kept}`,
        `commitment ${document.commitment}`,
        `when the value of ${beacon} is known: touchstone commit ... --secret ${kept} --beacon ${beacon}:VALUE`,
      )
    }
    const { open, kept, document } = await lab.commit(exam)
    if (flags.json) return printJson(this, document)
    print(this, `publish ${open}`, `keep ${kept}`, `commitment ${document.commitment}`, `root ${document.root}`)
  },
})

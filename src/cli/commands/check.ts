import { buildCommand } from '@stricli/core'
import type { Checked } from '../../lab/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { interruptible } from '../interrupt.ts'
import { labOf } from '../lab.ts'
import { aligned, print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly preset?: readonly string[]
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const check = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Ask every law of a task: drawn by place, proved, read, graded, balanced',
    fullDescription:
      'The laws that every task of the package keeps, asked of yours: which one fails, on which item, in words. Exit 1 where one is broken.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'A task, or a dataset that it made', parse: text, placeholder: 'task' }],
    },
    flags: {
      preset: { kind: 'parsed', parse: text, optional: true, variadic: true, brief: 'These presets; left out: all' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what) {
    const lab = await labOf(flags)
    const bar = progress(this, 'presets')
    try {
      const checked = await interruptible(this, (signal) =>
        lab.check(what, {
          ...(flags.preset === undefined ? {} : { presets: flags.preset }),
          onProgress: bar.update,
          signal,
        }),
      )
      bar.end()
      if (checked.failed.length > 0) this.process.exitCode = exits.failed
      if (flags.json) printJson(this, checked)
      else print(this, ...linesOf(checked))
    } finally {
      bar.end()
    }
  },
})

/** A line a law, and where it is broken the item and the reason. */
function linesOf({ task, version, configs, failed }: Checked): string[] {
  const first = configs[0]?.results ?? []
  const several = configs.length > 1
  const rows = first.flatMap(({ test, description }) => {
    const found = configs.flatMap(({ preset, results }) =>
      results.filter((result) => result.test === test).map((result) => ({ preset, result })),
    )
    const bad = found.filter(({ result }) => result.kind === 'failed')
    const skipped = found.every(({ result }) => result.kind === 'skipped')
    const verdict = bad.length > 0 ? 'BROKEN' : skipped ? 'none' : 'holds'
    return [
      [verdict, test, description],
      ...bad.slice(0, 3).map(({ preset, result }) => {
        if (result.kind !== 'failed') return []
        const where = [several ? (preset ?? 'defaults') : '', result.item ?? ''].filter((part) => part !== '')
        return ['', '', `${where.length === 0 ? '' : `${where.join(', ')}: `}${result.message}`]
      }),
      ...(bad.length > 3 ? [['', '', `and in ${bad.length - 3} more presets`]] : []),
    ]
  })
  const names = configs.map(({ preset }) => preset ?? 'defaults').join(', ')
  const end =
    failed.length === 0
      ? `${task} (version ${version}) keeps all laws in ${names}`
      : `${task} (version ${version}) breaks ${failed.length} of ${first.length} laws: ${failed.join(', ')}`
  return [...aligned(rows), '', end]
}

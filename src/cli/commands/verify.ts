import { readFile } from 'node:fs/promises'
import { buildCommand } from '@stricli/core'
import type { Lab } from '../../lab/index.ts'
import { asFlags } from '../as-flags.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { interruptible } from '../interrupt.ts'
import { labOfTasks } from '../lab.ts'
import { countOf, threadCount } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import { jsonFlag, pluginFlag, rejectFlags, text } from '../words.ts'

interface Flags {
  readonly quick: boolean
  readonly sample?: number
  readonly oracles: boolean
  readonly audit: boolean
  readonly threads: number
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const verify = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Check a dataset, a run or a seal: make items, plan and scores anew and compare',
    fullDescription:
      'Of a dataset: files, rows and claims against the manifest, every item made anew. Of a run: its plan and items against the ' +
      'experiment, scores against responses. What was not or cannot be checked is listed.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'The dataset or run folder, store:RUN, or the file of a seal', parse: text, placeholder: 'folder' },
      ],
    },
    flags: {
      quick: { kind: 'boolean', default: false, brief: 'Stop after the root: nothing is made anew' },
      sample: { kind: 'parsed', parse: countOf(1000), optional: true, brief: 'Make only this many random items anew' },
      oracles: { kind: 'boolean', default: false, brief: 'Also ask the oracle and check every witness' },
      audit: { kind: 'boolean', default: false, brief: 'Also audit again and compare with audit.json' },
      threads: { kind: 'parsed', parse: threadCount, default: '1', brief: 'Worker threads; 0: one a core' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what) {
    if (flags.quick)
      rejectFlags(flags, ['sample', 'oracles', 'audit'], '--quick makes nothing anew: leave one of them out')
    const lab = await labOfTasks(flags)
    const bar = progress(this, 'verify')
    try {
      const result = await interruptible(this, (signal) =>
        lab.verify(what, {
          quick: flags.quick,
          ...(flags.sample === undefined ? {} : { sample: flags.sample }),
          oracles: flags.oracles,
          audit: flags.audit,
          threads: flags.threads,
          onProgress: bar.update,
          signal,
        }),
      )
      bar.end()
      if (result.mismatches > 0) this.process.exitCode = exits.failed
      if (flags.json) return printJson(this, result)
      const problems = result.problems.map((problem) => (typeof problem === 'string' ? problem : described(problem)))
      print(this, ...problems.slice(0, MAX_SHOWN))
      if (problems.length > MAX_SHOWN) print(this, `... and ${result.mismatches - MAX_SHOWN} more (--json)`)
      print(
        this,
        ...(await summaryOf(result, what)),
        ...result.notChecked.map((line) => `not checked: ${asFlags(line)}`),
      )
    } finally {
      bar.end()
    }
  },
})

/** Problems that are printed. */
const MAX_SHOWN = 50

const described = ({ check, message, index }: { check: string; message: string; index?: number | null }): string =>
  `${check}${index === undefined || index === null ? '' : ` index ${index}`}: ${message}`

type Result = Awaited<ReturnType<Lab['verify']>>

async function summaryOf(result: Result, path: string): Promise<readonly string[]> {
  switch (result.schema) {
    case 'touchstone/verify/1':
      return [`${path}: ${result.items} rows, ${result.regenerated} made anew, ${result.mismatches} mismatches`]
    case 'touchstone/verify-run/1':
      return [
        `${path}: ${result.items} items, ${result.calls} cells, ${result.responses} responses scored anew, ${result.mismatches} mismatches`,
      ]
    case 'touchstone/verify-seal/1':
      return [
        ...(await scoresOf(path)),
        `${path}: ${result.items} items, ${result.calls} cells, ${result.mismatches} mismatches`,
        `id ${result.id}`,
      ]
  }
}

/** What a seal says of each model. */
async function scoresOf(path: string): Promise<readonly string[]> {
  const { parseSeal } = await import('../../runner/index.ts')
  const { summary } = parseSeal(await readFile(path, 'utf8'), path)
  return summary.map(({ config, style, model, parser, calls, accuracy }) =>
    [model, config, style, parser, `${calls} calls`, accuracy === null ? '' : accuracy.toFixed(4)].join('  '),
  )
}

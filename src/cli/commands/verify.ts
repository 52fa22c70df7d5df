import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { interruptible } from '../interrupt.ts'
import { print, printJson } from '../output.ts'
import { packageName, version } from '../package.ts'
import { progress } from '../progress.ts'
import { runContext } from '../runs.ts'
import { jsonFlag, pluginFlag, refuseFlags, text, wholeNumber } from '../words.ts'

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
    brief: 'Check a dataset, a run or a seal: make items, plan, scores and rows anew and compare',
    fullDescription:
      'Of a dataset: files, rows and claims against the manifest, every item made anew. Of a run: its plan and items against the ' +
      'experiment, scores against responses, rows.parquet against the ledger. What was not or cannot be checked is listed.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The dataset or run folder, or the file of a seal', parse: text, placeholder: 'folder' }],
    },
    flags: {
      quick: { kind: 'boolean', default: false, brief: 'Stop after the root: nothing is made anew' },
      sample: { kind: 'parsed', parse: wholeNumber, optional: true, brief: 'Make only this many random items anew' },
      oracles: { kind: 'boolean', default: false, brief: 'Also ask the oracle and check every witness' },
      audit: { kind: 'boolean', default: false, brief: 'Also audit again and compare with audit.json' },
      threads: { kind: 'parsed', parse: wholeNumber, default: '1', brief: 'Worker threads; 0: one a core' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, folder) {
    if (flags.quick)
      refuseFlags(flags, ['sample', 'oracles', 'audit'], '--quick makes nothing anew: leave one of them out')
    if (existsSync(folder) && statSync(folder).isFile()) return verifySealFile(this, folder, flags)
    if (existsSync(join(folder, 'run.json'))) return verifyRunFolder(this, folder, flags)
    const { findTask, loadTasks } = await import('../tasks.ts')
    const { openDataset, verify: check } = await import('../../datasets/index.ts')
    const { chunkPool } = await import('../workers.ts')
    const dataset = await openDataset(folder)
    const task = findTask(await loadTasks(flags.plugin), dataset.manifest.task)
    const pool = flags.threads === 1 ? null : await chunkPool(flags.threads, flags.plugin ?? [])
    const bar = progress(this, 'verify')
    try {
      const result = await interruptible(this, (signal) =>
        check(dataset, task, {
          quick: flags.quick,
          ...(flags.sample === undefined ? {} : { sample: flags.sample, entropy: randomUUID() }),
          oracles: flags.oracles,
          audit: flags.audit,
          software: { package: packageName, version },
          ...(pool === null ? {} : { chunkMaker: pool.makerOf }),
          onProgress: bar.update,
          signal,
        }),
      )
      bar.end()
      if (result.mismatches > 0) this.process.exitCode = exits.failed
      if (flags.json) return printJson(this, result)
      for (const problem of result.problems.slice(0, 50))
        print(this, `${problem.check}${problem.index === null ? '' : ` index ${problem.index}`}: ${problem.message}`)
      if (result.problems.length > 50) print(this, `... and ${result.mismatches - 50} more (--json)`)
      print(
        this,
        `${folder}: ${result.items} rows, ${result.regenerated} made anew, ${result.mismatches} mismatches`,
        ...result.notChecked.map((line) => `not checked: ${line}`),
      )
    } finally {
      bar.end()
      await pool?.close()
    }
  },
})

async function verifySealFile(context: Context, path: string, flags: Flags): Promise<void> {
  refuseFlags(flags, ['quick', 'sample', 'oracles', 'audit'], 'of datasets; a seal is checked whole')
  const { parseSeal, verifySeal } = await import('../../runner/index.ts')
  const { tasks } = await runContext(flags.plugin)
  const seal = parseSeal(await readFile(path, 'utf8'), path)
  const result = verifySeal(seal, tasks)
  if (result.mismatches > 0) context.process.exitCode = exits.failed
  if (flags.json) return printJson(context, result)
  print(
    context,
    ...result.problems.slice(0, 50),
    ...seal.summary.map(({ config, style, model, parser, cells, accuracy }) =>
      [model, config, style, parser, `${cells} cells`, accuracy === null ? '' : accuracy.toFixed(4)].join('  '),
    ),
    `${path}: ${result.items} items, ${result.cells} cells, ${result.mismatches} mismatches`,
    `id ${result.id}`,
    ...result.notChecked.map((line) => `not checked: ${line}`),
  )
}

async function verifyRunFolder(context: Context, dir: string, flags: Flags): Promise<void> {
  refuseFlags(flags, ['quick', 'sample', 'oracles', 'audit'], 'of datasets; a run is checked whole')
  const { openRun, verifyRun, withRun } = await import('../../runner/index.ts')
  const run = await openRun(dir, await runContext(flags.plugin), { mode: 'read' })
  const result = await withRun(run, verifyRun)
  if (result.mismatches > 0) context.process.exitCode = exits.failed
  if (flags.json) return printJson(context, result)
  const { items, cells, responses, mismatches, problems, notChecked } = result
  for (const { check, message } of problems.slice(0, 50)) print(context, `${check}: ${message}`)
  if (problems.length > 50) print(context, `... and ${mismatches - 50} more (--json)`)
  print(
    context,
    `${dir}: ${items} items, ${cells} cells, ${responses} responses scored anew, ${mismatches} mismatches`,
    ...notChecked.map((line) => `not checked: ${line}`),
  )
}

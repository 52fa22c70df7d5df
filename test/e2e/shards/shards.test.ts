import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exits } from '../../../src/cli/output.ts'
import type { Report } from '../../../src/report/index.ts'
import type { MergeResult } from '../../../src/runner/index.ts'
import { sample } from '../../nightly.ts'
import { scratch } from '../cli/cli.ts'
import { json, touchstone } from '../cli/here.ts'

const root = join(import.meta.dirname, '../../..')
const EXPERIMENT = `
name: shards
seed: 3
items:
  - { task: recoglab/comparison, preset: people, count: ${sample({ nightly: 120, otherwise: 40 })} }
  - { task: clutrr/kinship, preset: hops-4, count: ${sample({ nightly: 80, otherwise: 32 })} }
models:
  - baseline:random
  - { model: 'baseline:last-mentioned', subsample: { perStratum: 1 } }
  - { model: 'baseline:own-word', samples: 2 }
`

describe('a run in parts', () => {
  const { path, remove } = scratch()
  const experiment = path('experiment.yaml')
  /** The command by its name, as cluster scripts call it. */
  const bin = path('bin')
  let ofWhole: Report

  beforeAll(async () => {
    writeFileSync(experiment, EXPERIMENT)
    mkdirSync(bin)
    const main = join(root, 'src/cli/main.ts')
    writeFileSync(
      join(bin, 'touchstone'),
      `#!/bin/sh\nexec '${process.execPath}' --conditions=touchstone-source '${main}' "$@"\n`,
    )
    chmodSync(join(bin, 'touchstone'), 0o755)
    const whole = await touchstone(['run', experiment, '--out', path('whole')])
    expect(whole.code, whole.stderr).toBe(0)
    ofWhole = await report('whole')
  })
  afterAll(remove)

  /** A script of examples/cluster as its scheduler would start it; killed with -9 after `ms` where that is given. */
  const script = (
    command: readonly string[],
    env: { readonly [name: string]: string },
    ms?: number,
  ): Promise<number | null> =>
    new Promise((resolve) => {
      const [file = 'sh', ...args] = command
      const options = {
        cwd: path('.'),
        env: { ...process.env, ...env, PATH: `${bin}:${process.env['PATH']}` },
        detached: true,
      }
      const child = spawn(file, args, { ...options, stdio: 'ignore' })
      if (ms !== undefined) setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), ms)
      child.on('close', (code) => resolve(code))
    })

  const kubernetes = () => {
    const job = parse(readFileSync(join(root, 'examples/cluster/kubernetes.yaml'), 'utf8')) as {
      spec: {
        completions: number
        podFailurePolicy: { rules: { action: string; onExitCodes?: { values: number[] } }[] }
        template: { spec: { containers: { command: string[] }[] } }
      }
    }
    return { job, command: job.spec.template.spec.containers[0]?.command ?? [] }
  }

  const report = async (folder: string): Promise<Report> => ({
    ...(await json<Report>(['report', path(folder)])),
    run: '',
  })

  test('Slurm, and the indexed job of Kubernetes: four parts of which one is killed join into what one process makes', async () => {
    const part = (index: number, ms?: number) =>
      script(['sh', join(root, 'examples/cluster/slurm.sh'), experiment], { SLURM_ARRAY_TASK_ID: String(index) }, ms)
    const { command, job } = kubernetes()
    expect(job.spec.completions).toBe(4)
    // Parts are the same whoever makes them.
    const indexed = script(command, { RUNS: path('runs'), EXPERIMENT: experiment, JOB_COMPLETION_INDEX: '2' })
    await Promise.all([part(0), part(1, 900), indexed, part(3)])
    await part(1)
    const parts = [2, 0, 3, 1].map((index) => path(`runs/part-${index}`))
    const merged = await json<MergeResult>(['cluster', 'merge', ...parts, '--out', path('slurm')])
    expect(merged).toMatchObject({ shards: 4, waiting: 0 })
    expect(await report('slurm')).toEqual(ofWhole)
    expect((await touchstone(['verify', path('slurm')])).stdout).toContain('0 mismatches')
    // One that was killed and gone on with.
    expect((await touchstone(['verify', path('runs/part-1')])).stdout).toContain('0 mismatches')
  }, 120_000)

  test('Kubernetes: a part whose money is spent, or whose experiment is none, is not started again', async () => {
    const { command, job } = kubernetes()
    const ends = job.spec.podFailurePolicy.rules.flatMap(({ action, onExitCodes }) =>
      action === 'FailIndex' ? (onExitCodes?.values ?? []) : [],
    )
    const poor = path('poor.yaml')
    const model = { model: 'openai-compatible:m', baseUrl: 'http://127.0.0.1:9/v1', price: { input: 1, output: 1 } }
    const limited = { settings: { maxTokens: 100 }, ...model }
    const items = { task: 'recoglab/comparison', preset: 'people', count: 8 }
    writeFileSync(poor, JSON.stringify({ items, models: [limited], limits: { usd: 1e-9 } }))
    writeFileSync(path('none.yaml'), 'items: 7\n')
    for (const [EXPERIMENT, code] of [
      [poor, exits.costLimit],
      [path('none.yaml'), exits.usage],
    ] as const) {
      const env = { RUNS: path(`ended-${code}`), EXPERIMENT, JOB_COMPLETION_INDEX: '0' }
      expect(await script(command, env)).toBe(code)
      expect(ends).toContain(code)
    }
    // Failed calls may be answered another time.
    expect(ends).not.toContain(exits.failed)
  })

  test.each([
    ['one is missing', ['part-0', 'part-1', 'part-2'], /shard 3\/4 is missing/],
    [
      'one is named twice',
      ['part-0', 'part-1', 'part-2', 'part-3', 'part-3'],
      /part-3 and .*part-3 are both shard 3\/4/,
    ],
    ['a whole run', ['../whole'], /is a complete run/],
  ])('refused in words: %s', async (_, names, words) => {
    const { code, stderr } = await touchstone([
      'cluster',
      'merge',
      ...names.map((name) => path(`runs/${name}`)),
      '--out',
      path('no'),
    ])
    expect(stderr).toMatch(words)
    expect(code).toBe(2)
  })

  test('a part of another experiment is refused', async () => {
    writeFileSync(path('other.yaml'), EXPERIMENT.replace('seed: 3', 'seed: 4'))
    await touchstone(['run', path('other.yaml'), '--shard', '3/4', '--out', path('other')])
    const parts = ['part-0', 'part-1', 'part-2'].map((name) => path(`runs/${name}`))
    const { stderr } = await touchstone(['cluster', 'merge', ...parts, path('other'), '--out', path('no')])
    expect(stderr).toMatch(/are not shards of one run: their seed differs/)
  })

  test.each(['4/4', '1/0', '-1/2', 'x'])('--shard %s is refused', async (shard) => {
    const { code, stderr } = await touchstone(['run', experiment, `--shard=${shard}`, '--out', path('never')])
    expect(stderr).toMatch(/--shard: expected I\/N/)
    expect(code).toBe(2)
  })
})

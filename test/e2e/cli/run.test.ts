import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { nightly } from '../../nightly.ts'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Report {
  readonly analyses: readonly {
    readonly id: string
    readonly tables: readonly { readonly rows: readonly Record<string, unknown>[] }[]
  }[]
}

const demo = [
  'relic/recognize',
  '--preset',
  'relic-demo',
  '--set',
  'twins=none',
  '--seed',
  '5',
  '--count',
  '40',
] as const

describe('a run from the command line', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const run = folder.path('run')

  beforeAll(async () => {
    const models = ['cyk', 'random', 'majority', 'bigram'].flatMap((name) => ['--model', `baseline:${name}`])
    const { code, stderr } = await touchstone(['run', ...demo, ...models, '--out', run])
    expect(code, stderr).toBe(0)
  })

  it('ends with every cell done, an exact baseline at 1 and a constant one near one half', async () => {
    const status = await json<{ counts: { done: number; pending: number; errors: number } }>(['show', run])
    expect(status.counts).toMatchObject({ pending: 0, errors: 0 })
    const report = await json<Report>(['report', run, '--analysis', 'core/accuracy'])
    const rows = report.analyses[0]?.tables[0]?.rows ?? []
    const accuracy = Object.fromEntries(rows.map((row) => [row['model'], (row['accuracy'] as { value: number }).value]))
    expect(accuracy['baseline:cyk']).toBe(1)
    // An index may be empty, so labels are nearly even.
    expect(accuracy['baseline:majority']).toBeCloseTo(0.5, 1)
  })

  // Runs of all tasks are asked in test/contract/all-tasks.test.ts: this is what the command says of one.
  const each = families.flatMap(({ tasks }) => (nightly ? tasks : tasks.slice(-1)))
  it.each(each)('of $name ends well', async (task) => {
    const [preset = ''] = Object.keys(task.presets).toReversed()
    const [model = ''] = Object.keys(task.baselines ?? {})
    const out = folder.path(`of-${task.name.replace('/', '-')}`)
    const what = [task.name, '--preset', preset, '--count', '2', '--model', `baseline:${model}`]
    const { code, stdout, stderr } = await touchstone(['run', ...what, '--out', out])
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(stdout).toContain(`next: touchstone report ${out}`)
  })

  it('is not made twice, and resuming a finished run asks nothing', async () => {
    const again = await touchstone(['run', ...demo, '--model', 'baseline:random', '--out', run])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('resume')
    const before = await json<{ counts: object }>(['show', run])
    const resumed = await json<{ status: string; counts: object }>(['resume', run])
    expect(resumed.status).toBe('completed')
    expect(resumed.counts).toEqual(before.counts)
  })

  it('says which failures there are when asked for others', async () => {
    const { code, stderr } = await touchstone(['resume', run, '--retry-errors', '--error-code', 'nosuch'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/no call ended in an error/)
  })

  it('is not exported in another style or config than it asks in', async () => {
    const { code, stderr } = await touchstone(['export', run, '--preset', 'nosuch'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--preset: .+ has its own configuration/)])
    const styled = await touchstone(['export', run, '--style', 'zero-shot'])
    expect([styled.code, styled.stderr]).toEqual([
      2,
      expect.stringMatching(/--style: a run is exported in its own prompt styles/),
    ])
  })

  it('is not exported over a file or into no folder, nor reported by an unknown column, without a word', async () => {
    const there = folder.path('there.jsonl')
    writeFileSync(there, 'mine')
    for (const [args, message] of [
      [['export', run, '--out', there], /there\.jsonl: is there already/],
      [['export', run, '--out', folder.path('no/where.jsonl')], /where\.jsonl: there is no such file or folder/],
      [['report', run, '--where', 'nosuch = 1'], /the condition "nosuch = 1" cannot be used: .*nosuch/],
    ] as const) {
      const { code, stderr } = await touchstone(args)
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
      expect(stderr).not.toContain('    at ')
    }
    expect(readFileSync(there, 'utf8')).toBe('mine')
  })

  it('is scored again without a change', async () => {
    const result = await json<{ responses: number; changed: number }>(['analyze', 'score', run])
    expect(result.responses).toBeGreaterThan(0)
    expect(result.changed).toBe(0)
  })

  it('is reported in all formats', async () => {
    const { code, stdout } = await touchstone(['report', run])
    expect(code).toBe(0)
    expect(stdout).toContain('cyk (baseline)')
    const page = readFileSync(join(run, 'report', 'index.html'), 'utf8')
    expect(page).toContain('<svg')
    expect(readFileSync(join(run, 'report', 'report.md'), 'utf8')).toContain('| ')
  })

  it('exports prompts and takes responses made elsewhere', async () => {
    const prompts = folder.path('prompts.jsonl')
    expect((await touchstone(['export', run, '--to', 'prompts', '--out', prompts])).code).toBe(0)
    const lines = readFileSync(prompts, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { item: string; style: string; messages: { content: string }[] })
    expect(lines[0]?.messages[0]?.content).toContain('->')
    const answers = folder.path('answers.jsonl')
    const answer = (line: { item: string; style: string }) =>
      JSON.stringify({ item: line.item, style: line.style, model: 'mine', sample: 0, text: 'Yes' })
    writeFileSync(
      answers,
      `${lines.map(answer).join('\n')}\n{"cut off\n${answer({ item: 'nobody', style: 'zero-shot' })}\n`,
    )
    const result = await json<{ responses: number; problems: { kind: string; line: number }[] }>([
      'import',
      'responses',
      answers,
      '--out',
      run,
    ])
    expect(result.responses).toBe(lines.length)
    expect(result.problems.map(({ kind }) => kind).toSorted()).toEqual(['bad-line', 'unknown-item'])
    const report = await json<Report>(['report', run, '--analysis', 'core/accuracy'])
    const { calls } = await json<{ calls: readonly { item: { answer: boolean } }[] }>([
      'show',
      run,
      '--model',
      'mine',
      '--limit',
      '1000',
    ])
    const yes = calls.filter(({ item }) => item.answer).length
    const mine = report.analyses[0]?.tables[0]?.rows.find((row) => row['model'] === 'mine')
    expect(mine).toMatchObject({ accuracy: { value: expect.closeTo(yes / calls.length, 12) } })
  })

  it('says what a run would ask, and writes nothing', async () => {
    const plan = await json<{ calls: number; items: number }>([
      'run',
      ...demo,
      '--model',
      'openai:some-model',
      '--dry-run',
      '--out',
      folder.path('never'),
    ])
    expect(plan).toMatchObject({ calls: 40, items: 40 })
  })
})

describe('a run in which everything fails', () => {
  const folder = scratch()
  afterAll(folder.remove)

  it('says why, how to go on, and that it failed', async () => {
    const out = folder.path('run')
    const { code, stdout } = await touchstone(['run', ...demo, '--model', 'exec:no-such-program', '--out', out])
    expect(code).toBe(1)
    expect(stdout).toMatch(/exec-ended \(\d+ calls\): no-such-program ended with exit code 127: .*not found/)
    expect(stdout).toContain(`touchstone resume ${out} --retry-errors`)
    const other = await touchstone(['resume', out, '--retry-errors', '--error-code', 'timeout'])
    expect(other.code).toBe(2)
    expect(other.stderr).toMatch(/error code "timeout"; it has exec-ended \(\d+\)/)
  })
})

describe('a limit in dollars', () => {
  const model = ['--model', 'openai-compatible:m', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'baseline:cyk']
  const ask = ['run', ...demo, ...model, '--max-usd', '0.01', '--dry-run'] as const

  it('needs the price of what costs money', async () => {
    const { code, stderr } = await touchstone(ask)
    expect(code).toBe(2)
    expect(stderr).toMatch(/needs the price of openai-compatible:m. Add --price/)
    const plan = await json<{ models: readonly { usdAtMost: number | null }[] }>([
      ...ask,
      '--price',
      '1,2.5',
      '--max-tokens',
      '10',
    ])
    expect(plan.models.map(({ usdAtMost }) => usdAtMost === null)).toEqual([false, true])
  })
})

describe('a mistake at the keyboard', () => {
  const folder = scratch()
  afterAll(folder.remove)

  it.each<readonly [what: string, args: readonly string[], code: number, message: RegExp]>([
    ['an unknown command', ['generat'], 2, /generate/],
    ['an unknown task', ['show', 'relic/recognise'], 2, /relic\/recognize/],
    ['an unknown preset', ['show', 'relic/recognize', '--preset', 'relic-50'], 2, /relic-500/],
    ['an unknown knob', ['show', 'relic/recognize', '--set', 'gramars=3'], 2, /grammars/],
    ['a wrong value', ['show', 'relic/recognize', '--set', 'perCell=many'], 2, /perCell/],
    ['a missing config file', ['show', 'relic/recognize', '--config', '/nowhere.yaml'], 2, /nowhere/],
    ['a missing experiment', ['run', '/nowhere.yaml'], 2, /nowhere/],
    ['no dataset', ['verify', '/tmp'], 2, /manifest/],
    ['no run', ['report', '/tmp'], 2, /run\.json/],
    [
      'an endless set without a count',
      ['generate', 'relic/recognize', '--preset', 'relic-endless', '--out', '/tmp/never'],
      2,
      /--count/,
    ],
    ['an index past the end', ['show', 'relic/recognize', '--preset', 'relic-demo', '--index', '99999'], 2, /indices/],
    ['an unknown model', ['run', ...demo, '--model', 'opnai:x', '--out', '/tmp/never'], 2, /openai/],
    ['an unknown model in a dry run', ['run', ...demo, '--model', 'opnai:x', '--dry-run'], 2, /openai/],
    [
      'two flags that exclude each other',
      ['verify', '/tmp', '--hash-only', '--sample', '3'],
      2,
      /^touchstone: --sample: --hash-only/,
    ],
    ['an unknown baseline', ['run', ...demo, '--model', 'baseline:ckk', '--out', '/tmp/never'], 2, /cyk/],
    [
      'grammars that generate nothing',
      [
        'show',
        'relic/recognize',
        '--preset',
        'relic-demo',
        '--set',
        'binary={kind: fixed, value: 1}',
        '--set',
        'lexical={kind: fixed, value: 1}',
        '--set',
        'nonterminals={kind: fixed, value: 200}',
      ],
      2,
      /none of .* random grammars/,
    ],
  ])('%s is told, with the exit code for it', async (_what, args, code, message) => {
    const result = await touchstone(args)
    expect(result.stderr + result.stdout).toMatch(message)
    expect(result.stderr).not.toContain('    at ')
    expect(result.code).toBe(code)
  })

  it('in an experiment file is told with its line', async () => {
    const file = folder.path('experiment.yaml')
    writeFileSync(
      file,
      'name: x\nitems:\n  - task: relic/recognize\n    preset: relic-demo\n    stile: zero-shot\nmodels: [baseline:random]\n',
    )
    const { code, stderr } = await touchstone(['run', file, '--out', folder.path('x')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/experiment\.yaml:5.*stile.*style/s)
  })

  it('like a flag that an experiment file answers itself is told, and limits can be given beside it', async () => {
    const file = folder.path('small.yaml')
    writeFileSync(
      file,
      'items: { task: relic/recognize, preset: relic-demo, config: { twins: none }, count: 4 }\nmodels: [openai:x]\n',
    )
    const both = await touchstone(['run', file, '--temperature', '1', '--count', '1', '--seed', '2', '--dry-run'])
    expect(both.code).toBe(2)
    expect(both.stderr).toMatch(/--seed, --temperature: fixed by the experiment file/)
    const dear = await touchstone(['run', file, '--max-usd', '1', '--dry-run'])
    expect(dear.stderr).toMatch(/a cost limit of \$1 needs the price of openai:x/)
    const wrong = await touchstone(['run', file, '--timeout', '-1', '--dry-run'])
    expect(wrong.stderr).toMatch(/--timeout: expected a number above 0, got -1/)
  })

  it('or on disk: a damaged ledger is named, and left alone', async () => {
    const run = folder.path('damaged')
    expect((await touchstone(['run', ...demo, '--model', 'baseline:random', '--out', run])).code).toBe(0)
    const ledger = join(run, 'ledger.db')
    const bytes = readFileSync(ledger)
    bytes.fill(7, 0, 4096)
    writeFileSync(ledger, bytes)
    const { code, stderr } = await touchstone(['resume', run])
    expect(code).toBe(1)
    expect(stderr).toContain('ledger.db')
    expect(readFileSync(ledger).equals(bytes)).toBe(true)
  })
})

describe('loglikelihood items', () => {
  it.each([[['--dry-run']], [[]]])(
    'are not given to a model that only chats: %j says so before any call',
    async (flags) => {
      const { code, stderr } = await touchstone([
        'run',
        'proficiency/discriminate',
        '--count',
        '2',
        '--model',
        'openai:some-model',
        ...flags,
        '--out',
        '/tmp/never',
      ])
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/loglikelihood items, and openai:some-model only chats/u),
      ])
    },
  )
})

describe('an experiment file', () => {
  const folder = scratch()
  afterAll(folder.remove)

  it('is run with the models of it that are named, and with fewer items', async () => {
    const file = folder.path('two.yaml')
    writeFileSync(
      file,
      'items: { task: relic/recognize, preset: relic-demo, config: { twins: none }, count: 4 }\nmodels: [{ model: baseline:random, name: R }, baseline:cyk]\n',
    )
    const plan = await json<{ calls: number; models: readonly { model: string }[] }>([
      'run',
      file,
      '--model',
      'R',
      '--count',
      '3',
      '--dry-run',
    ])
    expect([plan.calls, plan.models.map(({ model }) => model)]).toEqual([3, ['R']])
    const { code, stderr } = await touchstone(['run', file, '--model', 'nobody', '--dry-run'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('it has R, baseline:random, baseline:cyk')])
  })
})

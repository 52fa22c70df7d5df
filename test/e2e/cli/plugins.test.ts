import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { touchstone as inOwnProcess, jsonWith, scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const example = join(import.meta.dirname, '../../../examples/parity.ts')

interface Recorded {
  readonly plugins: readonly { readonly name: string; readonly version: string | null; readonly sha256: string }[]
}

describe('a plugin', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const plugin = folder.path('parity.ts')
  cpSync(example, plugin)
  const data = folder.path('data')
  const run = folder.path('run')
  const content = ['toy/parity', '--preset', 'short', '--count', '20']

  it('that is shipped as an example is audited: small sets give no verdict, and fail only where one is demanded', async () => {
    const audited = folder.path('audited')
    await json(['generate', 'toy/parity', '--preset', 'short', '--count', '2000', '--plugin', plugin, '--out', audited])
    expect(await json(['audit', audited])).toMatchObject({ status: 'inconclusive', power: { gain: 0.02 } })
    expect(await json(['audit', audited, '--min-effect', '0.1'])).toMatchObject({
      status: 'nothing-found',
      power: { underpowered: 0 },
    })
    const demanded = await touchstone(['audit', audited, '--min-effect', '0.02'])
    expect(demanded.code).toBe(1)
    expect(demanded.stdout).toContain('INCONCLUSIVE: nothing found by')
  })

  it('is named once, recorded by its content, and found again by the next commands', async () => {
    const made = await json<Recorded>(['generate', ...content, '--plugin', plugin, '--out', data])
    expect(made.plugins).toEqual([
      { name: 'parity.ts', version: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(await json(['verify', data])).toMatchObject({ items: 20, mismatches: 0 })
    await json(['run', ...content, '--model', 'baseline:gold', '--plugin', plugin, '--out', run])
    const file = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as Recorded
    expect(file.plugins).toEqual(made.plugins)
    expect(await json(['analyze', 'score', run])).toMatchObject({ changed: 0 })
    expect(await json(['report', run])).toMatchObject({ rows: 20 })
  })

  it('is a folder too, by the package in it: threads find it, and the next commands', async () => {
    const own = folder.path('a-package')
    mkdirSync(own)
    cpSync(example, join(own, 'task.ts'))
    const described = { name: 'a-package', version: '2.1.0', type: 'module', exports: './task.ts' }
    writeFileSync(join(own, 'package.json'), JSON.stringify(described))
    const out = folder.path('of-a-folder')
    const made = await json<Recorded>(['generate', ...content, '--plugin', own, '--threads', '2', '--out', out])
    expect(made.plugins).toMatchObject([{ name: 'a-package', version: '2.1.0' }])
    expect(await json(['verify', out])).toMatchObject({ items: 20, mismatches: 0 })
    // Without "exports" a package does not find itself by its name.
    const unnamed = folder.path('unnamed')
    cpSync(own, unnamed, { recursive: true })
    writeFileSync(join(unnamed, 'package.json'), JSON.stringify({ ...described, exports: undefined, main: 'task.ts' }))
    for (const other of [unnamed, data]) {
      const { code, stderr } = await touchstone(['list', '--plugin', other])
      expect([code, stderr]).toEqual([2, expect.stringContaining('Name the file that exports the task')])
    }
  })

  it('is named in what a sealed exam publishes, and found again by whoever opens it', async () => {
    const out = folder.path('exam')
    const exam = await json<Recorded>([
      'exam',
      'commit',
      'toy/parity',
      '--preset',
      'short',
      '--count',
      '20',
      '--plugin',
      plugin,
      '--out',
      out,
    ])
    expect(exam.plugins).toEqual((JSON.parse(readFileSync(join(data, 'manifest.json'), 'utf8')) as Recorded).plugins)
    expect(await json(['exam', 'reveal', out])).toMatchObject({ mismatches: 0 })
  })

  // A process loads a module once: what changed is seen by another.
  it('that changed is refused in words, until it is named again', async () => {
    writeFileSync(plugin, `${readFileSync(plugin, 'utf8')}\n// another\n`)
    const refused = await inOwnProcess(['verify', data])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/parity\.ts has changed or is missing.*--plugin/)
    expect(await jsonWith(inOwnProcess)(['verify', data, '--plugin', plugin])).toMatchObject({ mismatches: 0 })
    expect((await inOwnProcess(['exam', 'reveal', folder.path('exam')])).stderr).toMatch(
      /parity\.ts has changed or is missing.*--plugin/,
    )
  })

  it('of other content goes on with no run, and is asked no set that it would make otherwise', async () => {
    const gone = await inOwnProcess(['resume', run, '--plugin', plugin])
    expect(gone.code).toBe(2)
    expect(gone.stderr).toMatch(/was made with the plugin parity\.ts \(sha256 \w+\); this command has one of that name/)
    const other = folder.path('other.ts')
    const label = "at.levels['label'] === "
    writeFileSync(other, readFileSync(example, 'utf8').replace(`${label}'even'`, `${label}'odd'`))
    const asked = ['run', data, '--model', 'baseline:gold', '--out', folder.path('of-other'), '--plugin']
    const refused = await touchstone([...asked, other])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/item 0 of .* differs from what toy\/parity generates here/)
    const later = folder.path('later.ts')
    const all = `${label}'even' ?`
    writeFileSync(later, readFileSync(example, 'utf8').replace(all, `(at.group > 18) !== (${label}'even') ?`))
    expect((await touchstone([...asked, later])).stderr).toMatch(
      /item 19 of .* differs from what toy\/parity generates here/,
    )
    expect(await json([...asked, example])).toMatchObject({ counts: { done: 20 } })
  })

  it('that was changed grades a run again only where its author has raised its scorer, and is in run.json then', async () => {
    // A process loads a file once.
    const changed = (name: string, ...edits: readonly (readonly [string, string])[]): string => {
      const path = folder.path(`${name}/parity.ts`)
      mkdirSync(folder.path(name))
      let text = readFileSync(example, 'utf8')
      for (const [from, to] of edits) {
        expect(text).toContain(from)
        text = text.replace(from, to)
      }
      writeFileSync(path, text)
      return path
    }
    const raised = ['scorerVersion: 1', 'scorerVersion: 2'] as const
    const grade = ['value: said === answer ? 1 : 0', 'value: said === answer ? 0.5 : 0'] as const
    const [silent, said] = [changed('silent', grade), changed('said', grade, raised)]
    const drawn = changed('drawn', raised, ["at.levels['label'] === 'even'", "at.levels['label'] === 'odd'"])
    const worded = changed('worded', raised, ['Here is', 'Here you have'])
    const recorded = () =>
      JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as Recorded & { previousPlugins?: unknown }
    const before = recorded()
    for (const [plugin, why] of [
      [silent, /one of that name with sha256 \w+\. .*raise scorer of toy\/parity above 1/],
      [drawn, /generates a different item 0 of toy\/parity than the run used\. Raise its version/],
      [worded, /makes different prompts for this run\. Raise its promptVersion/],
    ] as const) {
      const refused = await touchstone(['analyze', 'score', run, '--plugin', plugin])
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(why)])
    }
    expect(recorded()).toEqual(before)
    expect(await json(['verify', run, '--plugin', worded])).toMatchObject({
      notChecked: expect.arrayContaining([
        expect.stringMatching(/made with the plugin parity.ts .* that version regenerated the items and scores/),
      ]),
    })
    expect(await json(['analyze', 'score', run, '--plugin', said])).toMatchObject({
      changed: 20,
      scorers: { 'toy/parity': 2 },
    })
    expect(recorded()).toMatchObject({ previousPlugins: before.plugins })
    expect(recorded().plugins).not.toEqual(before.plugins)
    // Found by its new content from then on; the old one is refused.
    expect(await json(['analyze', 'score', run])).toMatchObject({ changed: 0 })
    expect(await json(['verify', run])).toMatchObject({ mismatches: 0 })
    expect((await touchstone(['analyze', 'score', run, '--plugin', example])).stderr).toMatch(
      /raise scorer of toy\/parity above 2/,
    )
  })

  it('is never loaded because a folder says so: only what was named by hand is', async () => {
    const evil = folder.path('evil')
    cpSync(data, evil, { recursive: true })
    const manifest = JSON.parse(readFileSync(join(evil, 'manifest.json'), 'utf8')) as Recorded
    writeFileSync(
      join(evil, 'payload.ts'),
      `import { writeFileSync } from 'node:fs'\nwriteFileSync('${evil}/ran', '')\n`,
    )
    const forged = [{ name: join(evil, 'payload.ts'), version: null, sha256: 'a'.repeat(64) }]
    writeFileSync(join(evil, 'manifest.json'), JSON.stringify({ ...manifest, plugins: forged }))
    const refused = await touchstone(['verify', evil])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/unknown on this machine/)
    expect(() => readFileSync(join(evil, 'ran'))).toThrow()
  })

  it('may not bring a task by a name that exists', async () => {
    const twin = folder.path('twin.ts')
    writeFileSync(twin, readFileSync(example, 'utf8').replace("'toy/parity'", "'relic/recognize'"))
    const refused = await touchstone(['list', '--plugin', twin])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/defines the task relic\/recognize, which touchstone has already/)
  })

  it('is told apart from another of its name by its folder', async () => {
    const [one, two] = ['evens', 'odds'].map((name) => {
      mkdirSync(folder.path(name))
      const path = folder.path(`${name}/task.ts`)
      writeFileSync(path, readFileSync(example, 'utf8').replace("'toy/parity'", `'toy/${name}'`))
      return path
    }) as [string, string]
    const out = folder.path('of-two')
    const asked = ['generate', 'toy/evens', '--preset', 'short', '--count', '4', '--out', out]
    const made = await json<Recorded>([...asked, '--plugin', one, '--plugin', two])
    expect(made.plugins.map(({ name }) => name)).toEqual(['evens/task.ts', 'odds/task.ts'])
    expect(await json(['verify', out])).toMatchObject({ mismatches: 0 })
    mkdirSync(folder.path('third'))
    cpSync(one, folder.path('third/task.ts'))
    const { stderr } = await touchstone(['list', '--plugin', one, '--plugin', folder.path('third/task.ts')])
    expect(stderr).toMatch(/third\/task.ts defines the task toy\/evens, which evens\/task.ts has already/)
  })

  it.each([
    ['syntax.js', "import './inner.js'\n", /inner\.js:2: Unexpected token '='/],
    ['typed.ts', 'const a = 1\nlet b: = 3\n', /typed\.ts:2: Unexpected token/],
    ['throws.js', 'const x = 1\nnull.x\n', /throws\.js:2: Cannot read properties of null/],
    ['export.js', "\nimport { none } from 'zod'\n", /export\.js:2: .*none/],
  ])('that cannot be loaded (%s) is told with its line', async (name, text, message) => {
    writeFileSync(folder.path('inner.js'), 'const a = 1\nconst = 2\n')
    writeFileSync(folder.path(name), text)
    const { code, stderr } = await touchstone(['list', '--plugin', folder.path(name)])
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  it('by the name of an installed package is recorded with its version', async () => {
    const installed = folder.path('node_modules/parity-task')
    mkdirSync(installed, { recursive: true })
    const exports = { '.': { import: './index.js' } }
    const described = { name: 'parity-task', version: '1.2.3', type: 'module', exports }
    writeFileSync(join(installed, 'package.json'), JSON.stringify(described))
    writeFileSync(
      join(installed, 'index.js'),
      "export default { name: 'bytes', version: '1', count: (text) => text.length }\n",
    )
    const out = folder.path('package')
    const made = await inOwnProcess(
      [
        'generate',
        'relic/recognize',
        '--preset',
        'relic-demo',
        '--count',
        '2',
        '--plugin',
        'parity-task',
        '--out',
        out,
        '--json',
      ],
      {},
      folder.path('.'),
    )
    expect(made.stderr).toBe('')
    expect((JSON.parse(made.stdout) as Recorded).plugins).toMatchObject([{ name: 'parity-task', version: '1.2.3' }])
  })
})

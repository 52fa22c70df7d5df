import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// As somebody does who installed the package: public names only.
import { openLab } from '@touchstone-eval/touchstone'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-lab-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lab = await openLab({ env: {} })
/** Items of the dataset of 40 indices, a few of which are empty. */
let items = 0
const experiment = {
  items: [{ task: 'relic/recognize', preset: 'relic-demo', config: { twins: 'none' }, count: 12 }],
  models: ['baseline:gold', { model: 'baseline:random', samples: 2 }],
}

describe('a lab goes from an experiment to a report', () => {
  const run = join(folder, 'run')

  it('says what would be asked', async () => {
    expect(await lab.plan({ experiment })).toMatchObject({ items: 12, calls: 36 })
  })

  it('stops at the first cell when told so, and goes on without asking anything twice', async () => {
    const stopped = await lab.run({ experiment, out: run, stop: AbortSignal.abort() })
    expect(stopped).toMatchObject({ schema: 'touchstone/run-result/1', run, status: 'interrupted' })
    const seen: number[] = []
    const done = await lab.resume(run, { onProgress: (progress) => seen.push(progress.done) })
    expect(done).toMatchObject({ status: 'completed', errors: [] })
    expect(done.counts.errors).toBe(0)
    expect(seen.at(-1)).toBe(done.counts.done)
  })

  it('shows of what papers print only what is asked for, as of what was measured', async () => {
    const idsOf = async (...analyses: string[]): Promise<readonly string[]> => {
      const { report } = await lab.report(run, {
        formats: [],
        withPaper: true,
        ...(analyses.length === 0 ? {} : { analyses }),
      })
      return report.analyses.map(({ id }) => id).filter((id) => id.startsWith('paper/'))
    }
    expect(await idsOf('relic/table1')).toEqual(['paper/relic/table1'])
    expect(await idsOf('paper/relic/table5')).toEqual(['paper/relic/table5'])
    expect(await idsOf('core/accuracy')).toEqual([])
    expect(await idsOf()).toEqual(expect.arrayContaining(['paper/relic/table1', 'paper/relic/table5']))
  })

  it('scores again, verifies and reports', async () => {
    expect(await lab.score(run)).toMatchObject({ changed: 0 })
    expect(await lab.verify(run)).toMatchObject({ schema: 'touchstone/verify-run/1', mismatches: 0 })
    const { report, files, out } = await lab.report(run, { formats: ['md', 'json'] })
    expect(report.analyses.map(({ id }) => id)).toContain('core/accuracy')
    for (const file of files) expect(existsSync(join(out, file)), file).toBe(true)
    const gold = report.analyses.find(({ id }) => id === 'core/accuracy')?.tables[0]?.rows[0]
    expect(JSON.stringify(gold)).toContain('baseline:gold')
  })

  it('calls a report by the name of its run, where it has one', async () => {
    const reportOf = async (named: object, out: string) => {
      await lab.run({ experiment: { ...experiment, ...named }, out, count: 2 })
      return (await lab.report(out, { formats: [], analyses: ['core/accuracy'] })).report
    }
    const out = join(folder, 'called')
    expect(await reportOf({ name: 'few shots' }, out)).toMatchObject({ run: out, name: 'few shots' })
    expect(await reportOf({}, join(folder, 'uncalled'))).not.toHaveProperty('name')
  })

  it('returns data that cannot be changed by mistake', async () => {
    const { report } = await lab.report(run, { formats: [] })
    expect(Object.isFrozen(report.analyses[0]?.tables[0]?.rows)).toBe(true)
  })

  it('throws typed errors that say what to do', async () => {
    await expect(lab.run({ experiment, out: run })).rejects.toMatchObject({ kind: 'usage' })
    const wrong = { ...experiment, items: [{ task: 'relic/recognise' }] }
    await expect(lab.run({ experiment: wrong, out: join(folder, 'x') })).rejects.toThrow(/did you mean/)
    await expect(lab.verify(run, { oracles: true })).rejects.toThrow(
      '--oracles: only for datasets; a run is always verified completely',
    )
  })
})

describe('a lab makes, checks and audits a dataset', () => {
  const content = { task: 'relic/recognize', preset: 'relic-demo', count: 40 }

  it('in this thread as in others, whole or not at all', async () => {
    const one = await lab.generate({ ...content, out: join(folder, 'one') })
    const two = await lab.generate({ ...content, out: join(folder, 'two'), threads: 2, format: 'jsonl' })
    expect(two.root).toBe(one.root)
    items = one.count
    expect(items).toBeGreaterThan(35)
    expect(await lab.verify(join(folder, 'one'), { oracles: true })).toMatchObject({ items: 40, mismatches: 0 })
    const aborted = lab.generate({ ...content, out: join(folder, 'none'), signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  it('asks its items, and hands out lines as lines', async () => {
    const asked = join(folder, 'of-one')
    const models = ['baseline:gold']
    const { counts } = await lab.run({
      experiment: { items: [await lab.itemsOf(join(folder, 'one'))], models },
      out: asked,
    })
    expect(counts.done).toBe(items)
    for (const from of ['relic/recognize', asked])
      await expect(lab.export(from, { to: 'prompts', out: join(folder, 'x') })).rejects.toThrow(/use exportLines/)
    const format = 'csv' as never
    await expect(lab.generate({ ...content, format, out: join(folder, 'x') })).rejects.toThrow(
      /format: expected one of parquet, jsonl, got "csv"/,
    )
  })

  it('looks for shortcuts', async () => {
    const audit = await lab.audit(join(folder, 'one'), { write: false })
    expect(audit.checks.filter(({ status }) => status === 'fail')).toEqual([])
    expect(existsSync(join(folder, 'one/audit.json'))).toBe(false)
  })
})

describe('a lab does what the other commands do', () => {
  it('chooses on a validation run what a test run asks with', async () => {
    const run = join(folder, 'validation')
    const items = [
      { task: 'relic/recognize', preset: 'relic-demo', config: { twins: 'none' }, count: 12, split: 'validation' },
    ]
    await lab.run({ experiment: { items, models: ['baseline:gold'] }, out: run })
    const { out, selection } = await lab.select(run)
    expect(selection).toMatchObject({ schema: 'touchstone/select/1', objections: [], splits: ['validation'] })
    expect(selection.choices.map(({ model }) => model)).toEqual(['baseline:gold'])
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(selection)
    await expect(lab.select(join(folder, 'run'))).rejects.toThrow(/its split is test, not validation/)
  })

  it('hands prompts out and takes answers in', async () => {
    const data = join(folder, 'one')
    const answers: string[] = []
    for await (const page of lab.exportLines(data, { to: 'prompts' }))
      for (const line of page as readonly { item: string; style: string }[])
        answers.push(
          JSON.stringify({ item: line.item, style: line.style, model: 'mine', sample: 0, text: 'Yes', seconds: 2.5 }),
        )
    const file = join(folder, 'answers.jsonl')
    writeFileSync(file, answers.join('\n'))
    const run = join(folder, 'answered')
    const taken = await lab.import('responses', file, { out: run, items: data })
    const all = { kind: 'responses', lines: answers.length, responses: answers.length, problems: [] }
    expect(taken).toMatchObject(all)
    const parts = ['first', 'rest'].map((name) => join(folder, `${name}.jsonl`))
    writeFileSync(parts[0] as string, answers.slice(0, 3).join('\n'))
    writeFileSync(parts[1] as string, answers.slice(3).join('\n'))
    expect(await lab.import('responses', parts, { out: join(folder, 'in-parts'), items: data })).toMatchObject(all)
    await expect(lab.import('relic', parts, { out: join(folder, 'z') })).rejects.toThrow(/a release is one folder/)
    expect(await lab.verify(run)).toMatchObject({ mismatches: 0 })
    for await (const page of lab.exportLines(run, { to: 'rows' }))
      for (const row of page) expect(row).toMatchObject({ model: 'mine', seconds: 2.5 })
    const written = await lab.export(run, { to: 'inspect-log', out: join(folder, 'inspect') })
    expect(written.files).toBeGreaterThan(0)
    await expect(lab.import('relik', folder, { out: join(folder, 'y') })).rejects.toThrow(/did you mean "relic"/)
  })

  it('binds an exam, opens it, and proves one item of it', async () => {
    const out = join(folder, 'exam')
    const { open, kept, document } = await lab.commitExam({
      task: 'relic/recognize',
      preset: 'relic-demo',
      count: 8,
      out,
    })
    expect(await lab.revealExam(out)).toMatchObject({ root: document.root, mismatches: 0 })
    const proof = join(folder, 'proof.json')
    writeFileSync(proof, JSON.stringify(await lab.proveExamItem(out, 3)))
    expect((await lab.revealExam(open, { proof })).problems).toEqual([])
    const other = join(folder, 'other')
    await lab.commitExam({ task: 'relic/recognize', preset: 'relic-demo', count: 8, out: other })
    expect((await lab.revealExam(other, { secret: kept })).mismatches).toBeGreaterThan(0)
    await expect(lab.proveExamItem(other, 3, { secret: kept })).rejects.toMatchObject({ kind: 'usage' })
  })

  it('begins a task, and never writes over one', async () => {
    const started = await lab.initTask('toy/begun', join(folder, 'begun'))
    expect(started).toMatchObject({ schema: 'touchstone/init/1', task: 'toy/begun' })
    for (const file of started.files) expect(existsSync(join(started.folder, file)), file).toBe(true)
    await expect(lab.initTask('toy/begun', join(folder, 'begun'))).rejects.toThrow(/holds task.js/)
  })

  it('says where a run stands, repairs and seals it', async () => {
    const run = join(folder, 'run')
    expect(await lab.status(run)).toMatchObject({
      kind: 'folder',
      models: ['baseline:gold', 'baseline:random'],
      moved: null,
    })
    expect(await lab.resume(run, { repair: true })).toEqual({ kind: 'whole' })
    const { out, seal } = await lab.seal(run, { out: join(folder, 'seal.json') })
    expect(await lab.verify(out)).toMatchObject({ schema: 'touchstone/verify-seal/1', id: seal.id, mismatches: 0 })
    await expect(lab.verify(out, { hashOnly: true })).rejects.toThrow('a seal is always verified completely')
    await expect(lab.status('store:run')).rejects.toThrow(/TOUCHSTONE_STORE_URL/)
    await expect(lab.seal('store:run')).rejects.toThrow(/--out FILE/)
  })

  it('compares datasets, and audits a grid of them', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    expect(await lab.overlap(one, { other: two, write: false })).toMatchObject({
      status: 'overlap',
      items: { L0: { shared: items } },
    })
    expect(existsSync(join(one, 'overlap.json'))).toBe(false)
    const base = { task: 'recoglab/comparison', preset: 'people', count: 40 }
    const grid = { entities: [6, 8], order: ['forward', 'sideways'] }
    const rows = await lab.auditGrid({ ...base, grid })
    expect(rows.map(({ kind, config }) => [kind, ...config])).toEqual([
      ['audited', 'entities=6', 'order=forward'],
      ['refused', 'entities=6', 'order=sideways'],
      ['audited', 'entities=8', 'order=forward'],
      ['refused', 'entities=8', 'order=sideways'],
    ])
    const many = Array.from({ length: 30 }, (_, i) => i)
    await expect(lab.auditGrid({ ...base, grid: { entities: many, minDistance: many } })).rejects.toThrow(
      /at most 400 combinations, got 900/,
    )
  })

  it('asks whether published items are known', async () => {
    const runs = []
    for (const seed of ['3', '4']) {
      const out = join(folder, `known-${seed}`)
      const items = [{ task: 'recoglab/comparison', preset: 'people', count: 20, seed }]
      await lab.run({ experiment: { items, models: ['baseline:gold', 'baseline:random'] }, out })
      runs.push(out)
    }
    const [published = '', fresh = ''] = runs
    const asked = { model: 'baseline:random', references: ['baseline:gold'] }
    expect(await lab.contamination(published, fresh, asked)).toMatchObject({
      model: 'baseline:random',
      before: ['baseline:gold'],
      published,
      fresh,
      parser: 'strict',
    })
    await expect(lab.contamination(published, fresh, { ...asked, parser: 'loose' })).rejects.toThrow(
      /has no parser "loose"/,
    )
  })
})

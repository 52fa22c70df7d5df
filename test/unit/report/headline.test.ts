import { beforeAll, describe, expect, it } from 'vitest'
import { column } from '../../../src/core/index.ts'
import { describeRows } from '../../../src/report/formats/describe.ts'
import { byQuestion } from '../../../src/report/formats/markdown.ts'
import { makeReport, type Report, type ReportInput } from '../../../src/report/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

describe('the lines that open a report', () => {
  let report: Report
  beforeAll(async () => {
    report = makeReport({ run: 'invented', frames: await framesFromRows(inventedRows(400)), tasks: [inventedTask()] })
  })

  it('are about ten, and say who was asked what', () => {
    const { headline } = report
    expect(headline.length).toBeGreaterThan(3)
    expect(headline.length).toBeLessThanOrEqual(12)
    expect(headline.find((line) => / models: /u.test(line))).toMatch(
      /^\d+ models: .+; [\d,]+ responses on invented\/parity, strict parser\.$/,
    )
  })

  it('give the numbers of the tables, and no others', () => {
    const table = (id: string) => report.analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
    const all = report.headline.join('\n')
    const failed = table('core/accuracy').reduce((sum, row) => sum + Number(row['failed']), 0)
    expect(failed).toBeGreaterThan(0)
    expect(all).toContain(`${failed} API errors`)
    const pairs = table('core/paired')
    const open = pairs.filter((row) => Number(row['holm']) >= 0.05).length
    expect(all).toContain(`${pairs.length - open} of ${pairs.length} pair`)
    const best = table('core/accuracy')
      .map((row) => (row['accuracy'] as { readonly value: number }).value)
      .reduce((a, b) => Math.max(a, b))
    expect(all).toContain(best.toFixed(3))
  })

  it('begin with the verdict of the leading pair, then those of the table, significant ones first', async () => {
    const rows = report.analyses.find(({ id }) => id === 'core/paired')?.tables[0]?.rows ?? []
    const isLead = (row: (typeof rows)[number]): boolean => row['a'] === lead?.a && row['b'] === lead?.b
    const lead = report.verdict?.pair
    const verdicts = rows
      .toSorted((a, b) => Number(isLead(b)) - Number(isLead(a)) || Number(a['p']) - Number(b['p']))
      .map((row) => row['verdict'])
    expect(verdicts[0]).toMatch(/^good-one is better than fair-one/u)
    expect(report.headline.slice(0, 4)).toEqual([
      verdicts[0],
      'good-one is better than =weak|<b>one.',
      ...verdicts.slice(1),
    ])
    const several = inventedRows(200).flatMap((row) => [row, { ...row, style: 'terse' }])
    const lines = (await opening(several)).split('\n')
    expect(lines[0]).toBe('good-one is better than fair-one on 2 of 2 conditions.')
    expect(lines[2]).toMatch(/^invented\/parity (?:plain|terse): .+ is better than /u)
    expect(lines[6]).toMatch(/^Significant: \d of 6 pairs .+; 2 more verdicts below\.$/u)
  })

  it('give accuracy of parsed responses beside accuracy where the two differ by more than two points', async () => {
    const unparsed = (one: number) =>
      inventedRows(200).map((row, i) => (i % one === 0 ? { ...row, status: 'unparsed', score: null } : row))
    expect(await opening(unparsed(5))).toMatch(/\](?: \(n = \d+\))? \(0\.\d{3} of the parsed\)/u)
    const graded = inventedRows(200).filter(({ status: state }) => state === 'graded')
    expect(await opening(graded)).not.toContain('of the parsed')
  })

  it('give every accuracy with its interval', () => {
    const line = report.headline.find((one) => one.startsWith('invented/parity'))
    expect(line?.match(/\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]/g)).toHaveLength(3)
  })

  const opening = async (rows: Row[], more: Partial<ReportInput> = {}) => {
    const tasks = [...new Set(rows.map(({ task }) => task))].map((name) => ({ ...inventedTask(), name: String(name) }))
    return makeReport({ run: 'odd', frames: await framesFromRows(rows), tasks, ...more }).headline.join('\n')
  }

  it('say how much of the plan has no response, and nothing where a rule ended the run', async () => {
    const plan = { calls: 2000, open: 1400 }
    const said = 'Not finished: 1,400 of 2,000 planned calls have no response.'
    expect(await opening(inventedRows(200), { plan })).toContain(said)
    expect(await opening(inventedRows(200), { plan: { calls: 600, open: 0 } })).not.toContain('Not finished')
    const until = { rule: 'A>B', alpha: 0.05, checkEvery: 25, interim: [] }
    expect(await opening(inventedRows(200), { plan, until: { ...until, verdict: 'A > B' } })).not.toContain(said)
    expect(await opening(inventedRows(200), { plan, until: { ...until, verdict: null } })).toContain(said)
  })

  it('stay quotable and keep models apart, however long their names are', async () => {
    const path = `gguf:/models/${'a-folder-of-somebody/'.repeat(14)}`
    const rows = inventedRows(200).map((row) => ({ ...row, model: `${path}${String(row['model'])}.gguf` }))
    const lines = (await opening(rows)).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(500)
    expect(lines.join('\n')).toMatch(/good-one\.gguf, .*fair-one\.gguf/u)
    expect(lines.join('\n')).not.toContain('a-folder-of-somebody')
  })

  it('quote what a task ranks models by beside the measures of strings', async () => {
    const lines = (k: number) => ({ k, share: { value: k / 10, low: 0, high: 1, n: 9, method: 'm' } })
    const ranking = {
      id: 'invented/ranking',
      title: 'Ranking',
      needs: [],
      run: () => ({
        tables: [
          {
            id: 'invented/ranking',
            title: 'Ranking',
            columns: [
              column.text('language', 'Language'),
              column.number('rank', 'Rank'),
              column.text('model', 'Model'),
              column.estimate('share', 'Median AUC'),
            ],
            rows: [7, 2].map((k, i) => ({ language: 'g1', rank: i + 1, model: `model ${k}`, ...lines(k) })),
          },
        ],
      }),
    }
    const rows = inventedRows(40).map((row) => ({ ...row, status: 'loglikelihood', score: null, metric_nats: 3 }))
    const { headline } = makeReport({ run: 'r', frames: await framesFromRows(rows), tasks: [inventedTask([ranking])] })
    expect(headline).toContain('Median AUC (language g1): model 7 0.700 [0.000, 1.000], model 2 0.200 [0.000, 1.000].')
  })

  it('say why intervals of many items are wide, where they come of few groups', async () => {
    const grouped = (groups: number) =>
      inventedRows(200).map((row, i) => ({ ...row, group: `g${Math.floor(i / 3) % groups}` }))
    expect(await opening(grouped(5))).toMatch(
      /Few independent groups \(such as grammars\): 5 on invented\/parity plain\. CIs are wide and rest partly on/u,
    )
    expect(await opening(grouped(40))).not.toContain('Few independent groups')
    expect(await opening(grouped(1))).toContain('One group: all items of invented/parity plain share a group')
    expect(await opening(grouped(2))).not.toContain('One group')
    expect(await opening(inventedRows(1))).not.toContain('One group')
  })

  it.each([
    [5, 'over 5 groups'],
    [1, 'over 1 group'],
  ])('read of how many groups an accuracy is: %i, where its method says "%s"', async (groups, words) => {
    const rows = inventedRows(200).map((row, i) => ({ ...row, group: `g${Math.floor(i / 3) % groups}` }))
    const { analyses } = makeReport({ run: 'few', frames: await framesFromRows(rows), tasks: [inventedTask()] })
    const accuracies = analyses.find(({ id }) => id === 'core/accuracy')?.tables[0]?.rows.map((row) => row['accuracy'])
    expect(accuracies).toHaveLength(3)
    for (const accuracy of accuracies ?? [])
      expect(accuracy).toMatchObject({ groups, method: expect.stringContaining(words) })
  })

  it('count a failed cell as no answer, its tokens not at all', async () => {
    const rows = inventedRows(200)
    const failed = rows.filter(({ status: state }) => state === 'error').length
    const written = rows.reduce((sum, { outputTokens }) => sum + Number(outputTokens ?? 0), 0)
    const all = await opening(rows)
    expect(failed).toBeGreaterThan(0)
    expect(all).toContain(`; ${600 - failed} responses on`)
    expect(all).toContain(`${written.toLocaleString('en-US')} output tokens.`)
  })

  it('say what failed, whoever reads, and which tasks a parser does not read', async () => {
    const rows = inventedRows(200)
    const failed = rows.filter(({ status: state }) => state === 'error').length
    const unread = inventedRows(20).map((row) => ({
      ...Object.fromEntries(Object.entries(row).filter(([name]) => !name.includes('@'))),
      task: 'other/task',
    }))
    const frames = await framesFromRows([...rows, ...unread])
    const report = makeReport({ run: 'odd', frames, tasks: [inventedTask()], parser: 'lenient' })
    expect(report.headline.join('\n')).toContain(`; ${600 - failed} responses on invented/parity, lenient parser`)
    expect(report.headline.join('\n')).toContain(`600 calls: ${failed} API errors (excluded).`)
    expect(report).toMatchObject({ rows: 660, noParser: { rows: 60, tasks: ['other/task'] } })
    expect(describeRows(report)).toBe('660 rows, 600 with the lenient parser; other/task does not have it.')
    expect(makeReport({ run: 'odd', frames, tasks: [inventedTask()] })).not.toHaveProperty('noParser')
  })

  it('adds the errors of conditions that may share items, so that asking in two styles makes no interval narrower', async () => {
    const rows = inventedRows(120)
    const meanOf = async (key: 'style' | 'task', other: string) => {
      const again = rows.map((row) => ({
        ...row,
        [key]: other,
        ...(key === 'task' ? { item: `x${row['item']}` } : {}),
      }))
      const found = /Mean over these 2: \+\d+ points \(95 % CI (?<low>.\d+) to (?<high>.\d+)\)/u.exec(
        await opening([...rows, ...again]),
      )
      const [low, high] = [found?.groups?.['low'], found?.groups?.['high']].map((one) => Number(one?.replace('−', '-')))
      return (high as number) - (low as number)
    }
    expect(await meanOf('style', 'other')).toBeGreaterThan(1.25 * (await meanOf('task', 'other/task')))
  })

  it('say who is ahead of whom over tasks, by how much', async () => {
    const rows = ['a/one', 'b/two', 'c/three'].flatMap((task) => inventedRows(120).map((row) => ({ ...row, task })))
    const turned = rows.toReversed()
    for (const some of [rows, turned])
      expect(await opening(some)).toMatch(
        /^good-one is better than fair-one on 3 of 3 tasks\.\nMean over these 3: \+\d+ points .*\nc?.*is better than/u,
      )
  })

  it('say of how few groups strings that were scored are', async () => {
    const rows = ['x', 'y'].flatMap((model) =>
      Array.from({ length: 40 }, (_, i) => ({
        item: `i${i}`,
        draw: `d${i}`,
        group: `g${i % 2}`,
        task: 'invented/parity',
        config: 'c',
        style: 's',
        model,
        settings: '{}',
        sample: 0,
        status: 'loglikelihood',
        score: null,
        metric_nats: i + (i % 2),
      })),
    )
    expect(await opening(rows)).toMatch(/Few independent groups \(such as grammars\): 2 on invented\/parity s\./u)
  })

  it('name the set of items where a pair is not told apart on it, of several', async () => {
    const rows = ['one/task', 'other/task'].flatMap((task) => inventedRows(60).map((row) => ({ ...row, task })))
    expect(await opening(rows)).toMatch(
      /\none\/task plain: .+\n.+\n.+\n.+\nSignificant: \d of 6 pairs of models \(each condition apart\).+2 more verdicts below/u,
    )
  })

  it('say of how many items each accuracy is where models answered different ones, and which pairs have none in common', async () => {
    const part = (item: number, model: unknown): boolean =>
      model === 'good-one' ? item < 40 : model === 'fair-one' ? item >= 40 : true
    const rows = inventedRows(100).filter(({ item, model }) => part(Number(String(item).slice(1)), model))
    const answered = (model: string) => rows.filter((row) => row['model'] === model && row['status'] !== 'error').length
    const all = await opening(rows)
    expect(all).toMatch(new RegExp(`good-one \\d\\.\\d{3} \\[[^\\]]+\\] \\(n = ${answered('good-one')}\\)`))
    expect(all).toMatch(/of 2 pairs of models \(Holm 0\.05; 1 more share too few items\)/)
  })

  it('say whose cost is not known', async () => {
    const rows = inventedRows(60).map((row) => ({ ...row, usd: row['model'] === 'good-one' ? 0.01 : null }))
    expect(await opening(rows)).toMatch(/Cost: \$0\.60 \(cost of fair-one, .+ unknown\)\./)
  })

  it('leave out what was not asked for', async () => {
    const input = { run: 'invented', frames: await framesFromRows(inventedRows(40)), tasks: [inventedTask()] }
    expect(makeReport({ ...input, only: ['core/usage'] }).headline.join('\n')).not.toMatch(/models|parser/)
  })

  it('are followed by analyses under the question that each answers, none lost and none twice', () => {
    const questions = byQuestion(report.analyses)
    expect(questions[0]?.title).toBe('How accurate?')
    const shown = questions.flatMap(({ analyses }) => analyses.map(({ id }) => id))
    expect([...shown].sort()).toEqual(report.analyses.map(({ id }) => id).sort())
  })
})

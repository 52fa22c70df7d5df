import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Frame, Table, Task } from '../../../../src/core/index.ts'
import { auditDataset, datasetRows, openDataset, verify, writeAudit } from '../../../../src/datasets/index.ts'
import { moments } from '../../../../src/libraries/statistics/index.ts'
import necklace from '../../../toys/necklace.ts'
import { corrupted, editRow, make, scratch } from '../folders.ts'

const { fresh } = await scratch()
const set = fresh()
const options = { config: necklace.preset('endless').config, count: 960 }
await make(set, options)
const audit = async (folder: string, task: Task = necklace, more = {}) =>
  auditDataset(await openDataset(folder), task, more)
const failed = (result: Awaited<ReturnType<typeof audit>>) =>
  result.checks.filter((check) => check.status === 'fail').map((check) => check.name)

describe('the audit of a dataset on disk', () => {
  it('reads its rows, asks oracle and witnesses, and finds what tells the answers', async () => {
    const result = await audit(set)
    const { manifest } = await openDataset(set)
    expect(result.dataset).toEqual({ root: manifest.root, count: manifest.count, groups: manifest.groups.count })
    expect(result.checks.find((check) => check.name === 'oracle')).toMatchObject({ checked: manifest.count, failed: 0 })
    expect(result.checks.find((check) => check.name === 'witness')).toMatchObject({
      checked: manifest.count,
      failed: 0,
    })
    // Two equal beads on a string: fewer distinct ones, told by the feature `share` and by the tokens of the prompt.
    expect(result.tests.find((test) => test.probe === 'feature/share')?.status).toBe('fail')
    expect(result.status).toBe('fail')
  })

  it('finds answers the oracle rejects and witnesses that prove nothing', async () => {
    const answers = await corrupted(
      set,
      fresh(),
      'items-00000.jsonl',
      editRow(5, (row) => (row['answer'] = row['answer'] !== true)),
    )
    expect(failed(await audit(answers))).toEqual(expect.arrayContaining(['oracle', 'witness']))
    const witness = await corrupted(
      set,
      fresh(),
      'items-00000.jsonl',
      editRow(6, (row) => (row['witness'] = '77')),
    )
    const found = await audit(witness)
    expect(failed(found)).toContain('witness')
    expect(found.checks.find((check) => check.name === 'witness')?.message).toMatch(/1 of \d+ witnesses.*index 6/)
  })

  it('gives the task’s own figures about its items, those that have their columns', async () => {
    const table = (rows: Table['rows']) => ({ id: 'toy/mean', title: 'mean', columns: [], rows })
    const judging: Task = {
      ...necklace,
      audits: [
        {
          id: 'toy/mean',
          title: 'the mean share',
          needs: ['item', 'group', 'feature_share'],
          run: (frame) => ({
            tables: [table([{ n: frame.length, mean: moments(frame.number('feature_share')).mean }])],
          }),
        },
        { id: 'toy/none', title: 'left out', needs: ['metric_nats'], run: () => ({ tables: [table([])] }) },
      ],
    }
    const { analyses } = await audit(set, judging)
    const { rows } = await openDataset(set).then(async (dataset) => {
      const shares: number[] = []
      for await (const batch of datasetRows(dataset, necklace, 'items'))
        for (const row of batch) if (row['hole'] === null) shares.push(row['feature_share'] as number)
      return { rows: [{ n: shares.length, mean: moments(shares).mean }] }
    })
    expect(analyses).toEqual([{ id: 'toy/mean', title: 'the mean share', notes: [], tables: [table(rows)] }])
    expect((await audit(set)).analyses).toEqual([])
  })

  it('gives the questions and truths themselves to audits that need them', async () => {
    const answers = (frame: Frame) => {
      const { codes, levels } = frame.category('answer')
      return [...codes].map((code) => levels[code])
    }
    let seen: readonly (string | undefined)[] = []
    const counting: Task = {
      ...necklace,
      audits: [
        {
          id: 'toy/truths',
          title: 'truths',
          needs: ['given', 'answer'],
          run: (frame) => {
            seen = answers(frame)
            return { tables: [] }
          },
        },
      ],
    }
    await audit(set, counting)
    const stored: string[] = []
    for await (const batch of datasetRows(await openDataset(set), necklace, 'items'))
      for (const row of batch) if (row['hole'] === null) stored.push(JSON.stringify(row['answer']))
    expect(seen).toEqual(stored)
  })

  it('takes the cues of the task, unless it is to do without', async () => {
    const declaring: Task = {
      ...necklace,
      declaredShortcuts: () =>
        ['feature/*', 'text/*', 'learned/*', 'token/*', 'query/*'].map((probe) => ({
          probe,
          why: 'a toy',
          gain: [-0.5, 0.5],
        })),
    }
    const failing = (result: Awaited<ReturnType<typeof audit>>) => result.tests.filter((test) => test.status === 'fail')
    expect(failing(await audit(set, declaring))).toEqual([])
    expect(failing(await audit(set, declaring, { ignoreDeclared: true })).length).toBeGreaterThan(0)
  })

  it('is written beside the manifest, named in it and in the card, and checked by verify', async () => {
    const folder = fresh()
    await make(folder, options)
    const result = await audit(folder)
    await writeAudit(await openDataset(folder), necklace, result)
    const text = await readFile(join(folder, 'audit.json'), 'utf8')
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(result)))
    const dataset = await openDataset(folder)
    expect(dataset.manifest.audit).toMatchObject({
      sha256: createHash('sha256').update(text).digest('hex'),
      status: 'fail',
    })
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toMatch(/\* FAIL: /)
    expect((await verify(dataset, necklace)).mismatches).toBe(0)
    const changed = await corrupted(folder, fresh(), 'audit.json', (before) => before.replace('"fail"', '"pass"'))
    expect((await verify(await openDataset(changed), necklace)).problems).toContainEqual(
      expect.objectContaining({ check: 'audit' }),
    )
  })

  it('stops when it is told to', async () => {
    await expect(audit(set, necklace, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })
})

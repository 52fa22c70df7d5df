import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { below, Sfc32 } from '../../../../src/core/index.ts'
import { auditFiles } from '../../../../src/datasets/index.ts'
import { scratch } from '../folders.ts'

const { fresh } = await scratch()
const jsonl = async (rows: readonly object[]): Promise<string> => {
  const path = `${fresh()}.jsonl`
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return path
}
const stream = new Sfc32(3, 1, 4, 1)
const yesNo = (n: number, leak: boolean) =>
  Array.from({ length: n }, (_, i) => {
    const yes = below(stream, 2) === 0
    return {
      prompt: `Is ${100 + i} ${leak && yes && below(stream, 4) > 0 ? 'really ' : ''}odd in ${below(stream, 900)}?`,
      label: yes ? 'yes' : 'no',
    }
  })

describe('the audit of a file', () => {
  it('guesses its fields, and finds a word that tells the answer', async () => {
    const audit = await auditFiles([await jsonl(yesNo(600, true))])
    expect(audit.fields).toEqual({ question: 'prompt', answer: 'label' })
    expect(audit.status).toBe('fail')
    expect(audit.tests.filter(({ status }) => status === 'fail').map(({ probe }) => probe)).toContain('token/really')
    expect(audit.notes[0]).toEqual(
      expect.stringMatching(/^answer priors: (yes|no) 0\.5\d\d, (yes|no) 0\.4\d\d; whoever/),
    )
  })

  it('finds nothing in a set without a leak, and says what it did not look at', async () => {
    const audit = await auditFiles([await jsonl(yesNo(600, false))])
    expect(audit.status).toBe('inconclusive')
    expect(audit.notLookedAt).toContainEqual(expect.stringMatching(/^local views/))
  })

  it('takes columns by name, and refuses those that are not there', async () => {
    const path = await jsonl(yesNo(100, false).map(({ prompt, label }) => ({ a: prompt, b: label })))
    await expect(auditFiles([path])).rejects.toThrow(/no column looks like the question.*--field question=COLUMN/)
    await expect(auditFiles([path], { fields: { question: 'a', answer: 'c' } })).rejects.toThrow(/no such column/)
    await expect(auditFiles([path], { fields: { query: 'a' } })).rejects.toThrow(/expected one of question/)
    expect((await auditFiles([path], { fields: { question: 'a', answer: 'b' } })).fields).toMatchObject({ answer: 'b' })
  })

  it('reads choices with letters for answers in CSV, and finds the place that is preferred', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => {
      const right = 1000 + i
      const at = [0, 1, 2, 2, 2, 3][below(stream, 6)] as number
      const choices = [right - 1, right + 1, right + 10].map(String)
      choices.splice(at, 0, String(right))
      return `"What comes after ${right - 1}?","${JSON.stringify(choices).replaceAll('"', '""')}",${'ABCD'[at]}`
    })
    const path = `${fresh()}.csv`
    await writeFile(path, ['question,options,answer', ...rows].join('\n'))
    const audit = await auditFiles([path])
    expect(audit.fields).toEqual({ question: 'question', answer: 'answer', choices: 'options' })
    expect(audit.tests.filter(({ status }) => status === 'fail').map(({ probe }) => probe)).toContain(
      'candidate/number',
    )
  })

  it('counts repeats inside and between files, and contradictions', async () => {
    const rows = yesNo(60, false)
    const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]]
    const other = second.label === 'yes' ? 'no' : 'yes'
    const one = await jsonl([...rows, first])
    const two = await jsonl([
      { ...second, label: other },
      { prompt: 'Is it?', label: 'no' },
    ])
    const failed = (await auditFiles([one, two])).checks.filter(({ status }) => status === 'fail')
    expect(failed.map(({ name, failed: count }) => [name, count])).toEqual([
      ['duplicates', 1],
      ['shared', 1],
      ['contradictions', 1],
    ])
  })
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const folder = scratch()
afterAll(folder.remove)

const generate = (task: string, out: string, count: number, ...flags: string[]) =>
  touchstone(['generate', task, '--count', String(count), '--format', 'jsonl', '--out', folder.path(out), ...flags])

describe('generate --solutions', () => {
  it('writes a worked solution beside every prompt, made anew and proved by verify', async () => {
    expect(await generate('recoglab/comparison', 'set', 12, '--solutions')).toMatchObject({ code: 0 })
    const name = (await readdir(folder.path('set'))).find((file) => file.startsWith('prompts-')) as string
    const path = join(folder.path('set'), name)
    const text = await readFile(path, 'utf8')
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly answer: string; readonly solution: string })
    expect(rows).toHaveLength(12)
    for (const { solution } of rows) expect(solution).toMatch(/\S+ \S+/u)
    expect(await touchstone(['verify', folder.path('set')])).toMatchObject({ code: 0 })

    await writeFile(path, text.replace(rows[3]?.solution.slice(0, 20) as string, 'Something else is so '))
    const forged = await touchstone(['verify', folder.path('set')])
    expect(forged.code).toBe(1)
    expect(forged.stdout + forged.stderr).toMatch(/prompt/)
  })

  it('is joined from shards as it is made whole', async () => {
    for (const i of ['0', '1'])
      expect(await generate('recoglab/comparison', `part${i}`, 2100, '--solutions', '--shard', `${i}/2`)).toMatchObject(
        {
          code: 0,
        },
      )
    const merged = folder.path('merged')
    expect(
      await touchstone(['cluster', 'merge', folder.path('part0'), folder.path('part1'), '--out', merged]),
    ).toMatchObject({
      code: 0,
    })
    const rootOf = async (out: string) =>
      (JSON.parse(await readFile(join(folder.path(out), 'manifest.json'), 'utf8')) as { prompts: unknown }).prompts
    expect(await generate('recoglab/comparison', 'whole', 2100, '--solutions')).toMatchObject({ code: 0 })
    expect(await rootOf('merged')).toEqual(await rootOf('whole'))
  })

  it('tells as much as is asked for, in datasets and in exports', async () => {
    const told = async (flags: readonly string[], out: string) => {
      expect(await generate('recoglab/comparison', out, 12, '--split', 'train', '--solutions', ...flags)).toMatchObject(
        {
          code: 0,
        },
      )
      expect(await touchstone(['verify', folder.path(out)])).toMatchObject({ code: 0 })
      const name = (await readdir(folder.path(out))).find((file) => file.startsWith('prompts-')) as string
      return (await readFile(join(folder.path(out), name), 'utf8')).length
    }
    const [full, short, reason] = [
      await told([], 'full'),
      await told(['--detail', 'short'], 'short'),
      await told(['--detail', 'reason'], 'reason'),
    ]
    expect(full > short && short > reason).toBe(true)
    for (const detail of ['full', 'reason']) {
      const out = folder.path(`sft-${detail}`)
      const flags = ['--to', 'sft', '--out', out, '--detail', detail]
      expect(await touchstone(['export', folder.path('full'), ...flags])).toMatchObject({ code: 0 })
    }
    const [whole, least] = await Promise.all(
      ['full', 'reason'].map((detail) => readFile(folder.path(`sft-${detail}/chat.jsonl`), 'utf8')),
    )
    expect((whole as string).length).toBeGreaterThan((least as string).length)

    const mixed = await touchstone(['generate', 'recoglab/comparison', '--detail', 'short', '--out', folder.path('no')])
    expect(mixed).toMatchObject({ code: 2 })
    expect(mixed.stderr).toMatch(/add --solutions/u)
    const csv = ['--to', 'csv', '--out', folder.path('csv'), '--detail', 'short']
    expect(await touchstone(['export', folder.path('full'), ...csv])).toMatchObject({ code: 2 })
  })

  it('is refused in words where items are measured', async () => {
    const { code, stderr } = await generate('proficiency/generate', 'none', 12, '--solutions')
    expect(code).toBe(2)
    expect(stderr).toMatch(/no worked solutions/)
  })
})

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { JsonObject, Task } from '../../../src/core/index.ts'
import { type GenerateOptions, generate, type Manifest } from '../../../src/datasets/index.ts'
import necklace from '../../toys/necklace.ts'

/** A folder for one test file, removed after it; `fresh` names a place in it that does not exist yet. */
export async function scratch(): Promise<{ readonly root: string; fresh(): string }> {
  const root = await mkdtemp(join(tmpdir(), 'touchstone-datasets-'))
  afterAll(() => rm(root, { recursive: true, force: true }))
  let count = 0
  return { root, fresh: () => join(root, String(count++)) }
}

export const make = (out: string, more: Partial<GenerateOptions> = {}, task: Task = necklace): Promise<Manifest> =>
  generate({
    task,
    preset: more.config === undefined ? 'small' : null,
    config: task.configure({}),
    split: 'test',
    seed: '1',
    out,
    format: 'jsonl',
    witnesses: true,
    generator: { package: 'toy', version: '0.0.0', node: 'v0' },
    created: '2030-01-01T00:00:00.000Z',
    ...more,
  })

/** Names and bytes of all files of a folder. */
export async function contents(folder: string): Promise<{ readonly [name: string]: string }> {
  const names = (await readdir(folder)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
  return Object.fromEntries(names.map((name, i) => [name, texts[i] as string]))
}

/** A copy of a dataset, one file of which is changed. */
export async function corrupted(
  from: string,
  to: string,
  file: string,
  change: (text: string) => string | null,
): Promise<string> {
  await cp(from, to, { recursive: true })
  const path = join(to, file)
  const changed = change(await readFile(path, 'latin1'))
  await rm(path)
  if (changed !== null) await writeFile(path, changed, 'latin1')
  return to
}

/** Changes the row of one index in JSON lines. */
export const editRow =
  (index: number, edit: (row: { [key: string]: unknown }) => void) =>
  (text: string): string =>
    text
      .split('\n')
      .map((line) => {
        if (line === '' || (JSON.parse(line) as JsonObject)['index'] !== index) return line
        const row = JSON.parse(line) as { [key: string]: unknown }
        edit(row)
        return JSON.stringify(row)
      })
      .join('\n')

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { makeFolder } from '../store/index.ts'
import { version } from './package.ts'

/** The files of a new task. */
export interface Started {
  readonly schema: 'touchstone/init/1'
  /** family/task */
  readonly task: string
  readonly folder: string
  readonly files: readonly string[]
}

const NAME = /^(?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9-]*$/

/** A task that passes every contract test, called `my/task`; JavaScript, so that it can be installed as it is. */
const templateOf = (file: string): URL => new URL(`../../templates/task/${file}`, import.meta.url)
const FILES = ['task.js', 'task.test.js', 'package.json', 'README.md']

/**
 * Writes a working task with its test into a new folder.
 *
 * @param name - `family/task`, or a task of the family `my`.
 * @throws UsageError for an invalid name, and where files would be overwritten.
 */
export async function startTask(name: string, folder?: string): Promise<Started> {
  if (!NAME.test(name) || name.length > 60)
    throw new UsageError(
      `expected family/task in lower-case letters, digits and dashes (at most 60), got "${name.slice(0, 80)}"`,
    )
  const task = name.includes('/') ? name : `my/${name}`
  const out = folder ?? (task.split('/')[1] as string)
  const there = FILES.filter((file) => existsSync(join(out, file)))
  if (there.length > 0)
    throw new UsageError(`${out} holds ${there.join(', ')} already. Choose another folder: --out DIR`)
  await makeFolder(out)
  for (const file of FILES) {
    const template = await readFile(templateOf(file), 'utf8')
    const text = template
      .replaceAll('my/task', task)
      .replaceAll('touchstone-my-task', `touchstone-${task.replace('/', '-')}`)
      .replace('VERSION', version)
    await writeFile(join(out, file), text, { flag: 'wx' })
  }
  return { schema: 'touchstone/init/1', task, folder: out, files: FILES }
}

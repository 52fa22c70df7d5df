import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { makeFolder } from '../store/index.ts'
import { packageName, version } from './package.ts'
import { taskFile, testFile } from './starter.ts'

/** What `init` wrote. */
export interface Started {
  readonly schema: 'touchstone/init/1'
  /** family/task */
  readonly task: string
  readonly folder: string
  readonly files: readonly string[]
}

const NAME = /^(?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9-]*$/

/**
 * Writes a working task with its test into a new folder.
 *
 * @param name - `family/task`, or a task of the family `my`.
 * @throws UsageError where the name is none, or the folder holds files that would be written over.
 */
export async function startTask(name: string, folder?: string): Promise<Started> {
  if (!NAME.test(name) || name.length > 60)
    throw new UsageError(
      `a task is called family/task, in lower-case letters, digits and dashes (at most 60); got "${name.slice(0, 80)}"`,
    )
  const task = name.includes('/') ? name : `my/${name}`
  const out = folder ?? (task.split('/')[1] as string)
  const files: { readonly [file: string]: string } = {
    'task.js': taskFile(task),
    'task.test.js': testFile(),
    'package.json': `${JSON.stringify(manifestOf(task), null, 2)}\n`,
    'README.md': readmeOf(task),
  }
  const there = Object.keys(files).filter((file) => existsSync(join(out, file)))
  if (there.length > 0)
    throw new UsageError(`${out} holds ${there.join(', ')} already: give another folder with \`out\``)
  await makeFolder(out)
  for (const [file, text] of Object.entries(files)) await writeFile(join(out, file), text, { flag: 'wx' })
  return { schema: 'touchstone/init/1', task, folder: out, files: Object.keys(files) }
}

const manifestOf = (task: string) => ({
  name: `touchstone-${task.replace('/', '-')}`,
  version: '1.0.0',
  type: 'module',
  exports: './task.js',
  files: ['task.js'],
  scripts: { test: 'node --test' },
  peerDependencies: { [packageName]: `>=${version}` },
  dependencies: { zod: '^4.0.0' },
})

const readmeOf = (task: string): string => `# ${task}

A task for [Touchstone](https://www.npmjs.com/package/${packageName}).

\`\`\`sh
touchstone check ${task} --plugin ./task.js
touchstone show ${task} --plugin ./task.js --preset easy --index 0
touchstone generate ${task} --plugin ./task.js --preset easy --count 1000 --out data
touchstone verify data
touchstone audit data
\`\`\`

Whoever installs this package names it instead of the file: \`--plugin touchstone-${task.replace('/', '-')}\`. Datasets and
runs remember their plugins.
`

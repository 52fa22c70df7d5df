import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Task } from '../../src/core/index.ts'
import { runExtensions } from '../../src/lab/run-extensions.ts'
import { type Provider, providers } from '../../src/models/index.ts'
import { openReplay, type RunContext, type Trust } from '../../src/runner/index.ts'
import { parity } from './parity.ts'

/** What a run of the parity task needs; `more` are further tasks, `env` the environment it sees. */
export function mockContext(
  options: {
    readonly tasks?: readonly Task[]
    readonly providers?: readonly Provider[]
    readonly env?: { readonly [name: string]: string }
    readonly trust?: Trust
  } = {},
): RunContext {
  const tasks = options.tasks ?? [parity]
  return {
    tasks: (name) => tasks.find((task) => task.name === name),
    taskNames: tasks.map((task) => task.name),
    providers: [...(options.providers ?? []), ...providers],
    around: { env: options.env ?? {}, openReplay },
    extensions: runExtensions,
    software: { package: 'test', version: '0' },
    ...(options.trust === undefined ? {} : { trust: options.trust }),
  }
}

/** A folder for one test, and how to remove it. */
export async function scratch(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

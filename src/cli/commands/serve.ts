import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { onInterrupts } from '../interrupt.ts'
import { labOf, labOfTasks } from '../lab.ts'
import { port, threadCount } from '../numbers.ts'
import { note, print } from '../output.ts'
import { pluginFlag, text } from '../words.ts'

interface Flags {
  readonly host: string
  readonly port: number
  readonly task?: readonly string[]
  readonly split?: readonly string[]
  readonly secret: string
  readonly key?: string
  readonly plainSeeds: boolean
  readonly threads: number
  readonly plugin?: readonly string[]
}

export const serve = buildCommand<Flags, [], Context>({
  docs: {
    brief: 'Items by token and verified rewards over HTTP, for training and for harnesses',
    fullDescription:
      'Listens until it is stopped. GET /openapi.json says what it understands; a token stands for an item and tells nothing of it. ' +
      'Tokens and seeds are made with a secret: with the same one, tokens outlive the process.',
  },
  parameters: {
    flags: {
      host: { kind: 'parsed', parse: text, default: '127.0.0.1', brief: 'Where to listen' },
      port: { kind: 'parsed', parse: port(8000), default: '8000', brief: '0: any free one' },
      task: { kind: 'parsed', parse: text, optional: true, variadic: true, brief: 'Only this task; left out: all' },
      split: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'Serve this split; left out: train alone',
      },
      secret: {
        kind: 'parsed',
        parse: text,
        default: 'TOUCHSTONE_SECRET',
        brief: 'The environment variable with the secret; unset: a new one',
      },
      key: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The environment variable with the key that clients send as authorization: Bearer',
      },
      plainSeeds: {
        kind: 'boolean',
        default: false,
        brief: 'Take seeds as they are, as generate does; clients who know them can make the answers',
      },
      threads: { kind: 'parsed', parse: threadCount, default: '0', brief: 'Worker threads; 0: one a core' },
      plugin: pluginFlag,
    },
  },
  async func(flags) {
    const lab = await (flags.task === undefined ? labOf(flags) : labOfTasks(flags, flags.task))
    const { env } = this.process
    const secret = env[flags.secret]
    const key = flags.key === undefined ? undefined : env[flags.key]
    if (flags.key !== undefined && (key ?? '') === '')
      throw new UsageError(`--key: the environment variable ${flags.key} is not set`)
    const { host, threads, plainSeeds } = flags
    const server = await lab.serve({
      host,
      port: flags.port,
      threads,
      plainSeeds,
      ...(secret === undefined ? {} : { secret }),
      ...(key === undefined ? {} : { key }),
      ...(flags.task === undefined ? {} : { tasks: flags.task }),
      ...(flags.split === undefined ? {} : { splits: flags.split }),
      onError: (error) => note(this, error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    if (secret === undefined) note(this, `${flags.secret} is not set: tokens of this server end with it`)
    print(this, `listening at ${server.url}`)
    await new Promise<void>((resolve) => {
      const deafen = onInterrupts([
        () => {
          deafen()
          resolve()
        },
      ])
    })
    await server.close()
  },
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text, wholeNumber } from '../words.ts'
import { secretOf } from './commit.ts'

interface Flags {
  readonly secret?: string
  readonly index?: number
  readonly proof?: string
  readonly announced?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const reveal = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Open a sealed exam, whole or one item, or check what somebody opened',
    fullDescription:
      'reveal COMMITMENT --secret FILE makes every item anew and compares root and commitment: whoever has both files can do it. ' +
      '--index N prints a proof of one item, which says nothing of the others; reveal COMMITMENT --proof FILE checks one.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'commitment.json, or its folder', parse: text, placeholder: 'commitment' }],
    },
    flags: {
      secret: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The secret.json; left out: beside the commitment',
      },
      index: { kind: 'parsed', parse: wholeNumber, optional: true, brief: 'Open only this index' },
      proof: { kind: 'parsed', parse: text, optional: true, brief: 'Check this proof of one item; needs no secret' },
      announced: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Also compare with this announcement.json of before',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, where) {
    const { checkAnnounced, checkProof, checkReveal, parseAnnouncement, parseCommitment, parseProof, proveItem } =
      await import('../../datasets/index.ts')
    const { findTask, loadTasks } = await import('../../lab/plugins.ts')
    const path = where.endsWith('.json') ? where : join(where, 'commitment.json')
    const commitment = parseCommitment(await textOf(path), path)
    const task = findTask(await loadTasks(flags.plugin, path), commitment.task)
    let problems: readonly string[]
    if (flags.proof !== undefined) problems = checkProof(commitment, parseProof(await textOf(flags.proof), flags.proof))
    else {
      const secret = await secretOf(flags.secret ?? join(path, '..', 'secret.json'))
      problems = checkReveal(commitment, task, secret)
      if (problems.length === 0 && flags.index !== undefined) {
        const { config, split, indices, beacon } = commitment
        return printJson(
          this,
          proveItem({ task, config: task.configure(config), split, indices, beacon, secret }, flags.index),
        )
      }
    }
    if (flags.announced !== undefined)
      problems = [
        ...problems,
        ...checkAnnounced(parseAnnouncement(await textOf(flags.announced), flags.announced), commitment),
      ]
    if (problems.length > 0) this.process.exitCode = exits.failed
    if (flags.json)
      return printJson(this, {
        schema: 'touchstone/reveal/1',
        root: commitment.root,
        mismatches: problems.length,
        problems,
      })
    print(
      this,
      ...problems,
      `${path}: ${problems.length === 0 ? 'opened, all as committed' : 'NOT what was committed'}`,
    )
  },
})

const textOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read`)
  })

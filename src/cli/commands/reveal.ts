import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { labOf } from '../lab.ts'
import { wholeFrom0 } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

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
      index: { kind: 'parsed', parse: wholeFrom0(0), optional: true, brief: 'Open only this index' },
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
    const path = where.endsWith('.json') ? where : join(where, 'commitment.json')
    const lab = await labOf(flags, path)
    const { secret, index, proof, announced } = flags
    const kept = secret === undefined ? {} : { secret }
    if (index !== undefined && proof === undefined) return printJson(this, await lab.prove(path, index, kept))
    const found = await lab.reveal(path, {
      ...kept,
      ...(proof === undefined ? {} : { proof }),
      ...(announced === undefined ? {} : { announced }),
    })
    if (found.mismatches > 0) this.process.exitCode = exits.failed
    if (flags.json) return printJson(this, found)
    print(
      this,
      ...found.problems,
      `${path}: ${found.mismatches === 0 ? 'opened, all as committed' : 'NOT what was committed'}`,
    )
  },
})

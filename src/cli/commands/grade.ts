import { createReadStream } from 'node:fs'
import { buildCommand } from '@stricli/core'
import { withoutMark } from '../../core/lines.ts'
import { printableJson } from '../../core/text.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { labOf } from '../lab.ts'
import { note, written } from '../output.ts'
import { pluginFlag, text } from '../words.ts'

interface Flags {
  readonly secret: string
  readonly plainSeeds: boolean
  readonly parser: string
  readonly plugin?: readonly string[]
}

export const grade = buildCommand<Flags, [string?], Context>({
  docs: {
    brief: 'Read and grade answers that come as JSON lines, without a run',
    fullDescription:
      'Reads lines {task, preset | config, split, seed, index, text} or {token, text} from a file or standard input, and writes a line ' +
      'for each: status, reward, scores by parser, prediction, subscores. A line that could not be scored has the reward null; then the exit code is 1.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'The file; left out or -: standard input', parse: text, placeholder: 'file', optional: true },
      ],
    },
    flags: {
      secret: {
        kind: 'parsed',
        parse: text,
        default: 'TOUCHSTONE_SECRET',
        brief: 'The environment variable with the secret of the server that made the tokens',
      },
      plainSeeds: { kind: 'boolean', default: false, brief: 'The server that made the tokens takes plain seeds' },
      parser: { kind: 'parsed', parse: text, default: 'strict', brief: 'Whose reading is the reward' },
      plugin: pluginFlag,
    },
  },
  async func(flags, file = '-') {
    const { explained, readLines } = await import('../../store/index.ts')
    const lab = await labOf(flags)
    const { stdin, stdout, env } = this.process
    const secret = env[flags.secret]
    const stream = file === '-' ? stdin.setEncoding('utf8') : createReadStream(file, { encoding: 'utf8' })
    const lines = readLines(withoutMark(stream as AsyncIterable<string>), file)
    const { parser, plainSeeds } = flags
    let total = 0
    let judged = 0
    await explained(file, async () => {
      for await (const batch of lab.grade(lines, {
        parser,
        rawSeeds: plainSeeds,
        ...(secret === undefined ? {} : { secret }),
      })) {
        total += batch.length
        judged += batch.filter(({ error }) => error === null).length
        const out = batch.map((line) => `${JSON.stringify(line)}\n`).join('')
        await written(stdout, printableJson(out))
      }
    })
    if (judged < total) {
      note(this, `${total - judged} of ${total} lines could not be judged: their "error" says why`)
      this.process.exitCode = exits.failed
    }
  },
})

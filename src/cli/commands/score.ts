import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../../core/defined.ts'
import { withoutMark } from '../../core/lines.ts'
import { printableJson } from '../../core/text.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import { explained, readLines } from '../../store/index.ts'
import type { FlagsOf, scoreFlags } from '../command-flags.ts'
import { labOf, labOfTasks } from '../lab.ts'
import { type Context, exits, plural, print, printError, printJson, writeWithBackpressure } from '../output.ts'
import { progress } from '../progress.ts'

type Flags = FlagsOf<typeof scoreFlags>

export default async function score(context: Context, flags: Flags, path = '-'): Promise<void> {
  if (path === '-' || !existsSync(join(path, 'run.json'))) return scoreLines(context, flags, path)
  rejectOptions(flags, ['parser', 'secretEnv', 'rawSeeds'], `only for lines, and ${path} is a run`)
  const { reparse, judgements, labels } = flags
  const lab = await labOfTasks(flags)
  const bar = progress(context, 'score', 'responses')
  const result = await lab
    .score(path, { ...defined({ reparse, judgements, labels }), onProgress: bar.update })
    .finally(bar.end)
  if (flags.json) return printJson(context, result)
  if (result.reparsed !== undefined)
    print(context, `${path}: ${plural(result.reparsed, 'response')} parsed from ${result.bodies} unparsed bodies`)
  print(context, `${path}: ${plural(result.responses, 'response')} scored, ${result.changed} changed`)
}

async function scoreLines(context: Context, flags: Flags, file: string): Promise<void> {
  rejectOptions(flags, ['reparse', 'judgements', 'labels', 'json'], 'only for runs')
  const { parser, rawSeeds, secretEnv = 'TOUCHSTONE_SECRET' } = flags
  const lab = await labOf(flags)
  const { stdin, stdout, env } = context.process
  const stream = file === '-' ? stdin.setEncoding('utf8') : createReadStream(file, { encoding: 'utf8' })
  const lines = readLines(withoutMark(stream as AsyncIterable<string>), file)
  let total = 0
  let scored = 0
  await explained(file, async () => {
    for await (const batch of lab.grade(lines, { parser, rawSeeds, secret: env[secretEnv] })) {
      total += batch.length
      scored += batch.filter(({ error }) => error === null).length
      const out = batch.map((line) => `${JSON.stringify(line)}\n`).join('')
      await writeWithBackpressure(stdout, printableJson(out))
    }
  })
  if (scored === total) return
  printError(context, `${total - scored} of ${total} lines could not be scored; "error" says why`)
  context.process.exitCode = exits.failed
}

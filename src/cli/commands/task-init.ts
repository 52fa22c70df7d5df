import type { FlagsOf, taskInitFlags } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { type Context, print, printJson } from '../output.ts'

export default async function taskInit(
  context: Context,
  { out, json }: FlagsOf<typeof taskInitFlags>,
  name: string,
): Promise<void> {
  const started = await (await labOf({})).initTask(name, out)
  if (json) return printJson(context, started)
  const { task, folder, files } = started
  print(
    context,
    `${folder}: ${files.join(', ')}`,
    '',
    `next: touchstone task check ${task} --plugin ${folder}/task.js`,
    `      touchstone show ${task} --plugin ${folder}/task.js --preset easy --index 0`,
  )
}

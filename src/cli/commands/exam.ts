import type { ExamRequest, Lab } from '../../lab/index.ts'
import type { examFlags, examProveFlags, examRevealFlags, examSealFlags, FlagsOf } from '../command-flags.ts'
import { specFromFlags } from '../configuration.ts'
import { labOf, labOfTasks } from '../lab.ts'
import { type Context, exits, plural, print, printJson } from '../output.ts'

type ExamFlags = FlagsOf<typeof examFlags>

async function examOf(flags: ExamFlags, task: string): Promise<{ readonly lab: Lab; readonly exam: ExamRequest }> {
  const { json: _, plugins, preset, config, set, ...options } = flags
  const lab = await labOf({ plugins })
  return { lab, exam: { ...options, task, ...(await specFromFlags(lab.task(task), { preset, config, set })) } }
}

export async function commitExam(context: Context, flags: ExamFlags, task: string): Promise<void> {
  const { lab, exam } = await examOf(flags, task)
  const { open, kept, document } = await lab.commitExam(exam)
  if (flags.json) return printJson(context, document)
  print(context, `publish ${open}`, `keep ${kept}`, `commitment ${document.commitment}`, `root ${document.root}`)
}

export async function announceExam(context: Context, flags: ExamFlags, task: string): Promise<void> {
  const { lab, exam } = await examOf(flags, task)
  const { open, kept, document } = await lab.announceExam(exam)
  if (flags.json) return printJson(context, document)
  print(
    context,
    `publish ${open}`,
    `keep ${kept}`,
    `commitment ${document.commitment}`,
    `when the value of ${flags.beacon} is known: touchstone exam commit ... --secret ${kept} --beacon ${flags.beacon}:VALUE`,
  )
}

export async function revealExam(
  context: Context,
  { json, plugins, ...options }: FlagsOf<typeof examRevealFlags>,
  commitment: string,
): Promise<void> {
  const found = await (await labOf({ plugins }, commitment)).revealExam(commitment, options)
  if (found.mismatches > 0) context.process.exitCode = exits.failed
  if (json) return printJson(context, found)
  const result = found.mismatches === 0 ? 'equal to the commitment' : 'DIFFERS from the commitment'
  print(context, ...found.problems, `${commitment}: ${result}`)
}

export async function proveExamItem(
  context: Context,
  { plugins, index, ...options }: FlagsOf<typeof examProveFlags>,
  commitment: string,
): Promise<void> {
  printJson(context, await (await labOf({ plugins }, commitment)).proveExamItem(commitment, index, options))
}

export async function sealRun(
  context: Context,
  { json, plugins, ...request }: FlagsOf<typeof examSealFlags>,
  run: string,
): Promise<void> {
  const { out: path, signature, seal } = await (await labOfTasks({ plugins })).seal(run, request)
  const { schema, id, summary, items, calls } = seal
  if (json) return printJson(context, { schema, out: path, signature, id, summary })
  const counts = `${plural(items.length, 'item')}, ${plural(calls.length, 'call')}`
  const signed =
    signature === null
      ? `not signed. With a key of ssh: ssh-keygen -Y sign -n touchstone-seal -f KEY ${path}`
      : `signed: ${signature}`
  print(context, `${path}: ${counts}`, `id ${id}`, signed, `next: touchstone verify ${path}`)
}

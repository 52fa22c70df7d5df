import { join } from 'node:path'
import {
  type ChangedPlugin,
  changedPlugins,
  describeChangedPlugins,
  type PluginRecord,
  requireSamePlugins,
  type Task,
  UsageError,
} from '../core/index.ts'
import { hashPrompts, PROMPTS_MARK } from './prompt-hash.ts'
import { RUN_FILES, type Run } from './run.ts'
import { writeRunFile } from './run-file.ts'
import { spreadOver } from './spread-over.ts'

/** Items of a source that are made anew before another plugin grades its responses. */
const LOOKED = 32

/**
 * Lets plugins grade a run that have changed since it was made, where their authors say so by a higher `scorer` of each task:
 * run.json names the new content from then on, and keeps the old one beside it.
 *
 * @param tasksOf - the tasks that a plugin at hand brings.
 * @throws UsageError where a plugin is missing, no scorer was raised, or other items or prompts are made under the same version.
 */
export async function takeChangedScorers(run: Run, tasksOf: (plugin: PluginRecord) => readonly Task[]): Promise<void> {
  const { plugins: made = [] } = run.file
  const here = run.context.plugins ?? []
  const changed = changedPlugins(made, here)
  if (changed.length === 0) return
  for (const one of changed) {
    if (one.here === null) return requireSamePlugins(made, here, 'this command')
    const asked = tasksOf(one.here).filter(({ name }) => run.file.sources.some(({ task }) => task === name))
    if (asked.length === 0) return requireSamePlugins(made, here, 'this command')
    for (const task of asked) rejectSameScorer(run, task, one)
  }
  for (const number of run.file.sources.keys()) rejectOtherItems(run, number)
  await rejectOtherPrompts(run)
  const replaced = new Map(changed.map((one) => [one.made, one.here ?? one.made]))
  const file = {
    ...run.file,
    plugins: made.map((plugin) => replaced.get(plugin) ?? plugin),
    pluginsBefore: [...(run.file.pluginsBefore ?? []), ...replaced.keys()],
  }
  await writeRunFile(join(run.dir, RUN_FILES.run), file, run.redact.shapes)
}

function rejectSameScorer({ ledger }: Run, { name, scorerVersion: scorer }: Task, changed: ChangedPlugin): void {
  const [row] = ledger.query(
    'SELECT MAX(s.scorer) AS newest FROM score s JOIN cell c ON c.id = s.cell JOIN item i ON i.id = c.item WHERE i.task = ?',
    name,
  )
  const newest = row?.['newest'] ?? null
  if (newest === null || scorer > Number(newest)) return
  throw new UsageError(
    `${describeChangedPlugins(changed, 'the run', 'this command')}. Responses are graded by another plugin only where its author says that it grades ` +
      `otherwise: raise scorer of ${name} above ${newest} (it is ${scorer}), or name the same plugin with --plugin`,
  )
}

/** A plugin that draws or asks otherwise may not grade what was drawn and asked before, whatever its scorer says. */
function rejectOtherItems(run: Run, number: number): void {
  const source = run.file.sources[number]
  if (source?.kind !== 'generated' || run.sources.scorer(number).version !== source.version) return
  const [row] = run.ledger.query('SELECT MIN(ord) AS first, MAX(ord) AS last FROM item WHERE source = ?', number)
  if (row === undefined || row['first'] === null) return
  const [first, last] = [Number(row['first']), Number(row['last'])]
  const items = run.sources.source(number)
  for (const at of spreadOver(last - first + 1, LOOKED)) {
    const [item] = run.ledger.query('SELECT idx, leaf FROM item WHERE source = ? AND ord = ?', number, first + at)
    if (item === undefined || items?.item(Number(item['idx'])).hash === item['leaf']) continue
    throw new UsageError(
      `the plugin at hand makes another item ${item['idx']} of ${source.task} than the run was asked: raise its version, and begin another run`,
    )
  }
}

async function rejectOtherPrompts(run: Run): Promise<void> {
  const planned = await run.ledger.meta(PROMPTS_MARK)
  const { sources } = run.file
  const known = sources.every((source, number) => {
    const { version, promptVersion: wording } = run.sources.scorer(number)
    return source.kind === 'generated' && version === source.version && wording === source.wording
  })
  if (planned === null || !known || (await hashPrompts(run)) === planned) return
  throw new UsageError(
    'the plugin at hand puts items of the run into other words than they were asked in: raise its wording, and begin another run',
  )
}

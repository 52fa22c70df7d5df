import { join } from 'node:path'
import {
  type ChangedPlugin,
  changedPlugins,
  describeChangedPlugins,
  type PluginRecord,
  requireSamePlugins,
  type Task,
  UsageError,
} from '../../core/index.ts'
import { RUN_FILES, type Run } from '../folder/run.ts'
import { writeRunFile } from '../folder/run-file.ts'
import { hashPrompts, PROMPTS_KEY } from '../plan/prompts.ts'
import { evenlySpaced } from '../plan/subsample.ts'

/** Items of a source that are regenerated before another plugin scores its responses. */
const LOOKED = 32

/**
 * Lets plugins score a run that have changed since it was made, if their authors raised the `scorer` of each task: run.json
 * names the new content from then on, and the old one as previous.
 *
 * @param tasksOf - the tasks of an installed plugin.
 * @throws UsageError if a plugin is missing, a scorer was not raised, or items or prompts differ under the same version
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
    for (const task of asked) refuseSameScorer(run, task, one)
  }
  for (const number of run.file.sources.keys()) refuseOtherItems(run, number)
  await refuseOtherPrompts(run)
  const replaced = new Map(changed.map((one) => [one.made, one.here ?? one.made]))
  const file = {
    ...run.file,
    plugins: made.map((plugin) => replaced.get(plugin) ?? plugin),
    previousPlugins: [...(run.file.previousPlugins ?? []), ...replaced.keys()],
  }
  await writeRunFile(join(run.dir, RUN_FILES.run), file, run.redact.shapes)
}

function refuseSameScorer({ ledger }: Run, { name, scorerVersion: scorer }: Task, changed: ChangedPlugin): void {
  const [row] = ledger.query(
    'SELECT MAX(s.scorer) AS newest FROM score s JOIN call c ON c.id = s.call JOIN item i ON i.id = c.item WHERE i.task = ?',
    name,
  )
  const newest = row?.['newest'] ?? null
  if (newest === null || scorer > Number(newest)) return
  throw new UsageError(
    `${describeChangedPlugins(changed, 'the run', 'this command')}. Responses are graded by another plugin only where its author says that it grades ` +
      `otherwise: raise scorer of ${name} above ${newest} (it is ${scorer}), or name the same plugin with --plugin`,
  )
}

/** A plugin that generates other items may not score earlier responses, whatever its scorer. */
function refuseOtherItems(run: Run, number: number): void {
  const source = run.file.sources[number]
  if (source?.kind !== 'generated' || run.sources.scorer(number).version !== source.version) return
  const [row] = run.ledger.query(
    'SELECT MIN(position) AS first, MAX(position) AS last FROM item WHERE source = ?',
    number,
  )
  if (row === undefined || row['first'] === null) return
  const [first, last] = [Number(row['first']), Number(row['last'])]
  const items = run.sources.source(number)
  for (const at of evenlySpaced(last - first + 1, LOOKED)) {
    const [item] = run.ledger.query(
      'SELECT item_index, item_hash FROM item WHERE source = ? AND position = ?',
      number,
      first + at,
    )
    if (item === undefined || items?.item(Number(item['item_index'])).hash === item['item_hash']) continue
    throw new UsageError(
      `the installed plugin generates a different item ${item['item_index']} of ${source.task} than the run was asked: raise its version, and begin another run`,
    )
  }
}

async function refuseOtherPrompts(run: Run): Promise<void> {
  const planned = await run.ledger.meta(PROMPTS_KEY)
  const { sources } = run.file
  const known = sources.every((source, number) => {
    const { version, promptVersion } = run.sources.scorer(number)
    return source.kind === 'generated' && version === source.version && promptVersion === source.promptVersion
  })
  if (planned === null || !known || (await hashPrompts(run)) === planned) return
  throw new UsageError(
    'the installed plugin words the prompts of this run differently. Raise its promptVersion and start a new run',
  )
}

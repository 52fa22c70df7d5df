import { canonicalConfig, isUsageError, type Json, type Source, type Task } from '../../core/index.ts'
import { featureSchema } from '../columns.ts'
import type { Manifest, Shard } from '../manifest.ts'
import type { Problems } from './problems.ts'

/** Does the manifest say of the task what the task says itself? Needs nothing made anew. */
export function checkManifest(manifest: Manifest, task: Task, problems: Problems): void {
  const wrong = (what: string, said: Json, is: Json): void =>
    problems.whole('manifest', `the manifest says ${what} ${brief(said)}; of ${task.name} it is ${brief(is)}`)
  const same = (what: string, said: Json, is: Json): void => {
    if (canonicalConfig(said) !== canonicalConfig(is)) wrong(what, said, is)
  }
  checkPreset(manifest, task, problems)
  same('salted', manifest.salted, !('text' in manifest.seed))
  same('features', manifest.features, featureSchema(task))
  same(
    'partition',
    manifest.partition,
    task.partition === undefined ? null : { domain: task.partition.domain, keyVersion: task.partition.keyVersion },
  )
  same('scorerVersion', manifest.scorerVersion, task.scorerVersion)
  if (manifest.prompts !== null) {
    same('promptVersion', manifest.prompts.promptVersion, task.promptVersion)
    if (!task.styles.includes(manifest.prompts.style))
      problems.whole(
        'prompts',
        `the style ${manifest.prompts.style} is none of ${task.name}: ${task.styles.join(', ')}`,
      )
  }
  if (manifest.prompts === null && manifest.shards.some(({ kind }) => kind === 'prompts'))
    problems.whole('prompts', 'the set has files of prompts, but the manifest says nothing of prompts')
  checkShards(manifest, problems)
}

/** What the manifest says that only the set made anew can tell. */
export function checkLayout(manifest: Manifest, source: Source, problems: Problems): void {
  if (manifest.groups.layout !== source.layout.layout)
    problems.whole(
      'groups',
      `the manifest says groups lie ${manifest.groups.layout}, made anew ${source.layout.layout}`,
    )
  const { size } = source.layout
  if (size !== null && manifest.first + manifest.indices > size)
    problems.whole(
      'order',
      `the manifest says indices ${manifest.first} to ${manifest.first + manifest.indices - 1}, the config has ${size}`,
    )
}

function checkPreset({ preset, config }: Manifest, task: Task, problems: Problems): void {
  if (preset === null) return
  try {
    const named = task.preset(preset)
    if (named.name !== preset)
      problems.whole('manifest', `the preset is called ${named.name}, the manifest says ${preset}`)
    else if (canonicalConfig(named.config) !== canonicalConfig(task.configure(config)))
      problems.whole('manifest', `the config is not that of the preset ${preset}: the set is not what its name says`)
  } catch (error) {
    if (!isUsageError(error)) throw error
    problems.whole('manifest', `${error.message}; the manifest says it is of the preset ${preset}`)
  }
}

/** Files are cut and called as the writer cuts and calls them, and hold as many rows as the manifest says there are. */
function checkShards({ shards, first, indices, groups, count, empty: holes }: Manifest, problems: Problems): void {
  const rows: { [kind in Shard['kind']]: number } = { items: 0, groups: 0, prompts: 0 }
  const files: { [kind in Shard['kind']]: number } = { items: 0, groups: 0, prompts: 0 }
  const formats = new Set<string>()
  for (const { file, kind, first: at, count: own } of shards) {
    const [name, format = ''] = file.split('.')
    formats.add(format)
    if (name !== `${kind}-${String(files[kind]).padStart(5, '0')}`)
      problems.whole('manifest', `the manifest calls ${file} file ${files[kind]} of the ${kind}`)
    if (at !== (kind === 'items' ? first : 0) + rows[kind])
      problems.whole('manifest', `the manifest says ${file} begins at ${at}, the file before it ends elsewhere`)
    rows[kind] += own
    files[kind]++
  }
  if (formats.size > 1) problems.whole('manifest', `the files are of several formats: ${[...formats].join(', ')}`)
  for (const [what, said, is] of [
    ['indices', indices, rows.items],
    ['items and holes', count + holes.proved + holes.notFound, indices],
    ['groups', groups.count, rows.groups],
  ] as const)
    if (said !== is) problems.whole('manifest', `the manifest says there are ${said} ${what}, and elsewhere ${is}`)
}

function brief(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

import type { DeclaredShortcut, Item, Source, Task } from '../core/index.ts'
import type { Audit } from './audit/report.ts'
import type { Manifest } from './manifest.ts'
import { validityOf } from './validity.ts'

/** The dataset card, `README.md`, in the Hugging Face layout. */
export function datasetCard(task: Task, source: Source, manifest: Omit<Manifest, 'files'>, audit?: Audit): string {
  const { empty } = manifest
  const asGiven = task.asGiven !== undefined
  const skipped = task.skipped?.(source.config)
  const lines = [
    '---',
    // Whoever wrote the questions says how they may be used.
    ...(asGiven ? [] : ['license: mit']),
    `pretty_name: ${JSON.stringify(`${task.name} ${manifest.preset ?? 'custom'} (${manifest.split})`)}`,
    `tags: [touchstone, ${asGiven ? '' : 'procedural, '}evaluation]`,
    `size_categories: [${sizeCategory(manifest.count)}]`,
    'configs:',
    ...configs(manifest),
    '---',
    '',
    `# ${task.name}${manifest.preset === null ? '' : ` · ${manifest.preset}`} · ${manifest.split}`,
    '',
    task.summary,
    '',
    `Version ${manifest.version} of the task, split \`${manifest.split}\`. ${manifest.indices} indices, ${manifest.count} items, ` +
      `${empty.proved + empty.notFound} empty indices (${empty.proved} proved empty, ${empty.notFound} not found), ${manifest.groups.count} groups.`,
    '',
    ...(skipped == null ? [] : [`Rows that cannot be asked: ${skipped.text}.`, '']),
    `Root \`${manifest.root}\`. \`touchstone verify\` on this folder regenerates every item and compares.`,
    '',
    ...example(task, source),
    '## Strata',
    '',
    ...strata(manifest),
    '## Declared shortcuts',
    '',
    ...declared(task.declaredShortcuts?.(source.config) ?? []),
    '## Audit',
    '',
    ...(audit === undefined ? ['Not audited. Run: touchstone audit FOLDER'] : auditLines(audit)),
    '',
    '## Validity',
    '',
    '| topic | question | answer |',
    '| --- | --- | --- |',
    ...validityOf(task, manifest, audit).map(
      ({ topic, question, answer }) => `| ${topic} | ${question} | ${answer ?? '_for a person to say_'} |`,
    ),
    '',
    '## Columns',
    '',
    ...featureLines(task),
    '',
  ]
  return lines.join('\n')
}

/** File kinds as configurations for `load_dataset(FOLDER, 'items')`. */
function configs({ shards, split }: Pick<Manifest, 'shards' | 'split'>): string[] {
  const kinds = (['items', 'groups', 'prompts'] as const).filter((kind) => shards.some((shard) => shard.kind === kind))
  const ending = shards[0]?.file.split('.')[1] ?? 'parquet'
  return kinds.flatMap((kind) => [
    `- config_name: ${kind}`,
    ...(kind === 'items' ? ['  default: true'] : []),
    '  data_files:',
    // Split names must be words.
    `  - split: ${JSON.stringify(split.replaceAll(/\W/gu, '_'))}`,
    `    path: "${kind}-*.${ending}"`,
  ])
}

function sizeCategory(count: number): string {
  const steps = [1e3, 1e4, 1e5, 1e6]
  const names = ['n<1K', '1K<n<10K', '10K<n<100K', '100K<n<1M', 'n>1M']
  return names[steps.filter((step) => count >= step).length] as string
}

function example(task: Task, source: Source): string[] {
  const item = firstItem(source)
  if (item === null) return []
  const style = task.styles[0]
  const request = source.request(item, style)
  const text =
    request.kind === 'chat'
      ? request.messages.map((message) => `[${message.role}]\n${message.content}`).join('\n\n')
      : `${request.context}⟨${request.text}⟩`
  const fence = text.includes('```') ? '````' : '```'
  return [
    `## Example (\`${item.id}\`, style \`${style}\`)`,
    '',
    `${fence}text`,
    shorten(text, 4000),
    fence,
    '',
    `Answer: \`${shorten(JSON.stringify(item.answer), 400)}\``,
    '',
  ]
}

function firstItem(source: Source): Item | null {
  const limit = Math.min(200, source.layout.size ?? 200)
  for (let index = 0; index < limit; index++) {
    const item = source.item(index)
    if (item.kind === 'item') return item
  }
  return null
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length / 2)}\n[...]\n${text.slice(-length / 2)}`

function strata(manifest: Pick<Manifest, 'strata'>): string[] {
  const { factors, filled, empty, notFound } = manifest.strata
  const rows = filled
    .slice(0, 40)
    .map(({ levels, count }) => `| ${levels.map((level) => String(level)).join(' | ')} | ${count} |`)
  return [
    `${filled.length} strata have items, ${empty.length} have proved empty indices, ${notFound.length} have indices without a found item (manifest, \`strata\`).`,
    '',
    ...(factors.length === 0
      ? []
      : [
          `| ${factors.join(' | ')} | items |`,
          `|${' --- |'.repeat(factors.length + 1)}`,
          ...rows,
          ...(filled.length > 40 ? [`\n(the first 40 of ${filled.length})`] : []),
          '',
        ]),
  ]
}

function declared(list: readonly DeclaredShortcut[]): string[] {
  if (list.length === 0) return ['None.', '']
  return [
    '| probe | gain above chance | condition | why |',
    '| --- | --- | --- | --- |',
    ...list.map(
      ({ probe, gain, condition = '', why }) => `| ${probe} | ${gain[0]} to ${gain[1]} | ${condition} | ${why} |`,
    ),
    '',
  ]
}

function auditLines(audit: Audit): string[] {
  const found = audit.tests.filter(
    (test) => test.status === 'declared' || test.status === 'fail' || test.status === 'not-found',
  )
  return [
    ...audit.verdict.flatMap((sentence) => [`* ${sentence}`]),
    `* ${audit.testCount} probes decide, false-alarm rate ${audit.alpha}.`,
    '',
    ...(found.length === 0
      ? []
      : [
          '| probe | status | measured gain | 99 % interval |',
          '| --- | --- | --- | --- |',
          ...found.map(
            (test) =>
              `| ${test.probe} | ${test.status} | ${test.gain.toFixed(4)} | ${test.ci[0].toFixed(4)} to ${test.ci[1].toFixed(4)} |`,
          ),
        ]),
  ]
}

function featureLines(task: Task): string[] {
  return Object.entries(task.features.shape).map(([name, schema]) => {
    const meta = (
      schema as { meta?: () => { description?: string; role?: string; unit?: string } | undefined }
    ).meta?.()
    const unit = meta?.unit === undefined ? '' : `, ${meta.unit}`
    return `* \`feature_${name}\`${meta?.role === undefined ? '' : ` (${meta.role}${unit})`}: ${meta?.description ?? ''}`
  })
}

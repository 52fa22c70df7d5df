import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { auditDataset, openDataset, verify, writeAudit } from '../../../src/datasets/index.ts'
import { parquetWriter, type Row, readParquet } from '../../../src/store/index.ts'
import necklace from '../../toys/necklace.ts'
import { editRow, make, scratch } from './folders.ts'

/**
 * What a forger does to a set, with all hashes of files, which anybody can make, put right again. Each must be told in
 * words that say what is wrong, without the file hashes' help.
 */

const { fresh } = await scratch()
const good = fresh()
await make(good, { prompts: { style: 'plain', solutions: false } })
const audited = fresh()
await cp(good, audited, { recursive: true })
const dataset = await openDataset(audited)
await writeAudit(dataset, necklace, await auditDataset(dataset, necklace))
const parquet = fresh()
await make(parquet, { format: 'parquet' })

interface Manifest {
  [key: string]: unknown
  shards: { file: string; sha256: string; bytes: number; count: number; kind: string; first: number }[]
  files: { [name: string]: { sha256: string; bytes: number } }
  audit: { sha256: string; status: string } | null
}

const facts = (bytes: Buffer) => ({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })

async function changeManifest(folder: string, change: (manifest: Manifest) => void): Promise<void> {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  change(manifest)
  await writeFile(path, JSON.stringify(manifest))
}

/** Puts the hashes of all files right that the manifest names. */
async function reseal(folder: string): Promise<void> {
  const names = ['items-00000.jsonl', 'groups-00000.jsonl', 'prompts-00000.jsonl', 'items-00000.parquet', 'README.md']
  const found = new Map<string, { bytes: number; sha256: string }>()
  for (const name of [...names, 'items-00001.jsonl', 'audit.json']) {
    const bytes = await readFile(join(folder, name)).catch(() => null)
    if (bytes !== null) found.set(name, facts(bytes))
  }
  await changeManifest(folder, (manifest) => {
    for (const shard of manifest.shards) Object.assign(shard, found.get(shard.file))
    for (const [name, file] of Object.entries(manifest.files)) Object.assign(file, found.get(name))
    if (manifest.audit !== null) manifest.audit.sha256 = found.get('audit.json')?.sha256 ?? ''
  })
}

type Forgery = (folder: string) => Promise<void>

const text =
  (name: string, change: (text: string) => string): Forgery =>
  async (folder) => {
    const path = join(folder, name)
    const before = await readFile(path, 'utf8')
    const after = change(before)
    expect(after).not.toBe(before)
    await writeFile(path, after)
  }
const row = (index: number, edit: (row: { [key: string]: unknown }) => void): Forgery =>
  text('items-00000.jsonl', editRow(index, edit))
const manifest =
  (change: (manifest: Manifest) => void): Forgery =>
  (folder) =>
    changeManifest(folder, change)
const json = (name: string, change: (value: { [key: string]: unknown }) => void): Forgery =>
  text(name, (before) => {
    const value = JSON.parse(before)
    change(value)
    return JSON.stringify(value)
  })

const forgeries: readonly (readonly [what: string, from: string, forge: Forgery, told: RegExp])[] = [
  [
    'a further file of items',
    good,
    (to) => cp(join(to, 'items-00000.jsonl'), join(to, 'items-00001.jsonl')),
    /items-00001\.jsonl is not in the manifest\. Move it/u,
  ],
  [
    'a note with the answers',
    good,
    (to) => writeFile(join(to, 'answers.csv'), 'x'),
    /answers\.csv is not in the manifest/u,
  ],
  ['a hidden file', good, (to) => writeFile(join(to, '.data.jsonl'), 'x'), /\.data\.jsonl is not in/u],
  ['a folder', good, (to) => mkdir(join(to, 'items')).then(() => undefined), /items is not in the manifest/u],
  [
    'a link in place of a file',
    good,
    async (to) => {
      await rename(join(to, 'items-00000.jsonl'), `${to}-away.jsonl`)
      await symlink(`${to}-away.jsonl`, join(to, 'items-00000.jsonl'))
    },
    /items-00000\.jsonl: expected a file, got a link/u,
  ],
  [
    'an audit beside a set that has none',
    good,
    (to) => writeFile(join(to, 'audit.json'), '{"status":"pass"}'),
    /audit\.json is not in the manifest/u,
  ],
  [
    'a further file that the manifest names',
    good,
    async (to) => {
      await cp(join(to, 'items-00000.jsonl'), join(to, 'items-00001.jsonl'))
      await changeManifest(to, ({ shards }) => {
        shards.splice(1, 0, { ...(shards[0] as Manifest['shards'][number]), file: 'items-00001.jsonl', first: 96 })
      })
    },
    /indices: expected 192 by the other counts, got 96/u,
  ],
  ...['items-99999.jsonl', 'audit.json', 'loader.py'].map((name): (typeof forgeries)[number] => [
    `${name}, named beside the card`,
    good,
    async (to) => {
      await writeFile(join(to, name), '{}')
      await changeManifest(to, (one) => {
        one.files[name] = facts(Buffer.from('{}'))
      })
    },
    new RegExp(`${name} is not a file of a dataset`, 'u'),
  ]),
  [
    'a column with the answers',
    good,
    text('items-00000.jsonl', (before) => before.replaceAll('{"id":', '{"solution":true,"id":')),
    /line 1 has columns that this set does not have: solution/u,
  ],
  ['a column in one row', good, row(7, (one) => (one['hint'] = 'yes')), /line 8 has columns.*hint/u],
  [
    'a column in Parquet',
    parquet,
    async (to) => {
      const path = join(to, 'items-00000.parquet')
      const rows: Row[] = []
      for await (const batch of readParquet(path)) rows.push(...batch)
      const columns = Object.keys(rows[0] as Row).map(
        (name) =>
          ({
            name,
            type: ['index', 'group', 'stratum', 'twin', 'feature_length'].includes(name)
              ? 'integer'
              : ['feature_even', 'feature_label'].includes(name)
                ? 'boolean'
                : name === 'feature_share'
                  ? 'number'
                  : 'text',
          }) as const,
      )
      await rm(path)
      const writer = await parquetWriter(path, [...columns, { name: 'solution', type: 'text' }])
      await writer.write(rows.map((one) => ({ ...one, solution: 'yes' })))
      await writer.close()
    },
    /columns that this set does not have, or of another type: solution/u,
  ],
  [
    'a key twice in a row',
    good,
    text('items-00000.jsonl', (before) => before.replace('"answer":', '"answer":null,"answer":')),
    /line 1 is not in the form.*a key is there twice/u,
  ],
  [
    'a key twice inside a column',
    good,
    text('items-00000.jsonl', (before) => before.replace('"given":{', '"given":{"string":"x",')),
    /line 1 is not in the form/u,
  ],
  [
    'a key twice in the manifest',
    good,
    text('manifest.json', (before) => before.replace('{', '{"task":"relic/recognize",')),
    /duplicate key/u,
  ],
  [
    'a key that the manifest does not have',
    good,
    manifest((one) => (one['leaderboard'] = 1)),
    /Unrecognized key.*leaderboard/u,
  ],
  [
    'a key inside the manifest',
    good,
    manifest((one) => Object.assign(one['groups'] as object, { more: 1 })),
    /Unrecognized key.*more/u,
  ],
  [
    'a preset relabelled',
    good,
    manifest((one) => (one['preset'] = 'endless')),
    /the config differs from the preset endless/u,
  ],
  ['a preset that is not there', good, manifest((one) => (one['preset'] = 'hard')), /no preset "hard"/u],
  ['an alias as the preset', good, manifest((one) => (one['preset'] = 'tiny')), /preset: expected the name small/u],
  [
    'the version of the scorer',
    good,
    manifest((one) => (one['scorerVersion'] = 9)),
    /scorerVersion: expected 1 of toy\/necklace, got 9/u,
  ],
  [
    'the version of the wording',
    good,
    manifest((one) => Object.assign(one['prompts'] as object, { promptVersion: 9 })),
    /promptVersion: .* got 9/u,
  ],
  ['the version of the task', good, manifest((one) => (one['version'] = 9)), /of version 9 of toy\/necklace/u],
  [
    'the fence',
    good,
    manifest((one) => (one['partition'] = null)),
    /partition: expected \{.* of toy\/necklace, got null/u,
  ],
  ['the features', good, manifest((one) => (one['features'] = {})), /features: .* got \{\}/u],
  [
    'the layout of groups',
    good,
    manifest((one) => Object.assign(one['groups'] as object, { layout: 'none' })),
    /layout of groups: .* got none/u,
  ],
  ['the split', good, manifest((one) => (one['split'] = 'train')), /expected ".*train/u],
  ['the seed', good, manifest((one) => (one['seed'] = { text: '2' })), /expected/u],
  ['salt that is not there', good, manifest((one) => (one['salted'] = true)), /salted: .* got true/u],
  [
    'more indices than anybody has',
    good,
    manifest((one) => (one['indices'] = Number.MAX_SAFE_INTEGER)),
    /indices: expected 96 .* got 9007199254740991/u,
  ],
  [
    'more indices, and a file that says so too',
    good,
    manifest((one) => {
      one['indices'] = Number.MAX_SAFE_INTEGER
      const [first] = one.shards
      if (first !== undefined) first.count = Number.MAX_SAFE_INTEGER
    }),
    /further rows are missing/u,
  ],
  [
    'a file called otherwise',
    good,
    async (to) => {
      await rename(join(to, 'items-00000.jsonl'), join(to, 'gold.jsonl'))
      await changeManifest(to, ({ shards }) => Object.assign(shards[0] as object, { file: 'gold.jsonl' }))
    },
    /expected items-00000\.jsonl, got gold\.jsonl/u,
  ],
  [
    'a card that boasts',
    good,
    text('README.md', (before) => before.replace('license: mit', 'license: proprietary')),
    /README\.md line 2 differs from the regenerated card/u,
  ],
  [
    'a card that goes on',
    good,
    (to) =>
      readFile(join(to, 'README.md'), 'utf8').then((card) => writeFile(join(to, 'README.md'), `${card}\n<script>`)),
    /README\.md (is longer|line)/u,
  ],
  ['a card that is not named', good, manifest((one) => (one.files = {})), /does not list README\.md/u],
  [
    'an audit that passes',
    audited,
    json('audit.json', (one) => (one['status'] = one['status'] === 'pass' ? 'fail' : 'pass')),
    /audit\.json has the status "(pass|fail)", the manifest/u,
  ],
  [
    'an audit of another set',
    audited,
    json('audit.json', (one) => (one['dataset'] = { root: '0'.repeat(64), count: 66, groups: 3 })),
    /audit\.json is of another dataset/u,
  ],
  [
    'an audit with better numbers',
    audited,
    json('audit.json', (one) => (one['alpha'] = 0.5)),
    /regenerated card|new audit/u,
  ],
  ['an answer', good, row(5, (one) => (one['answer'] = one['answer'] !== true)), /answer: expected .*, got/u],
  [
    'a feature that no hash covers',
    good,
    row(5, (one) => (one['feature_share'] = 0.123)),
    /feature_share: expected .*, got 0\.123/u,
  ],
  [
    'a group that no item is of',
    good,
    async (to) => {
      await text(
        'groups-00000.jsonl',
        (before) => `${before}${before.split('\n')[0]?.replace(/"group":\d+/u, '"group":77')}\n`,
      )(to)
      await changeManifest(to, (one) => {
        const groups = one['groups'] as { count: number }
        groups.count++
        for (const shard of one.shards) if (shard.kind === 'groups') shard.count++
      })
    },
    /group 77 has no item/u,
  ],
  [
    'a prompt',
    good,
    text('prompts-00000.jsonl', (before) => before.replace('side by side', 'side by side (yes)')),
    /the prompt differs from the regenerated one/u,
  ],
  [
    'the answer beside a prompt',
    good,
    text('prompts-00000.jsonl', (before) => before.replace('"answer":"', '"answer":"not ')),
    /the prompt differs from the regenerated one/u,
  ],
  [
    'the style of a prompt',
    good,
    text('prompts-00000.jsonl', (before) => before.replace('"style":"plain"', '"style":"other"')),
    /style other/u,
  ],
]

async function found(folder: string): Promise<readonly string[]> {
  try {
    const { problems } = await verify(await openDataset(folder), necklace, {
      oracles: true,
      audit: true,
      software: { package: 'toy', version: '0.0.0' },
    })
    return problems.map(({ message }) => message)
  } catch (error) {
    return [(error as Error).message]
  }
}

describe('a forged set', () => {
  it('is told from good ones', async () => {
    for (const folder of [good, audited, parquet]) expect(await found(folder)).toEqual([])
  })

  it.each(forgeries)('%s', async (_what, from, forge, told) => {
    const to = fresh()
    await cp(from, to, { recursive: true })
    await forge(to)
    // A key that is there twice would not survive being put right.
    if (told.source !== 'duplicate key') await reseal(to).catch(() => undefined)
    expect(await found(to)).toContainEqual(expect.stringMatching(told))
  })
})

import type { FileTree } from '../../../core/index.ts'

/** The files of one released grammar (specs/relic 7); null: absent. */
export interface GrammarFolder {
  /** Folder path inside the tree, with a slash at the end unless it is the root. */
  readonly path: string
  readonly name: string
  readonly cfg: string | null
  readonly samples: string | null
  /** Fields of the released samples. */
  readonly stats: string | null
  readonly batches: readonly Batch[]
}

export interface Batch {
  readonly id: string
  readonly inputs: string | null
  readonly results: string | null
}

export const samplesFile = 'filtered_samples.csv'
const statsFile = 'filtered_samples_stats.json'

/** Folders that hold a grammar, its samples or its batches, at any depth, by path. */
export async function grammarFolders(files: FileTree): Promise<GrammarFolder[]> {
  const byFolder = new Map<string, string[]>()
  for await (const { path } of files.list()) {
    const cut = path.lastIndexOf('/') + 1
    const folder = path.slice(0, cut)
    const names = byFolder.get(folder) ?? []
    names.push(path.slice(cut))
    byFolder.set(folder, names)
  }
  return [...byFolder]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, names]) => folderOf(path, names))
    .filter((folder) => folder.cfg !== null || folder.samples !== null || folder.batches.length > 0)
}

function folderOf(path: string, names: readonly string[]): GrammarFolder {
  const cfg = names.find((name) => name.endsWith('.cfg')) ?? null
  const batches = new Map<string, { inputs: string | null; results: string | null }>()
  for (const name of names) {
    const match = /^batch_(.+)_(inputs|results)\.jsonl$/.exec(name)
    if (match === null) continue
    const id = match[1] as string
    const batch = batches.get(id) ?? { inputs: null, results: null }
    batches.set(id, match[2] === 'inputs' ? { ...batch, inputs: path + name } : { ...batch, results: path + name })
  }
  const folderName = path.split('/').at(-2) ?? ''
  return {
    path,
    name: cfg === null ? folderName : cfg.slice(0, -'.cfg'.length),
    cfg: cfg === null ? null : path + cfg,
    samples: names.includes(samplesFile) ? path + samplesFile : null,
    stats: names.includes(statsFile) ? path + statsFile : null,
    batches: [...batches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, batch]) => ({ id, ...batch })),
  }
}

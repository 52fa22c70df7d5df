import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { isObject, type Json } from '../../core/index.ts'
import { isDataFile } from '../../datasets/index.ts'

/** Files with the questions of one set, and the name of its task. */
export interface QuestionFiles {
  readonly task: string
  readonly paths: readonly string[]
}

/** A part of a set that is split over several files: `test-00000-of-00002.parquet`. */
const SHARD = /-\d{5}-of-\d{5}$/u
/** Splits of which a folder offers one: questions are asked of what models were not trained on. */
const SPLITS = ['test', 'validation', 'valid', 'val', 'dev', 'train']

const stem = (path: string): string => basename(path, extname(path)).replace(SHARD, '')

/** A mapping whose items name tasks is an experiment, other JSON may be questions. */
function isExperiment(path: string): boolean {
  if (extname(path).toLowerCase() !== '.json') return false
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Json
    const [first = null] = isObject(value) ? [value['items'] ?? null].flat() : []
    return isObject(first) && String(first['task']).includes('/')
  } catch {
    return false
  }
}

/** Do a file, or the files in a folder, hold questions of one's own? Datasets, runs and packages do not. */
export function hasQuestions(path: string): boolean {
  const about = statSync(path, { throwIfNoEntry: false })
  if (about?.isFile() === true) return isDataFile(path) && !isExperiment(path)
  return about?.isDirectory() === true && filesIn(path).length > 0
}

/** Data files of a folder and of those in it, without hidden ones, datasets, runs and packages. */
function filesIn(folder: string): readonly string[] {
  if (['manifest.json', 'run.json', 'package.json'].some((name) => existsSync(join(folder, name)))) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() && isDataFile(path) && !isExperiment(path) ? [path] : []
    })
}

/**
 * The question sets at a path: a file is one; a folder has one for each file, or, where its files are named by their splits as at
 * Hugging Face, one for each folder of it: the test split, else validation, else train.
 */
export function questionFilesAt(path: string): readonly QuestionFiles[] {
  if (statSync(path).isFile()) return [{ task: taskName(stem(path)), paths: [path] }]
  const folders = Map.groupBy(filesIn(path), (file) => file.slice(0, -basename(file).length - 1))
  return [...folders].flatMap(([folder, files]) => {
    const below = folder
      .slice(path.length)
      .split(/[\\/]+/u)
      .filter((part) => part !== '' && part !== 'data')
    const name = [basename(path), ...below].join('-')
    const split = SPLITS.find((one) => files.some((file) => stem(file) === one))
    const ofSplit = split === undefined ? [] : files.filter((file) => stem(file) === split)
    if (ofSplit.length > 0) return [{ task: taskName(name), paths: ofSplit }]
    const sets = Map.groupBy(files, stem)
    return [...sets].map(([one, paths]) => ({ task: taskName([...below, one].join('-')), paths }))
  })
}

/** `questions/name`, of the letters and digits that names of tasks have. */
function taskName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
  return `questions/${slug.slice(0, 50).replace(/-+$/u, '') || 'file'}`
}

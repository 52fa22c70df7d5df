import { importsOf, literal, nodes, type Sources } from './imports.ts'

/** What the files of a layer may import: files of other layers, and packages (`node:` stands for the platform). */
interface Layer {
  readonly layers: readonly string[]
  readonly packages: readonly string[]
}

const libraries = ['grammars', 'rewriting', 'graphs', 'language', 'locality', 'statistics'].map(
  (name) => `libraries/${name}`,
)
const library = (...packages: string[]): Layer => ({ layers: ['core'], packages })
/** The path of every item and call, but for core, libraries and tasks. */
const path = ['models', 'store', 'datasets', 'runner', 'report']
/** What plugs into that path: nothing on it may import them. */
const extras = [
  'adaptive',
  'batches',
  'cache',
  'exchange',
  'postgres',
  'protocols',
  'questions',
  'seals',
  'sequential',
].map((name) => `extras/${name}`)
/** A stopping rule, a way to sample, a cache: a `RunExtension`. */
const runExtension: Layer = {
  layers: ['core', 'libraries/statistics', 'models', 'store', 'runner'],
  packages: ['node:', 'zod'],
}

/** Data flows down this list. Every layer may also import its own files. */
export const layers: { readonly [name: string]: Layer } = {
  core: { layers: [], packages: ['zod', '@noble/hashes'] },
  'libraries/grammars': library('zod'),
  'libraries/rewriting': library('zod'),
  'libraries/graphs': library('zod', 'saxes'),
  'libraries/language': library('zod'),
  'libraries/statistics': library('ml-matrix'),
  'libraries/locality': library(),
  'tasks/*': { layers: ['core', ...libraries], packages: ['zod'] },
  tasks: { layers: ['core', 'tasks/*'], packages: [] },
  /** Contract tests of a task, for whoever writes one. */
  testing: { layers: ['core'], packages: ['zod'] },
  models: {
    layers: ['core', 'libraries/language', 'libraries/statistics', 'libraries/locality'],
    packages: ['node:', 'zod', 'undici'],
  },
  store: {
    layers: ['core'],
    packages: ['node:', 'zod', 'csv-parse', 'hyparquet', 'hyparquet-compressors', 'hyparquet-writer'],
  },
  /** Probes for shortcuts; they also run in browsers. */
  'datasets/audit': { layers: ['core', 'libraries/statistics', 'libraries/locality'], packages: ['zod', 'ml-matrix'] },
  datasets: {
    layers: ['core', 'libraries/language', 'libraries/statistics', 'libraries/locality', 'store', 'datasets/audit'],
    packages: ['node:', 'zod', 'piscina'],
  },
  runner: { layers: ['core', 'libraries/statistics', 'models', 'store'], packages: ['node:', 'zod', 'yaml'] },
  report: {
    layers: ['core', 'libraries/statistics', 'store'],
    packages: ['node:', '@observablehq/plot', '@resvg/resvg-js'],
  },
  'extras/adaptive': runExtension,
  'extras/batches': runExtension,
  'extras/cache': runExtension,
  'extras/sequential': runExtension,
  'extras/postgres': { layers: ['core', 'store'], packages: ['node:', 'postgres', 'zod'] },
  /** Seals, and checks of runs against them. */
  'extras/seals': { layers: ['core', 'store', 'runner'], packages: ['node:', 'zod'] },
  'extras/protocols': { layers: ['core', 'runner'], packages: ['node:', 'zod', 'hono', '@hono/node-server', 'ws'] },
  'extras/exchange': {
    layers: ['core', 'libraries/statistics', 'models', 'datasets', 'runner', 'store'],
    packages: ['node:', 'zod', 'yauzl', 'yazl'],
  },
  /** Files of questions as tasks. */
  'extras/questions': {
    layers: ['core', 'libraries/language', 'datasets'],
    packages: ['node:', 'zod', 're2js'],
  },
  lab: {
    layers: ['core', ...libraries, 'tasks', 'testing', ...path, ...extras, 'package.json'],
    packages: ['node:', 'zod', 'piscina'],
  },
  cli: {
    layers: ['core', ...libraries, 'tasks', ...path, ...extras, 'lab', 'view/server'],
    packages: ['node:', 'zod'],
  },
  /** What the server of the view and its pages say to one another. */
  'view/api': { layers: ['core'], packages: ['zod'] },
  'view/server': {
    layers: ['core', 'libraries/statistics', ...path, ...extras, 'lab', 'view/api'],
    packages: ['node:', 'hono', '@hono/node-server'],
  },
  /** Pages: they run in browsers. */
  'view/client': {
    layers: [
      'core',
      'libraries/statistics',
      'libraries/rewriting',
      'libraries/language',
      'tasks',
      'datasets/audit',
      'view/api',
    ],
    packages: ['preact', '@observablehq/plot', '@dagrejs/dagre', 'zod'],
  },
  public: { layers: ['core', ...libraries, 'tasks', ...path, ...extras, 'lab', 'view/server'], packages: [] },
  /** Entry points that need no Node: `src/public/`. */
  portable: { layers: ['core', ...libraries, 'testing'], packages: [] },
}
/**
 * Most lines of TypeScript that a room may have. Who needs more simplifies first; what must grow all the same raises its
 * line here, with the reason in the decision page of that room.
 */
export const budgets: { readonly [room: string]: number } = {
  cli: 4_050,
  core: 4_450,
  datasets: 7_850,
  'extras/adaptive': 650,
  'extras/batches': 1_100,
  'extras/cache': 350,
  'extras/exchange': 2_600,
  'extras/postgres': 1_350,
  'extras/protocols': 2_500,
  'extras/questions': 1_100,
  'extras/seals': 1_150,
  'extras/sequential': 350,
  lab: 5_600,
  'libraries/grammars': 9_700,
  'libraries/graphs': 950,
  'libraries/language': 2_000,
  'libraries/locality': 950,
  'libraries/rewriting': 1_350,
  'libraries/statistics': 7_500,
  models: 6_900,
  public: 200,
  report: 7_900,
  runner: 7_400,
  store: 5_250,
  tasks: 50,
  'tasks/clutrr': 1_650,
  'tasks/pbebench': 11_850,
  'tasks/proficiency': 7_250,
  'tasks/recoglab': 9_700,
  'tasks/relic': 12_500,
  'tasks/slr-bench': 2_750,
  testing: 950,
  view: 15_250,
}
/** The room of a file: a family, a library, an extra, or a folder of `src`; null: a file beside the rooms. */
export const roomOf = (path: string): string | null =>
  /^src\/((?:tasks|libraries|extras)\/[^/.]+|[^/.]+)\//u.exec(path)?.[1] ?? null

/** Here names may be computed: plugins, and backends that a user has installed apart. */
const computed = ['lab', 'models']
/** Where all families are listed. */
const TABLES: readonly string[] = ['src/tasks/index.ts', 'src/tasks/by-name.ts']

export function layerOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] !== 'src') return path
  if (parts.length === 2) return ['index.ts', 'node.ts'].includes(parts[1] ?? '') ? 'public' : path
  if (parts[1] === 'public') return 'portable'
  if (parts[1] === 'tasks') return TABLES.includes(path) ? 'tasks' : `tasks/${parts[2]}`
  if (['view', 'libraries', 'extras'].includes(parts[1] ?? '')) return `${parts[1]}/${parts[2]}`
  if (parts[1] === 'datasets' && parts[2] === 'audit') return 'datasets/audit'
  return parts[1] as string
}
const ruleOf = (layer: string): string => (layer.startsWith('tasks/') ? 'tasks/*' : layer)

const permits = (pattern: string, specifier: string): boolean =>
  pattern.endsWith(':') || pattern.endsWith('*')
    ? specifier.startsWith(pattern.replace('*', ''))
    : specifier === pattern || specifier.startsWith(`${pattern}/`)

/** One sentence for every import that goes against the arrows. */
export function wrongImports(sources: Sources): string[] {
  const wrong: string[] = []
  for (const [from, text] of sources) {
    const layer = layerOf(from)
    const rule = layers[ruleOf(layer)]
    if (rule === undefined) {
      wrong.push(`${from} lies in no known layer`)
      continue
    }
    for (const { specifier, file } of importsOf(from, text)) {
      if (specifier === undefined) {
        if (!computed.includes(layer)) wrong.push(`${from} imports a computed name`)
      } else if (file === undefined) {
        if (!rule.packages.some((pattern) => permits(pattern, specifier))) wrong.push(`${from} imports ${specifier}`)
      } else {
        const target = layerOf(file)
        if (target !== layer && !rule.layers.includes(ruleOf(target))) wrong.push(`${from} imports ${file}`)
      }
    }
  }
  return wrong
}

export interface Names {
  /** A family's name. */
  readonly family: string
  /** Full names of its tasks: `family/task`. */
  readonly tasks: readonly string[]
}

/**
 * One sentence for every file outside a family's folder that names one of its tasks, in code or comment, or that
 * has the family's name as a value, a key or a variable.
 */
export function namedTasks(sources: Sources, families: readonly Names[]): string[] {
  const wrong: string[] = []
  for (const [path, text] of sources) {
    if (TABLES.includes(path)) continue
    const foreign = families.filter(({ family }) => !path.startsWith(`src/tasks/${family}/`))
    for (const task of foreign.flatMap(({ tasks }) => tasks)) {
      if (new RegExp(`\\b${task}\\b`).test(text)) wrong.push(`${path} names the task ${task}`)
    }
    const names = new Set(foreign.map(({ family }) => family))
    // Most files have none of these words anywhere, and need no syntax tree.
    for (const node of [...names].some((name) => text.includes(name)) ? nodes(path, text) : []) {
      const name = node.type === 'Identifier' ? node['name'] : literal(node)
      if (typeof name === 'string' && names.has(name)) wrong.push(`${path} names the family ${name}`)
    }
  }
  return wrong
}

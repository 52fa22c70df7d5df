import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { compileIn, type Numbered } from './compile.ts'
import { type Case, casesOf, prepare, putAway, runCase } from './suite.ts'

/**
 * A process that holds test files in memory, with mutants compiled into the sources that they ask. The parent sends what
 * to do, one at a time, and is told what came of it. Where a test takes too much of the processor the process ends itself.
 */
export type Order =
  | { readonly do: 'open'; readonly root: string; readonly mutants: readonly Numbered[] }
  /** Loads a file and runs its tests without any mutant. */
  | { readonly do: 'measure'; readonly file: string }
  /** Switches a mutant on and runs tests until one fails; `early`: before the tests are loaded. */
  | { readonly do: 'ask'; readonly id: number; readonly early: boolean; readonly tests: readonly Asked[] }
  | { readonly do: 'close' }

export interface Asked {
  readonly file: string
  readonly index: number
  /** The seconds of processor that it takes without a mutant. */
  readonly seconds: number
}

export interface Measured {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  /** The mutants whose place it comes to. */
  readonly met: readonly number[]
}

export type Answer =
  /** `early`: the mutants whose place is come to where a file is loaded, or in what its tests prepare once. */
  | { readonly is: 'measured'; readonly early: readonly number[]; readonly tests: readonly Measured[] }
  | { readonly is: 'killed'; readonly by: Asked }
  /** `met`: whether any of the tests came to its place, where what is made once may have been made before. */
  | { readonly is: 'survived'; readonly met: boolean }
  /** A test fails after the mutant is switched off: something was left behind. */
  | { readonly is: 'spoiled'; readonly by: Asked }
  | { readonly is: 'done' }
  | { readonly is: 'error'; readonly message: string }

const OFF = -1
/** A test may take ten times what it takes without a mutant, and so many seconds more. */
const GRACE_SECONDS = 2
/** What a test's file may take to load and its suites to prepare, in a process that is new. */
const LOADING_SECONDS = 30

let on = OFF
let met = new Set<number>()
Object.assign(globalThis, {
  $mutant(id: number): boolean {
    met.add(id)
    return id === on
  },
})

let root = ''
const files = new Map<string, readonly Case[]>()
let failedOutside = false
process.on('unhandledRejection', () => (failedOutside = true))
process.on('uncaughtException', () => (failedOutside = true))

function open(order: Extract<Order, { do: 'open' }>): void {
  root = order.root
  const byUrl = Map.groupBy(order.mutants, ({ mutant }) => pathToFileURL(join(root, mutant.file)).href)
  const suite = new URL('./suite.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vitest' && context.parentURL !== suite
        ? { url: suite, shortCircuit: true }
        : next(specifier, context),
    load(url, context, next) {
      const mutants = byUrl.get(url)
      if (mutants === undefined) return next(url, context)
      const text = compileIn(readFileSync(fileURLToPath(url), 'utf8'), mutants)
      return { format: 'module', source: stripTypeScriptTypes(text), shortCircuit: true }
    },
  })
}

async function load(file: string): Promise<readonly Case[]> {
  const known = files.get(file)
  if (known !== undefined) return known
  const cases = await casesOf(() => import(pathToFileURL(join(root, file)).href))
  files.set(file, cases)
  return cases
}

/** A test that is ready to run; undefined where it does not come to that. */
async function made({ file, index }: Asked): Promise<Case | undefined> {
  try {
    const one = (await load(file))[index]
    if (one !== undefined) await prepare(one)
    return one
  } catch {
    return undefined
  }
}

/** Whether a test passes, with the processor's seconds that it takes. */
async function passes(one: Case): Promise<{ readonly passed: boolean; readonly seconds: number }> {
  failedOutside = false
  const before = process.cpuUsage()
  const passed = await runCase(one).then(
    () => !failedOutside,
    () => false,
  )
  const { user, system } = process.cpuUsage(before)
  return { passed, seconds: (user + system) / 1e6 }
}

async function measure(file: string): Promise<Answer> {
  met = new Set()
  const early = met
  const cases = await load(file)
  const tests: Measured[] = []
  for (const one of cases) {
    met = early
    await prepare(one).catch(() => {})
    met = new Set()
    const { passed, seconds } = await passes(one)
    tests.push({ name: one.name, passed, seconds, met: [...met] })
  }
  return { is: 'measured', early: [...early], tests }
}

async function ask({ id, early, tests }: Extract<Order, { do: 'ask' }>): Promise<Answer> {
  met = new Set()
  for (const asked of tests) {
    watch(LOADING_SECONDS)
    if (early) on = id
    const one = await made(asked)
    on = id
    watch(10 * asked.seconds + GRACE_SECONDS)
    const fails = one === undefined || !(await passes(one)).passed
    on = OFF
    watch(Number.POSITIVE_INFINITY)
    if (!fails) continue
    const again = early || one === undefined || (await passes(one)).passed
    return again ? { is: 'killed', by: asked } : { is: 'spoiled', by: asked }
  }
  return { is: 'survived', met: met.has(id) }
}

/** Seconds of processor and of the clock, past which the watchman ends the process. */
const limits = new Float64Array(new SharedArrayBuffer(16))
limits.fill(Number.POSITIVE_INFINITY)
new Worker(new URL('./watchman.ts', import.meta.url), { workerData: limits }).unref()

function watch(seconds: number): void {
  const { user, system } = process.cpuUsage()
  limits[0] = (user + system) / 1e6 + seconds
  // A test that waits for ever takes no processor.
  limits[1] = Date.now() / 1000 + 20 * seconds
}

async function close(): Promise<Answer> {
  for (const cases of files.values()) await putAway(cases).catch(() => {})
  return { is: 'done' }
}

async function obey(order: Order): Promise<Answer> {
  if (order.do === 'measure') return measure(order.file)
  if (order.do === 'ask') return ask(order)
  if (order.do === 'close') return close()
  open(order)
  return { is: 'done' }
}

async function answer(order: Order): Promise<void> {
  const answer = await obey(order).catch((error): Answer => ({ is: 'error', message: String(error) }))
  process.send?.(answer, () => {
    if (order.do === 'close') process.exit()
  })
}
process.on('message', (order: Order) => void answer(order))
process.on('disconnect', () => process.exit())

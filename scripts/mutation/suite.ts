import { type ExpectStatic, expect, vi } from 'vitest'

/**
 * The part of Vitest's interface that the unit tests use, with tests as values: they can be run again, one by one, in a
 * process that stays. `expect` is Vitest's own.
 */
export { expect, vi }

/** Nothing was set up for all files: tests of whole commands, which need that, are not asked. */
export const inject = (): undefined => undefined

type Body = (...args: readonly unknown[]) => unknown
type Hook = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'

interface Suite {
  readonly parent: Suite | undefined
  readonly hooks: { readonly [hook in Hook]: Body[] }
  ready: boolean
}

export interface Case {
  readonly name: string
  readonly suite: Suite
  readonly body: Body
}

const suite = (parent: Suite | undefined): Suite => ({
  parent,
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
  ready: false,
})

let current = suite(undefined)
let cases: Case[] = []

/** The tests of a file, in the order in which they stand there. */
export async function casesOf(load: () => Promise<unknown>): Promise<readonly Case[]> {
  current = suite(undefined)
  cases = []
  await load()
  return cases
}

/** What is prepared once for the tests of a suite. */
export async function prepare({ suite }: Case): Promise<void> {
  for (const one of lineage(suite)) {
    if (one.ready) continue
    one.ready = true
    for (const hook of one.hooks.beforeAll) await hook()
  }
}

/** Runs a test with what stands before and after each; throws where it fails. */
export async function runCase(one: Case): Promise<void> {
  await prepare(one)
  const suites = lineage(one.suite)
  for (const { hooks } of suites) for (const hook of hooks.beforeEach) await hook()
  try {
    await one.body({ expect })
  } finally {
    for (const { hooks } of suites.toReversed()) for (const hook of hooks.afterEach) await hook()
  }
}

/** What is put away at the end. */
export async function putAway(cases: readonly Case[]): Promise<void> {
  for (const one of new Set(cases.flatMap(({ suite }) => lineage(suite))))
    if (one.ready) for (const hook of one.hooks.afterAll) await hook()
}

function lineage(suite: Suite): readonly Suite[] {
  return suite.parent === undefined ? [suite] : [...lineage(suite.parent), suite]
}

const isBody = (value: unknown): value is Body => typeof value === 'function'

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** `test(name, body)`, with options before or after the body. */
function define(name: string, ...rest: readonly unknown[]): void {
  const body = rest.find(isBody)
  if (body !== undefined) cases.push({ name, suite: current, body })
}

function group(_: string, ...rest: readonly unknown[]): void {
  const parent = current
  current = suite(parent)
  rest.find(isBody)?.()
  current = parent
}

const skip = (): void => {}

function variants(add: (name: string, ...rest: readonly unknown[]) => void) {
  const each =
    (rows: readonly unknown[]) =>
    (name: string, ...rest: readonly unknown[]) => {
      // As in Vitest: rows are lists of arguments where all of them are lists.
      const calls = rows.every(isList) ? rows : rows.map((row) => [row])
      for (const args of calls) add(name, ...rest.map((one) => (isBody(one) ? () => one(...args) : one)))
    }
  const when = (wanted: boolean) => (condition: unknown) => (Boolean(condition) === wanted ? variantsOf : skip)
  const variantsOf = Object.assign(add, { each, skip, todo: skip, skipIf: when(false), runIf: when(true) })
  return variantsOf
}

export const it = variants(define)
export const test = variants(define)
export const describe = variants(group)

const hook = (name: Hook) => (body: Body) => void current.hooks[name].push(body)
export const beforeAll = hook('beforeAll')
export const beforeEach = hook('beforeEach')
export const afterEach = hook('afterEach')
export const afterAll = hook('afterAll')

export type { ExpectStatic }

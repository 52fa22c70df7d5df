import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { format } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as rewriting from '../../../src/libraries/rewriting/index.ts'
import * as statistics from '../../../src/libraries/statistics/index.ts'
import * as grammars from '../../../src/public/grammars.ts'
import * as parsers from '../../../src/public/parsers.ts'
import * as task from '../../../src/public/task.ts'
import { type Example, ofComments } from '../../e2e/examples/extract.ts'
import { readSources } from '../layers/imports.ts'

/** What examples import from; `test/e2e/examples` checks their types. */
const parts: { readonly [part: string]: object } = { parsers, grammars, rewriting, statistics, task }

const root = join(import.meta.dirname, '../../..')
const sources = readSources(root, [
  'src/libraries/grammars',
  'src/public',
  'src/libraries/rewriting',
  'src/libraries/statistics',
])
const examples = [...sources].flatMap(([path, text]) => ofComments(path, text))

const AsyncFunction = (async () => {}).constructor as new (
  ...args: readonly string[]
) => (...given: readonly unknown[]) => Promise<void>

/** An example as a function: its imports from `parts`, and `console.log(X) // Y` as a comparison of what is printed with Y. */
function runnable({ code }: Example) {
  const text = code
    .replace(/^import \{(.*)\} from '@touchstone-eval\/touchstone\/(\w+)'$/gmu, (_, names: string, part: string) => {
      const values = names.split(',').filter((name) => !name.trim().startsWith('type '))
      return `const {${values.join()}} = parts.${part}`
    })
    .replace(/\bconsole\.log\((.*)\) \/\/ (.*)$/gmu, (_, what, said) => `say(${JSON.stringify(said)}, ${what})`)
    .replaceAll('console.log(', 'quiet(')
    .replace(/^export /gmu, '')
  return new AsyncFunction('parts', 'say', 'quiet', stripTypeScriptTypes(text))
}

describe('examples print what the comment behind says', () => {
  it.each(examples.map((example) => [`${example.path}:${example.line}`, example] as const))(
    '%s',
    async (_, example) => {
      const said: string[] = []
      const printed: string[] = []
      const say = (comment: string, ...what: readonly unknown[]) => {
        said.push(comment)
        printed.push(format(...what))
      }
      await runnable(example)(parts, say, () => {})
      expect(printed).toEqual(said)
    },
  )

  it('of all libraries', () => {
    const used = Object.keys(parts).filter((part) => examples.some(({ code }) => code.includes(`/${part}'`)))
    expect(used).toEqual(Object.keys(parts))
  })
})

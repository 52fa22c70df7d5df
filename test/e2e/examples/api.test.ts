import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiPages } from '../../../scripts/api/pages.ts'
import * as statistics from '../../../src/libraries/statistics/index.ts'
import * as parsers from '../../../src/public/parsers.ts'
import * as task from '../../../src/public/task.ts'

const root = join(import.meta.dirname, '../../..')
const pages = apiPages(root)
const headings = (page: string): readonly string[] =>
  [...(pages.get(page) ?? '').matchAll(/^## (\S+)$/gmu)].map(([, name]) => name ?? '')

describe('the API reference', () => {
  it.each([
    ['task.md', task],
    ['parsers.md', parsers],
    ['statistics.md', statistics],
  ] as const)('%s has every value that can be imported', (page, module) => {
    expect(Object.keys(module).filter((name) => !headings(page).includes(name))).toEqual([])
  })

  it.each([
    'lab.md',
    'task.md',
    'tasks.md',
    'parsers.md',
    'grammars.md',
    'rewriting.md',
    'statistics.md',
    'node.md',
    'testing.md',
  ])('%s has an example of every value', (name) => {
    const parts = (pages.get(name) ?? '').split(/^## /mu).slice(1)
    const values = parts.filter((part) => /^export (?:declare )?(?:async )?(?:function|const|class) /mu.test(part))
    expect(values.length).toBeGreaterThan(0)
    const without = values.filter((part) => (part.match(/```typescript/gu) ?? []).length < 2)
    expect(without.map((part) => part.split('\n')[0])).toEqual([])
  })

  it('says of every name what it means', () => {
    const bare = [...pages].flatMap(([name, page]) =>
      page.split(/^## /mu).flatMap((part) => (/^\w+\n\n```/u.test(part) ? [`${name} ${part.split('\n')[0]}`] : [])),
    )
    expect(bare).toEqual([])
  })

  it('finds the declaration of every name', () => {
    for (const [name, page] of pages) expect([name, page.match(/^export \{.*/gmu)]).toEqual([name, null])
  })

  it('has no broken link', () => {
    for (const [name, page] of pages) {
      const prose = page.replaceAll(/```[\s\S]*?```/gu, '')
      const anchors = new Set<string>()
      for (const heading of headings(name)) {
        const slug = heading.toLowerCase()
        const taken = [...anchors].filter((one) => one.replace(/-\d+$/u, '') === slug).length
        anchors.add(taken === 0 ? slug : `${slug}-${taken}`)
      }
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/gu)) {
        const there = target.startsWith('#')
          ? anchors.has(target.slice(1))
          : pages.has(target) || existsSync(join(root, 'docs/api', target))
        expect([name, target, there]).toEqual([name, target, true])
      }
    }
  })

  it('shows declarations without bodies, comments as prose, examples as code', () => {
    const page = pages.get('task.md') ?? ''
    expect(page).toContain(
      "['red', 'green', 'blue'])\n```\n\n```typescript\nexport function pick<T>(stream: Stream, list: readonly T[]): T\n```",
    )
    expect(page).not.toContain('@example')
    expect(page.match(/```/gu)?.length ?? 1).toSatisfy((count: number) => count % 2 === 0)
  })
})

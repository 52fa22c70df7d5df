import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const pages = globSync(['*.md', '{docs,examples,src,web,bench}/**/*.md'], { cwd: root })

test.each(pages.filter((page) => !page.includes('node_modules')))('every link of %s leads to a file', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
  const local = targets
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .map((target) => target.replace(/#.*/, ''))
  expect(local.filter((target) => !existsSync(join(root, dirname(page), decodeURI(target))))).toEqual([])
})

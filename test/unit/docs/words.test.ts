import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Words that the glossary of docs/concepts.md has replaced, or that say nothing to a reader who is new here. */
const BANNED =
  /\b(?:told|anew|rules? of thumb|knobs?|stretch(?:es)?|fences?|holes?|left out|at hand|unread|cut|doubts?|cells?|twins?|of its own|of such|so many|looks? at)\b/giu

/** A page without code, and without what scripts write into it: that text is in the sources. */
const prose = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replace(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/gu, '')
    .replace(/```[\s\S]*?```|`[^`\n]*`/gu, '')
    .replace(/\]\([^)\s]+\)/gu, ']')

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((page) => !page.startsWith('docs/api/'))

test.each(pages)('%s uses the words of the glossary', (page) => {
  expect([...prose(page).matchAll(BANNED)].map(([word]) => word)).toEqual([])
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { literal, nodes, readSources } from '../layers/imports.ts'

const root = join(import.meta.dirname, '../../..')

/** Words that the glossary of docs/concepts.md has replaced, or that say nothing to a reader who is new here. */
const BANNED =
  /\b(?:told|anew|rules? of thumb|knobs?|stretch(?:es)?|fences?|holes?|left out|at hand|unread|cut|doubts?|cells?|twins?|of its own|of such|so many|looks? at)\b/giu
/** In texts of the program: without the words that are also names of Markdown, of tables and of frozen literals. */
const BANNED_IN_SOURCES =
  /\b(?:told|anew|rules? of thumb|knobs?|stretch(?:es)?|left out|at hand|unread|doubts?|of its own|of such|so many|looks? at)\b/giu
/** Prompts, which are frozen, words that readers of responses look for, and a style sheet. */
const EXEMPT =
  /^src\/(?:tasks\/.*\/prompt\.ts|libraries\/language\/(?:polarity|statements)\.ts|datasets\/audit\/verdict\.ts|report\/formats\/style\.ts|view\/client\/pages\/playground\/audit\.tsx|testing\/)/u

/** A page without code, and without what scripts write into it: that text is in the sources. */
const prose = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replace(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/gu, '')
    .replace(/```[\s\S]*?```|`[^`\n]*`/gu, '')
    .replace(/\]\([^)\s]+\)/gu, ']')

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

test.each(pages)('%s uses the words of the glossary', (page) => {
  expect([...prose(page).matchAll(BANNED)].map(([word]) => word)).toEqual([])
})

test('texts of the program use the words of the glossary', () => {
  const found: string[] = []
  for (const [path, source] of readSources(root, ['src'])) {
    if (EXEMPT.test(path) || source.search(BANNED_IN_SOURCES) === -1) continue
    for (const node of nodes(path, source)) {
      const { value } = node as { readonly value?: { readonly cooked?: string } | string }
      const cooked = typeof value === 'object' ? value?.cooked : value
      const text = ['TemplateElement', 'JSXText'].includes(node.type) ? cooked : literal(node)
      if (typeof text === 'string' && text.includes(' '))
        for (const [word] of text.matchAll(BANNED_IN_SOURCES)) found.push(`${path}: "${word}" in "${text}"`)
    }
  }
  expect(found).toEqual([])
})

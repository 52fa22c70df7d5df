import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { parseCount, rulesOf } from './by-name.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/families/relic.md'), 'utf8')

describe('the page of the family', () => {
  it('names every knob, preset, parser, baseline, kind of negative and analysis', () => {
    const kinds = ['twin', 'uniform', 'bigram', 'edit', 'hard', 'legal']
    const names = [
      ...Object.keys(recognize.configure({})),
      ...Object.keys(recognize.presets),
      ...Object.keys(recognize.parsers ?? {}),
      ...Object.keys(recognize.baselines ?? {}),
      ...kinds,
      'zero-shot',
    ]
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    expect(recognize.analyses.filter(({ id }) => !page.includes(id.replace('relic/', '')))).toEqual([])
  })

  it('shows an item whose answer and witnesses hold, in the words of the prompt', () => {
    const [, grammar = '', string = ''] = /Grammar:\n```\n([^`]+)\n```\n\n[^`]+```\n([^`]+)\n```/.exec(page) ?? []
    const shared = { grammar }
    const other = /Of `([^`]+)` the answer is `No`/.exec(page)?.[1] ?? ''
    const [positive, negative] = [...page.matchAll(/Witness: `([^`]+)`/g)].map(([, json]) => JSON.parse(json ?? ''))
    expect(parseCount(rulesOf(grammar), string.split(' '))).toBe(1n)
    expect(recognize.check({ shared, given: { string }, answer: true }, positive)).toBe(true)
    expect(recognize.check({ shared, given: { string: other }, answer: false }, negative)).toBe(true)
    expect(recognize.witness({ shared, given: { string }, answer: true })).toEqual(positive)
    const request = recognize.request({ shared, given: { string } }, 'zero-shot', {} as never)
    const shown = /````text\n([\s\S]+?)\n````/.exec(page)?.[1] ?? ''
    const words = (text: string) => text.split(/\s+/).join(' ')
    expect(request.kind === 'chat' && words(request.messages[0]?.content ?? '')).toBe(words(shown))
  })
})

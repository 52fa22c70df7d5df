import { describe, expect, it } from 'vitest'
import { checkTemplate, type Item, type Request, UsageError } from '../../../src/core/index.ts'
import { itemsAsked, readable } from './asked.ts'

const textOf = (request: Request): string =>
  request.kind === 'chat' ? request.messages.map(({ content }) => content).join('\n') : ''
const fields = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join('|')
const STYLE = 'own@0000000000000000'

describe.each(readable.map((task) => [task.name, task] as const))('%s', (_, task) => {
  const { texts = {}, needs = Object.keys(texts) } = task.parts ?? {}
  const names = Object.keys(texts)
  const items = itemsAsked(task)
  const partOf = (name: string, item: Item): string => texts[name]?.(item) ?? ''

  it('has parts, and takes a template if and only if it shows what it needs', () => {
    expect(names.length).toBeGreaterThan(0)
    for (const pick of [0, -1]) {
      const shown = needs.map((need) => need.split('|').at(pick) as string)
      expect(() => checkTemplate(task, fields(shown), 'p.txt')).not.toThrow()
    }
    for (const need of needs) {
      const others = names.filter((name) => !need.split('|').includes(name))
      expect(() => checkTemplate(task, fields(others), 'p.txt'), need).toThrow(UsageError)
    }
  })

  it('asks in a template what the parts say, and in its own prompt too', () => {
    const key = { split: 'test', seed: 'readers' }
    const source = task.source(task.configure({}), key, undefined, { [STYLE]: `> ${fields(names)} <` })
    for (const item of items) {
      const filled = textOf(source.request(item, STYLE))
      expect(filled).toBe(`> ${names.map((name) => partOf(name, item)).join('|')} <`)
      const own = textOf(source.request(item, task.styles[0]))
      for (const need of needs) {
        const shown = need.split('|').filter((name) => partOf(name, item) !== '' && own.includes(partOf(name, item)))
        expect(shown.length, `${need} of ${item.id}`).toBeGreaterThan(0)
      }
    }
  })

  it('shows solved examples, if it has some, and none of them is the question', () => {
    const example = task.parts?.examples
    if (example === undefined) return
    const block = `{{#examples 2}}\n<${fields(example.names)}>\n{{/examples}}`
    const source = task.source(task.configure({}), { split: 'test', seed: 'readers' }, undefined, { [STYLE]: block })
    for (const item of items.slice(0, 5)) {
      const shown = textOf(source.request(item, STYLE))
      expect(textOf(source.request(item, STYLE))).toBe(shown)
      expect(shown).not.toContain('{{')
      expect(shown.match(/<[\s\S]*?[^<|]>/gu)?.length).toBe(2)
    }
  })

  it('needs what tells its questions apart', () => {
    const answers = new Map<string, string>()
    for (const item of items) {
      const shown = needs.map((need) => partOf(need.split('|').at(-1) as string, item)).join('\0')
      // Of several right answers one is stored.
      if (task.choices !== undefined)
        expect(answers.get(shown) ?? JSON.stringify(item.answer)).toBe(JSON.stringify(item.answer))
      answers.set(shown, JSON.stringify(item.answer))
    }
    expect(answers.size).toBeGreaterThan(1)
  })
})

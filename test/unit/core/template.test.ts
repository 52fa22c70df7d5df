import { describe, expect, it } from 'vitest'
import { checkTemplate, defineTask, fillTemplate, templateStyle, templateText } from '../../../src/core/index.ts'
import { parity } from '../../mock/parity.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const task = {
  name: 'mock/strings',
  parts: {
    texts: {
      grammar: ({ shared }: { readonly shared: unknown }) => String(shared),
      string: ({ given }: { readonly given: unknown }) => (given === null ? null : String(given)),
      whole: ({ given }: { readonly given: unknown }) => `"${given}"`,
    },
    needs: ['grammar', 'string|whole'],
    examples: {
      names: ['string', 'answer'],
      of: (_question: unknown, count: number) =>
        Array.from({ length: count }, (_, i) => ({ string: `{{string}} ${i}`, answer: i % 2 === 0 ? 'Yes' : 'No' })),
    },
  },
}
const filled = (template: string, shared: string, given: string | null) =>
  fillTemplate(task, template, { shared, given }, null as never).messages

describe('filling a template', () => {
  it('puts every part in once, and reads nothing in what it put in', () => {
    expect(filled('{{grammar}} | {{ string }} | {{grammar}}', '{{string}} $& $1 {{#system}}', '{{grammar}}')).toEqual([
      {
        role: 'user',
        content: '{{string}} $& $1 {{#system}} | {{grammar}} | {{string}} $& $1 {{#system}}',
      },
    ])
  })

  it('keeps a role line of a question out of the roles, and line ends of a question as they are', () => {
    expect(filled('{{grammar}}\n', 'a\r\n{{#system}}\nb', 'x')).toEqual([
      { role: 'user', content: 'a\r\n{{#system}}\nb' },
    ])
  })

  it('keeps braces that name no part', () => {
    const text = '{x} {{}} {{"a": 1}} {{{grammar}}} \\frac{{1}}{{2}}'
    expect(filled(text, 'G', 'x')[0]?.content).toBe('{x} {{}} {{"a": 1}} {G} \\frac{{1}}{{2}}')
  })

  it('begins messages of roles on lines of their own, and drops the line end before each and at the end', () => {
    expect(
      filled(
        '\n{{#system}}\nBe brief.\n\n{{#user}}\n{{grammar}}\n{{#assistant}}\nYes\n{{#user}}\n{{string}}',
        'G',
        'x',
      ),
    ).toEqual([
      { role: 'system', content: 'Be brief.\n' },
      { role: 'user', content: 'G' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: 'x' },
    ])
  })

  it('repeats a block for each solved example, and reads nothing in what it put in', () => {
    const text = '{{grammar}}\n{{#examples 2}}\n`{{string}}` -> {{answer}}\n{{/examples}}\n{{string}}'
    expect(filled(text, 'G', 'x')[0]?.content).toBe('G\n`{{string}} 0` -> Yes\n`{{string}} 1` -> No\nx')
    const roles = '{{grammar}}\n{{#examples 1}}\n- {{string}}\n{{/examples}}\n{{#assistant}}\n{{string}}'
    expect(filled(roles, 'G', 'x').map(({ content }) => content)).toEqual(['G\n- {{string}} 0', 'x'])
  })

  it.each([
    ['{{grammar}} {{string}}\n{{#examples 2}}\n{{grammar}}\n{{/examples}}', /\{\{grammar\}\} in an example/u],
    ['{{grammar}} {{string}}\n{{#examples 2}}\n{{string}}', /\{\{#examples N\}\} to \{\{\/examples\}\}/u],
    ['{{grammar}}\n{{#examples 2}}\n{{string}}\n{{/examples}}', /leaves out \{\{string\}\} or \{\{whole\}\}/u],
  ])('with examples that cannot be filled is an error: %j', (text, message) => {
    expect(() => checkTemplate(task, text, 't.txt')).toThrow(message)
    const { examples: _, ...parts } = task.parts
    expect(() => checkTemplate({ ...task, parts }, `${text}{{/examples}}`, 't.txt')).toThrow()
  })

  it('says which part a question does not have', () => {
    expect(() => filled('{{grammar}} {{string}}', 'G', null)).toThrow(/mock\/strings has no \{\{string\}\}/u)
  })
})

describe('checking a template', () => {
  it.each([
    [
      '{{grammar}} {{strin}}',
      /names \{\{strin\}\} \(did you mean "string"\?\); .*\{\{grammar\}\}, \{\{string\}\}, \{\{whole\}\}/u,
    ],
    ['{{grammar}} {{toString}}', /names \{\{toString\}\}/u],
    ['{{grammar}}', /leaves out \{\{string\}\} or \{\{whole\}\}, which/u],
    ['', /leaves out \{\{grammar\}\}, /u],
    ['{{#robot}}\n{{grammar}}{{string}}', /on a line without other text/u],
    ['Say: {{#user}}\n{{grammar}}{{string}}', /on a line without other text/u],
    ['{{grammar}}{{string}}\n{{#system}}\n \n', /a message has no text/u],
  ])('refuses %j', (template, message) => {
    expect(() => checkTemplate(task, template, 'p.txt')).toThrow(message)
  })

  it('takes either of two parts, and refuses a task without parts', () => {
    expect(() => checkTemplate(task, '{{whole}} {{grammar}}', 'p.txt')).not.toThrow()
    expect(() => checkTemplate({ name: 'mock/none' }, '{{whole}}', 'p.txt')).toThrow(/mock\/none has no parts/u)
  })

  it('refuses to define a task whose needs are not its parts', () => {
    const { request, grade, ...rest } = parity
    const wrong = { ...rest, request, grade, parts: { texts: { n: () => '1' }, needs: ['n|m'] } }
    expect(() => defineTask(wrong as never)).toThrow(/its parts need m,/u)
  })
})

describe('the file of a template', () => {
  it('is the same with a byte order mark and line ends of Windows', () => {
    expect(templateText(bytes('\ufeffa\r\nb\r\n'), 'p.txt')).toBe('a\nb\n')
  })

  it('is at most 256 KiB of UTF-8', () => {
    expect(templateText(bytes('x'.repeat(262_144)), 'p.txt')).toHaveLength(262_144)
    expect(() => templateText(bytes('x'.repeat(1_000_000)), 'p.txt')).toThrow(/1000000 bytes, expected at most 262144/u)
    expect(() => templateText(Uint8Array.of(0xff, 0xfe, 0x41, 0), 'p.txt')).toThrow(/not UTF-8/u)
  })

  it('is found in linear time, whatever braces it has', () => {
    const text = `${'{{ '.repeat(80_000)}{{grammar}}{{string}}`
    expect(() => checkTemplate(task, text, 'p.txt')).not.toThrow()
    expect(filled(`${'{{'}${' '.repeat(200_000)}`, 'G', 'x')[0]?.content).toHaveLength(200_002)
  })

  // echo -n abc | sha256sum
  it.each([
    ['/a/My Prompt (2).v1.txt', 'my-prompt-2-v1@ba7816bf8f01cfea'],
    ['C:\\p\\Frage.md', 'frage@ba7816bf8f01cfea'],
    ['.txt', 'txt@ba7816bf8f01cfea'],
    ['題.txt', 'template@ba7816bf8f01cfea'],
  ])('%s makes a style', (path, style) => {
    expect(templateStyle(path, 'abc')).toBe(style)
  })
})

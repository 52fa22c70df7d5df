import { hint, UsageError } from './errors.ts'
import { sha256Hex } from './hash.ts'
import type { Json } from './json.ts'
import type { ChatRequest, Message } from './request.ts'
import type { Question, RandomStreams } from './task.ts'

/** The texts of a question that a prompt template can show. */
export interface TemplateParts<S, G> {
  /** By name; null: this question has no such text. */
  readonly texts: { readonly [name: string]: (question: Question<S, G>) => string | null }
  /** What every template must show; `a|b`: one of the two. Default: all of them. */
  readonly needs?: readonly string[]
  /** Solved examples, for a block that is repeated for each; fewer than `count` where there are no more. */
  readonly examples?: {
    readonly names: readonly string[]
    readonly of: (
      question: Question<S, G>,
      count: number,
      draws: RandomStreams,
    ) => readonly { readonly [name: string]: string }[]
  }
}

/** Texts of templates by the styles that they are. */
export type Templates = { readonly [style: string]: string }

/** What is read of a task to fill templates. */
interface Templated {
  readonly name: string
  readonly parts?: TemplateParts<Json, Json> | undefined
}

const PART = /\{\{ *([A-Za-z][\w-]*) *\}\}/gu
/** The lines that are repeated for each of so many solved examples. */
const EXAMPLES = /^\{\{#examples ([1-9]\d{0,2})\}\}\n([\s\S]*?)^\{\{\/examples\}\}(?:\n|$)/gmu
const ROLE = /^\{\{#(system|user|assistant)\}\}\n/mu
/** A template stands in each source of a run. */
const MAX_BYTES = 1 << 18
const STYLE = /^[a-z0-9-]+@[0-9a-f]{16}$/u

/** Is a style a template of a file? */
export const isTemplateStyle = (style: string): boolean => STYLE.test(style)

/** The style that a template is: the name of its file, and the start of the SHA-256 of its text. */
export function templateStyle(path: string, text: string): string {
  const name = path.replace(/^.*[/\\]/u, '').replace(/(?<=.)\.[^.]*$/u, '')
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
  return `${plain.replaceAll(/^-|-$/gu, '') || 'template'}@${sha256Hex(text).slice(0, 16)}`
}

/** A problem for each style whose template is missing, or has another hash than its name. */
export const changedTemplates = (asked: {
  readonly styles: readonly string[]
  readonly templates?: Templates
}): readonly string[] =>
  asked.styles
    .filter(
      (style) =>
        isTemplateStyle(style) && style !== templateStyle(style.replace(/@.*/u, ''), asked.templates?.[style] ?? ''),
    )
    .map((style) => `the template of the style ${style} is not the text that was planned`)

/**
 * The text of a template in a file, without a byte order mark, with line ends as on Unix: the same prompt is the same bytes.
 *
 * @throws UsageError
 */
export function templateText(bytes: Uint8Array, path: string): string {
  if (bytes.length > MAX_BYTES)
    throw new UsageError(`the template ${path} has ${bytes.length} bytes, expected at most ${MAX_BYTES}`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch {
    throw new UsageError(`the template ${path} is not UTF-8 text. Save it as UTF-8`)
  }
}

/** The messages of a template. Its text is of the user, and a line such as `{{#system}}` begins a message of another role. */
function messagesOf(text: string): readonly Message[] {
  const [before = '', ...rest] = text.replace(/\n?$/u, '\n').split(ROLE)
  const roles = ['user', ...rest.filter((_, at) => at % 2 === 0)] as Message['role'][]
  const contents = [before, ...rest.filter((_, at) => at % 2 === 1)]
  return contents
    .map((content, at) => ({ role: roles[at] as Message['role'], content: content.replace(/\n$/u, '') }))
    .filter(({ content }, at) => at > 0 || content.trim() !== '')
}

const partsIn = (text: string): readonly string[] => [...text.matchAll(PART)].map(([, part = '']) => part)

/** @throws UsageError if the template names parts that the task lacks, or leaves out some that a question needs. */
export function checkTemplate({ name, parts }: Templated, text: string, path: string): void {
  if (parts === undefined) throw new UsageError(`${name} has no parts that a template could show. Leave out ${path}`)
  const names = Object.keys(parts.texts)
  const inExamples = [...text.matchAll(EXAMPLES)].flatMap(([, , block = '']) => partsIn(block))
  const own = parts.examples?.names ?? []
  if (own.length === 0 && EXAMPLES.test(text)) throw new UsageError(`${name} has no solved examples: change ${path}`)
  for (const part of inExamples)
    if (!own.includes(part))
      throw new UsageError(
        `the template ${path} names {{${part}}} in an example${hint(part, own)}. Parts of examples: ${own.join(', ')}`,
      )
  const rest = text.replaceAll(EXAMPLES, '\n')
  const shown = new Set(partsIn(rest))
  const all = `parts of ${name}: ${names.map((part) => `{{${part}}}`).join(', ')}`
  for (const part of shown)
    if (!names.includes(part))
      throw new UsageError(`the template ${path} names {{${part}}}${hint(part, names)}; ${all}`)
  const missing = (parts.needs ?? names).filter((need) => !need.split('|').some((part) => shown.has(part)))
  if (missing.length > 0) {
    const lacking = missing.map((need) =>
      need
        .split('|')
        .map((part) => `{{${part}}}`)
        .join(' or '),
    )
    throw new UsageError(`the template ${path} leaves out ${lacking.join(', ')}, which every question needs; ${all}`)
  }
  if (messagesOf(rest).some(({ content }) => /\{\{[#/]/u.test(content)))
    throw new UsageError(
      `${path}: expected {{#system}}, {{#user}}, {{#assistant}}, or {{#examples N}} to {{/examples}}, each on a line without other text`,
    )
  const messages = messagesOf(text)
  if (messages.some(({ content }) => content.trim() === '')) throw new UsageError(`${path}: a message has no text`)
}

/** The request of a template: each part is put in once, and what it puts in is not read for parts. */
export function fillTemplate(
  { name, parts }: Templated,
  text: string,
  question: Question<Json, Json>,
  draws: RandomStreams,
): ChatRequest {
  const part = (_: string, of: string): string => {
    const found = parts?.texts[of]?.(question) ?? null
    if (found === null) throw new UsageError(`a question of ${name} has no {{${of}}}: ask it in a style of the task`)
    return found
  }
  const fill = (content: string): string => {
    let [filled, at] = ['', 0]
    for (const { 0: block, 1: count, 2: lines = '', index } of content.matchAll(EXAMPLES)) {
      const examples = parts?.examples?.of(question, Number(count), draws) ?? []
      filled += content.slice(at, index).replaceAll(PART, part)
      const shown = examples.map((one) => lines.replaceAll(PART, (_, of: string) => one[of] ?? '')).join('')
      filled += block.endsWith('\n') ? shown : shown.replace(/\n$/u, '')
      at = index + block.length
    }
    return filled + content.slice(at).replaceAll(PART, part)
  }
  return { kind: 'chat', messages: messagesOf(text).map(({ role, content }) => ({ role, content: fill(content) })) }
}

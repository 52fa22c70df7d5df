import { accepts, rulesOf } from './context-free.ts'

/** What is said of a language that is not described in the prompt. */
export interface Known {
  readonly name: string
  readonly grammar: string
}

export interface Truth {
  readonly inside: boolean
  /** Tokens with blanks between them. */
  readonly source: string | null
  readonly edits: readonly { readonly kind: string }[]
  readonly twin: { readonly order: number } | null
}

/** Languages that a few words define; of the others the grammar is read. */
const byDefinition: { readonly [name: string]: (tokens: readonly string[]) => boolean } = {
  'dyck-1': balanced,
  'dyck-2': balanced,
  counting: (tokens) => {
    const half = tokens.length / 2
    return tokens.every((token, i) => token === (i < half ? 'a' : 'b')) && Number.isInteger(half)
  },
  copy: (tokens) => {
    const [left, right, ...more] = tokens.join('').split('c')
    return more.length === 0 && left === right && left !== '' && /^[ab]+$/.test(left ?? '')
  },
  mirror: (tokens) => /^[ab]*c[ab]*$/.test(tokens.join('')) && tokens.join('') === [...tokens].reverse().join(''),
}

function balanced(tokens: readonly string[]): boolean {
  const open: string[] = []
  for (const token of tokens) {
    if (token === '(' || token === '[') open.push(token)
    else if (open.pop() !== (token === ')' ? '(' : '[')) return false
  }
  return open.length === 0 && tokens.length > 0
}

function inside({ name, grammar }: Known, tokens: readonly string[]): boolean {
  const half = tokens.length / 2
  const isCrossed = /^%crossed$/m.test(grammar)
  if (isCrossed && !Number.isInteger(half)) return false
  // Partners that cross are those that nest, with the second halves turned round.
  const read = isCrossed ? [...tokens.slice(0, half), ...tokens.slice(half).reverse()] : tokens
  return (
    byDefinition[name]?.(tokens) ??
    accepts(rulesOf(grammar), (/^(\S+) -> /m.exec(grammar) as RegExpExecArray)[1] as string, read)
  )
}

/** All runs of up to `order` tokens, with both ends, and how often. */
function runs(tokens: readonly string[], order: number): string {
  const padded = ['<', ...tokens, '>']
  const found: string[] = []
  for (let k = 1; k <= order; k++)
    for (let i = 0; i + k <= padded.length; i++) found.push(padded.slice(i, i + k).join(' '))
  return found.sort().join('\n')
}

function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, token] of a.entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] as number) + 1,
          (next[j - 1] as number) + 1,
          (row[j - 1] as number) + (token === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] as number
}

/** Whether the string is what it is said to be, and all examples before it are of the language. Tokens are one character. */
export function judgeString(context: string, text: string, language: Known, truth: Truth): readonly string[] {
  const wrong: string[] = []
  const tokens = [...text.trim()]
  for (const example of context.split('\n').filter((line) => line !== ''))
    if (!inside(language, [...example])) wrong.push(`the example ${example} is not of the language`)
  if (inside(language, tokens) !== truth.inside) wrong.push(`inside is ${truth.inside}`)
  if (truth.source === null) return wrong
  const source = truth.source.split(' ')
  if (!inside(language, source)) wrong.push('the source is not of the language')
  const { twin, edits } = truth
  if (twin !== null && runs(source, twin.order) !== runs(tokens, twin.order)) wrong.push('the twin has other counts')
  if (twin === null && distance(source, tokens) > edits.length) wrong.push(`farther than ${edits.length} edits`)
  return wrong
}

/** The strings given, where they are as many and as written as the prompt asks, and all of the language. */
export function tryStrings(prompt: string, strings: string, language: Known): readonly string[] {
  const [, shown, asked] = /\n\n([\s\S]*)\n\nWrite (\d+) more string/.exec(prompt) ?? []
  const lines = strings.split('\n')
  const all = [...(shown as string).split('\n'), ...lines]
  return lines.length === Number(asked) && all.every((line) => inside(language, [...line])) ? [strings] : []
}

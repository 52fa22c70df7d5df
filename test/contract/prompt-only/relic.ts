import { accepts, rulesOf } from './context-free.ts'

/** The two fenced blocks of the prompt: a grammar and a string. */
export function recogniseString(prompt: string): readonly string[] {
  const [, grammar, , string] = prompt.split('```\n')
  if (grammar === undefined || string === undefined) throw new Error('no two fenced blocks')
  return [accepts(rulesOf(grammar.trim()), 'S', string.trim().split(' ')) ? 'Yes' : 'No']
}

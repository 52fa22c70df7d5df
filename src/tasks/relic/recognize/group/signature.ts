import type { RelicQuestion } from '../prompt.ts'

/**
 * What twins of every order have in common: the pairs of neighbouring tokens in alphabetical order, each as often as it
 * occurs, the ends of the string marked by a token of no characters.
 */
export function signature({ given }: RelicQuestion): readonly string[] {
  const tokens = ['', ...given.string.split(' '), '']
  return tokens
    .slice(1)
    .map((token, i) => `${tokens[i]} ${token}`)
    .sort()
}

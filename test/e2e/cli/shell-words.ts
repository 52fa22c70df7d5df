import { globSync } from 'node:fs'

/** The words of a line of shell in a folder, quotes kept together; null where only a shell can say what they are. */
export function shellWords(line: string, cwd: string): readonly string[] | null {
  const words = [...line.replace(/\s+#.*$/u, '').matchAll(/'([^']*)'|(\S+)/gu)]
  if (words.some(([, , bare]) => bare !== undefined && /[|&;<>?$"'\\`(){}]/u.test(bare))) return null
  return words.flatMap(([, quoted, bare = '']) => quoted ?? (bare.includes('*') ? globSync(bare, { cwd }) : bare))
}

/** The words of a line of shell, quotes kept together; null where only a shell can say what they are. */
export function shellWords(line: string): readonly string[] | null {
  const words = [...line.replace(/\s+#.*$/u, '').matchAll(/'([^']*)'|(\S+)/gu)]
  if (words.some(([, , bare]) => bare !== undefined && /[|&;<>*?$"'\\`(){}]/u.test(bare))) return null
  return words.map(([, quoted, bare]) => quoted ?? bare ?? '')
}

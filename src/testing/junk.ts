const stars = '*'.repeat(60_000)

/**
 * Responses that answer nothing: no parser may throw on them, and strict must call them unparsed. The long ones take
 * minutes where a parser is not linear.
 */
export const junk: readonly (readonly [name: string, text: string])[] = [
  ['empty', ''],
  ['blank', ' \n\t\r\n  '],
  ['line ends', '\n\n\n'],
  ['boxes within boxes', `${'\\boxed{'.repeat(20_000)}x${'}'.repeat(20_000)}`],
  ['a table', `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(20_000)}`],
  ['denials', `${'not not, '.repeat(20_000)}x`],
  ['NUL', '\0\0\0'],
  ['an unclosed fence', '```python\n['],
  ['an unclosed thought', '<think>'],
  ['nested tags', '<div><p>'.repeat(2000)],
  ['brackets', '['.repeat(40_000)],
  ['closing brackets', ')]}'.repeat(15_000)],
  ['quotes', '"\'`'.repeat(30_000)],
  ['backslashes', '\\'.repeat(100_000)],
  ['fences', '```\n'.repeat(30_000)],
  ['letters', 'a'.repeat(300_000)],
  ['stars', '*_'.repeat(80_000)],
  ['blanks before the end', `${' '.repeat(150_000)}x`],
  ['emoji', '🧪🪨'.repeat(1000)],
  ['lone surrogates', '\ud800 \udfff \ud800'],
  ['right-to-left marks', '\u202e\u200f\ufeff'],
  ['HTML', '<script>alert(1)</script><b>&amp;</b>'],
  ['a hostile pattern', `${'(a+)+'.repeat(20_000)}$`],
  ['stars inside a list of arrows', `\`\`\`\na -> b${stars}b\n\`\`\``],
  ['stars inside a line of arrows', `a -> b${stars}b`],
  ['visible spans without a line end', '-<think></think>'.repeat(16_000)],
  ['calls and arrows between thoughts', 'replace(->[<think></think>'.repeat(10_000)],
  ['fences that a mark spoils', `${'~'.repeat(350)}\`\n`.repeat(600)],
  ['labels', 'Answer:\n'.repeat(10_000)],
  ['brackets that share an opening', `[${']'.repeat(60_000)}`],
  ['prototype', '__proto__ constructor toString'],
]

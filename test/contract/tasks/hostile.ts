/** Hostile answers by name: about so many characters of each. `x` and `y` are two answers of the question. */
export const hostile = (
  x: string,
  y: string,
): readonly (readonly [name: string, text: (characters: number) => string])[] => [
  ...pieces(x, y).map((piece) => [shown(piece), (n: number) => times(piece, n)] as const),
  ...nests(x).map(
    ([open, inner, close]) =>
      [
        shown(`${open} in ${open}`),
        (n: number) => {
          const depth = Math.ceil(n / (open.length + close.length))
          return `${open.repeat(depth)}${inner}${close.repeat(depth)}`
        },
      ] as const,
  ),
  ...frames(x, y).map(
    ([before, piece, after]) =>
      [shown(`${before}…${piece}…${after}`), (n: number) => `${before}${times(piece, n)}${after}`] as const,
  ),
  ['any of all of these', (n: number) => mixed([...pieces(x, y), ...nests(x).flat()], n)],
  ['a table', (n: number) => `| item | answer |\n|---|---|\n${times(`| ${y} | not ${x} |\n`, n)}`],
]

/** What cannot be seen as its code. */
const shown = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text).replace(
    /[^\P{C} ]|[^\P{Z} ]|\p{M}/gu,
    (c) => `\\u${(c.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  )

const times = (piece: string, characters: number): string => piece.repeat(Math.ceil(characters / piece.length))

/** Repeated alone. */
const pieces = (x: string, y: string): readonly string[] => [
  '[',
  ']',
  '()',
  '{"a":',
  '"',
  "'",
  '`',
  '“',
  '’',
  '\\',
  '*',
  '_ ',
  '~~',
  '|',
  '|---',
  '> ',
  '- ',
  '- [ ] ',
  '1. ',
  '# ',
  '\u200b',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u0000',
  '\u0301',
  '\ud800',
  '\r',
  '\r\n',
  '\u2028',
  '\t',
  ' ',
  '\n',
  '\u00a0\n',
  '\\boxed{',
  '\\boxed{}',
  '$\\boxed{\\text{',
  '$',
  '$$\n',
  '\\[',
  '<think>',
  '</think>',
  '<think></think>',
  '<answer>',
  '<answer></answer>',
  '```\n',
  '~~~\n',
  '````\n```\n',
  'not ',
  'not not, ',
  'n’t ',
  'neither nor ',
  'never. ',
  'cannot be ',
  'is wrong ',
  'is wrong.\n',
  'first thought ',
  'wait. ',
  'Wait,\n',
  'wrong wrong: ',
  'if ',
  'or ',
  'and ',
  ', ',
  '/',
  '?',
  '. ',
  ': ',
  ' - ',
  '->',
  'A -> B\n',
  '[0, 1]',
  '[0, 1]\n',
  '0 ',
  '9',
  '1 or 2 ',
  'twenty-',
  'one hundred and ',
  "replace('a', 'b')",
  'replace("a", "b") is wrong\n',
  'replace(',
  'older than ',
  'No. ',
  'No ',
  'not Yes, ',
  'Answer: ',
  'Answer:\n',
  '**Answer:** ',
  'Final answer: not\n',
  '```\n[1]\n```\nThat is wrong.\n',
  'aaaaaaaaaaaaaaaa-',
  `${x} `,
  `${x}\n`,
  `${x}, `,
  `${x} or `,
  `${x} is wrong. `,
  `not ${x}, `,
  `not ${x}\n`,
  `${x} not `,
  `${x}? `,
  `Answer: ${x}\n`,
  `\\boxed{${x}} `,
  `\\boxed{not ${x}} `,
  `**${x}** `,
  `~~${x}~~ `,
  `${x} or ${y} `,
  `${x} than ${y} `,
  `${y}, not ${x}.\n`,
  `- ${x}\n- ${y}\n`,
  `| ${x} | ${y} |\n`,
]

const nests = (x: string): readonly (readonly [open: string, inner: string, close: string])[] => [
  ['\\boxed{', x, '}'],
  ['$\\boxed{\\text{', x, '}}$'],
  ['[', x, ']'],
  ['(', x, ')'],
  ['{"answer": ', `"${x}"`, '}'],
  ['**', x, '**'],
  ['“', x, '”'],
  ['<think>', x, '</think>'],
  ['<answer>', x, '</answer>'],
  ['`', x, '`'],
  ['not (', x, ')'],
]

/** Between a start and an end that a reader goes back to. */
const frames = (x: string, y: string): readonly (readonly [before: string, piece: string, after: string])[] => [
  ['Answer: ', 'not ', x],
  ['Answer: ', 'not not ', `${x}.`],
  ['The answer is ', ' ', x],
  ['The answer is ', '**', `${x}**`],
  ['Answer:', '\n', x],
  ['', ' ', x],
  [x, ' ', ''],
  [x, '\n', ''],
  [x, ' \u200b', 'wrong'],
  [x, ' that', ' is wrong'],
  [`Answer: ${x}`, ', ', `not ${y}`],
  [`${x} is`, ' really', ' not the answer.'],
  ['\\boxed{', '{}', `${x}`],
  ['\\boxed{', ' ', `${x}}`],
  ['```\n', '[0, 1]\n', ''],
  ['[', '0, ', ']'],
  ['[', '"0", ', '"1"]'],
  ["replace('", 'a', "', 'b')"],
  ['“', `${x} `, ''],
  ['<think>', `Answer: ${x}\n`, ''],
  ['| a | b |\n|', '---|', `\n| ${x} | ${y} |`],
]

/** The pieces in an order without a pattern, the same every time. */
function mixed(pieces: readonly string[], characters: number): string {
  const parts: string[] = []
  for (let [length, state] = [0, 1]; length < characters; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const piece = pieces[state % pieces.length] as string
    parts.push(piece)
    length += piece.length
  }
  return parts.join('')
}

/** What of a response is not its answer: half-open spans of offsets into the text, in order, disjoint. */
export interface Reasoning {
  /** Thoughts with their delimiters, and the control tokens of a chat format. */
  readonly spans: readonly (readonly [start: number, end: number])[]
  /** The last thought is not closed: the response was probably truncated in it. */
  readonly unclosed: boolean
}

interface Delimiters {
  /** Patterns of what begins and ends a thought. */
  readonly open: string
  readonly close: string
  /** An end-of-message token also ends a thought that was opened in the text. */
  readonly endsWithMessage?: true
  /** `close` means something only behind `open`. */
  readonly onlyInPairs?: true
}

/**
 * Delimiters other than tags. A `close` without an `open` ends a thought that began where the previous one ended: many chat
 * templates open it in the prompt. `^` is the start of the response.
 */
const DELIMITERS: readonly Delimiters[] = [
  // gpt-oss (harmony): every channel but the final one is a thought.
  {
    open: String.raw`(?:<\|start\|>\s{0,2}assistant\s{0,2})?<\|channel\|>\s{0,2}(?!\s{0,2}final)`,
    close: String.raw`(?:<\|start\|>\s{0,2}assistant\s{0,2})?<\|channel\|>\s{0,2}final[^<\n]{0,40}(?:<\|constrain\|>[^<\n]{0,40})?(?:<\|message\|>)?`,
    endsWithMessage: true,
  },
  // The same where a server dropped the special tokens.
  {
    open: String.raw`^\s{0,8}(?:assistant)?(?:analysis(?:(?=[\p{L}\p{N}"'“‘([*])|\s{1,2}(?=\p{Lu}))|commentary(?=\p{Lu}|\s?to=))|assistant(?:analysis|commentary)`,
    close: String.raw`assistantfinal\n?`,
  },
  // Gemma 4, with and without its special tokens; MedGemma.
  { open: String.raw`<\|channel>\s{0,2}thought|^\s{0,8}thought\n`, close: String.raw`<channel\|>` },
  { open: String.raw`<unused94>(?:\s{0,2}thought)?`, close: '<unused95>' },
  // Kimi K3, whose closing separator is sometimes missing.
  {
    open: String.raw`<\|open\|>\s{0,2}think\s{0,2}<\|sep\|>`,
    close: String.raw`<\|close\|>\s{0,2}think\s{0,2}(?:<\|sep\|>|(?=<\|open\|>))`,
  },
  // Apertus; Pangu.
  { open: String.raw`<\|inner_prefix\|>`, close: String.raw`<\|inner_suffix\|>` },
  { open: String.raw`\[unused16\]`, close: String.raw`\[unused17\]` },
  // Solar Open; messages that a model addresses to itself.
  { open: String.raw`<\|think\|>`, close: String.raw`<\|(?:content|/think)\|>`, endsWithMessage: true },
  {
    open: String.raw`(?:<\|start\|>\s{0,2}assistant)?[ \t]{0,2}to=self<\|message\|>`,
    close: String.raw`(?:<\|start\|>\s{0,2}assistant)?[ \t]{0,2}to=user<\|message\|>`,
    endsWithMessage: true,
  },
  // Granite 3.2; Apriel.
  { open: String.raw`^\s{0,8}Here(?: is|'s) my thought process:`, close: "Here(?: is|'s) my response:" },
  { open: String.raw`^\s{0,8}Here are my reasoning steps:`, close: String.raw`\[BEGIN FINAL RESPONSE\]` },
  // What Open WebUI and the command line of Ollama make of thoughts.
  { open: String.raw`<details type="reasoning"[^<>\n]{0,80}>`, close: '</details>', onlyInPairs: true },
  { open: String.raw`^\s{0,8}Thinking\.\.\.\n`, close: String.raw`\.\.\.done thinking\.` },
]

/**
 * `<think>`, `</think>`, `◁think▷`, `<mm:think>`, `<longcat_think>`, `<think:opensource>`, `<chain_of_thought>`,
 * `<antThinking>`, `<reasoning_content>`, escaped or not; tokens of these names, which also say that they begin or end
 * (Cohere, Step, LFM, Solar Open 2, Sky-T1, OpenThinker); `[THINK]`, which only this name writes in brackets. Repeats are bounded.
 */
const anyCase = (words: string): string => words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
const THINK = anyCase('think')
const NAMES = anyCase('thinking|thoughts|thought|reasoning|reason|reflection|scratchpad|analysis|monologue|cot')
const PREFIX = '(?:[A-Za-z]{1,16}?(?:[:_▁|-]|(?=[TR]))){0,3}'
const SUFFIX = '(?:[:_▁-](?:content|process|steps|trace|block|start|begin|end))?'
const TAG = String.raw`(?:[<◁]|&lt;)(?!\|/?think\|>)\|?(?<slash>/?)[ \t]{0,4}${PREFIX}(?<name>(?:${NAMES})(?=${SUFFIX}[ \t>▷|&\\])${SUFFIX}|${THINK}(?:[:_]\w{1,40})?)(?:[ \t][^<>\n]{0,80})?[|\\]?(?:[>▷]|&gt;)|\[(?<bracket>/?)THINK\]`
/** Tokens that end a message. */
const ENDS = String.raw`<\|(?:end|return|call|eom|eot|im_end)\|>`
const SUFFIXES = new RegExp(`${SUFFIX}$`)
/** Other control tokens, and tags around a whole response. */
const MARKS = [
  String.raw`<\|(?:open|close)\|>\s{0,2}(?:response|message)\s{0,2}<\|sep\|>`,
  String.raw`<\|(?:start|im_start|turn)\|?>\s{0,2}(?:assistant|model)|<start_of_turn>\s{0,2}model`,
  String.raw`<\|[A-Za-z][\w:▁]{0,40}\|?>|<[a-z]{1,20}\|>|</s>|<(?:end_of_turn|eos|EOS|pad)>`,
  String.raw`\[END FINAL RESPONSE\]`,
  '</?response>',
  String.raw`^\s{0,8}final(?=\p{Lu}|\*\*)`,
].join('|')

const TOKEN = new RegExp(
  [
    TAG,
    ...DELIMITERS.flatMap(({ open, close }, i) => [`(?<close${i}>${close})`, `(?<open${i}>${open})`]),
    `(?<end>${ENDS})`,
    `(?<mark>${MARKS})`,
  ].join('|'),
  'gu',
)

/** What every delimiter has: most responses have none of it. */
const HINT =
  /[<◁[]|&lt;|assistant|my response:|done thinking|^\s{0,8}(?:analysis|commentary|thought|final|Here|Thinking)/

type Token =
  | {
      readonly is: 'open' | 'close'
      readonly kind: string
      readonly endsWithMessage: boolean
      readonly onlyInPairs: boolean
    }
  | { readonly is: 'end' | 'mark' }

type Groups = { readonly [name in 'slash' | 'bracket' | 'name' | 'end']?: string } & {
  readonly [name: `${'open' | 'close'}${number}`]: string | undefined
}

/** `<|END_THINKING|>`, `<|think:end|>`. */
const ENDING = /(?:^|[^a-z])end[:_▁]|[:_▁]end(?![a-z])/i

function tokenOf(text: string, groups: Groups): Token {
  const { slash, bracket, name: tag, end } = groups
  const closing = slash ?? bracket
  if (closing !== undefined) {
    const name = tag?.toLowerCase() ?? 'think'
    return {
      is: closing === '/' || ENDING.test(text) ? 'close' : 'open',
      kind: /^think(?:[:_]|$)/.test(name) ? 'think' : name.replace(SUFFIXES, ''),
      endsWithMessage: false,
      onlyInPairs: false,
    }
  }
  for (const [i, { endsWithMessage = false, onlyInPairs = false }] of DELIMITERS.entries())
    for (const is of ['open', 'close'] as const)
      if (groups[`${is}${i}`] !== undefined) return { is, kind: String(i), endsWithMessage, onlyInPairs }
  return { is: end === undefined ? 'mark' : 'end' }
}

/**
 * Locates thoughts. A thought runs from its opening delimiter to the matching closing one of the same kind; opened again inside,
 * it must be closed as often. A closing delimiter without an opening one ends a thought that began where the previous one
 * ended (chat templates often open it in the prompt); an unclosed thought runs to the end. A delimiter in backticks is a mention.
 * Linear in the text.
 *
 * @example
 * import { locateReasoning } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(locateReasoning('<think>maybe 3</think>\n4'))
 */
export function locateReasoning(text: string): Reasoning {
  if (!HINT.test(text)) return { spans: [], unclosed: false }
  const spans: (readonly [number, number])[] = []
  let done = 0
  let open: { readonly kind: string; readonly endsWithMessage: boolean; readonly start: number } | null = null
  let depth = 0
  let opened = 0
  const close = (start: number, end: number): void => {
    while ((spans.at(-1)?.[0] ?? -1) >= start) spans.pop()
    spans.push([start, end])
    done = end
    open = null
  }
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [start, end] = [match.index, TOKEN.lastIndex]
    if (text[start - 1] === '`' && text[end] === '`') continue
    const token = tokenOf(match[0], match.groups as Groups)
    const now = open as { readonly kind: string; readonly endsWithMessage: boolean; readonly start: number } | null
    if (token.is === 'open') {
      // A server may add the tag that the model also writes.
      if (now === null) {
        open = { ...token, start }
        depth = 1
      } else if (now.kind === token.kind && !token.endsWithMessage && text.slice(opened, start).trim() !== '') depth++
      opened = end
    } else if (token.is === 'close') {
      if (now === null && !token.onlyInPairs) close(done, end)
      else if (now?.kind === token.kind && --depth === 0) close(now.start, end)
      else if (now !== null && HARMONY.has(now.kind) && HARMONY.has(token.kind)) close(now.start, end)
    } else if (now === null) spans.push([start, end])
    else if (token.is === 'end' && now.endsWithMessage) close(now.start, end)
  }
  if (open !== null) spans.push([(open as { readonly start: number }).start, text.length])
  return { spans: joined(spans), unclosed: open !== null }
}

/** Both spellings of harmony: a server may drop only some of its tokens. */
const HARMONY: ReadonlySet<string> = new Set(['0', '1'])

/**
 * The parts of `text` outside thoughts and control tokens, as spans in order, without empty ones.
 *
 * @example
 * import { visibleSpans } from '@touchstone-eval/touchstone/parsers'
 *
 * const text = '<think>maybe 3</think>\n4'
 * console.log(visibleSpans(text).map(([from, to]) => text.slice(from, to)))
 */
export function visibleSpans(
  text: string,
  reasoning: Reasoning = locateReasoning(text),
): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = []
  let at = 0
  for (const [start, end] of reasoning.spans) {
    if (start > at) out.push([at, start])
    at = end
  }
  if (at < text.length) out.push([at, text.length])
  return out
}

function joined(spans: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = []
  for (const span of spans) {
    const last = out.at(-1)
    if (last !== undefined && last[1] === span[0]) out[out.length - 1] = [last[0], span[1]]
    else out.push(span)
  }
  return out
}

import { describe, expect, it } from 'vitest'
import { ZodError } from 'zod'
import { csvRows } from '../../src/core/csv.ts'
import { isUsageError, namedStream, pick, type Stream, shuffle, type Task } from '../../src/core/index.ts'
import { below } from '../../src/core/random.ts'
import { anthropicLine, geminiLine, openAiLine } from '../../src/extras/exchange/read-batches.ts'
import { lmEvalLine } from '../../src/extras/exchange/read-others.ts'
import { GrammarKindError, GrammarSyntaxError } from '../../src/libraries/grammars/grammar/cfg.ts'
import { readGrammar } from '../../src/libraries/grammars/notation/file.ts'
import { parseNltkGrammar } from '../../src/libraries/grammars/notation/nltk.ts'
import { parseRelicGrammar } from '../../src/libraries/grammars/notation/relic.ts'
import { PcfgError } from '../../src/libraries/grammars/pcfg/grammar.ts'
import { parsePcfg } from '../../src/libraries/grammars/pcfg/text.ts'
import { parseGraph } from '../../src/libraries/graphs/parse-graph.ts'
import { parseLaw } from '../../src/libraries/rewriting/sounds/notation.ts'
import { decodeResponse, parseBody, usageIn } from '../../src/models/codecs/index.ts'
import { readExperiment } from '../../src/runner/index.ts'
import { families } from '../../src/tasks/index.ts'
import { sample } from '../nightly.ts'

/** Changed texts that each parser gets. */
const INPUTS = sample({ nightly: 100_000, otherwise: 100 })

const isExpected = (error: unknown): boolean =>
  isUsageError(error) ||
  error instanceof GrammarSyntaxError ||
  error instanceof GrammarKindError ||
  error instanceof PcfgError ||
  error instanceof ZodError

/** A valid text in pieces: words, numbers, spaces, line ends and single marks. */
const piecesOf = (text: string): string[] => text.match(/[\p{L}_]+|\d+|[ \t]+|\n|./gsu) ?? []

const HOSTILE = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\ufeff',
  '\ud800',
  '\u202e',
  ...'__proto__ constructor toString NaN -0 1e999 0.1 9007199254740993 null true [] {} ``` ** <think> </think>'.split(
    ' ',
  ),
  ...'\\boxed{ \\u0000 -> ε'.split(' '),
  ...'"\'`\\{}[]()<>|,:#%',
]

/** One to six changes of structure: pieces dropped, doubled, exchanged, moved from another text, or hostile ones put in. */
function changed(stream: Stream, texts: readonly (readonly string[])[]): string {
  const pieces = [...pick(stream, texts)]
  for (let change = below(stream, 6); change >= 0; change--) {
    const at = below(stream, pieces.length + 1)
    const length = 1 + below(stream, 4)
    switch (below(stream, 6)) {
      case 0:
        pieces.splice(at, length)
        break
      case 1:
        pieces.splice(at, 0, ...pieces.slice(at, at + length))
        break
      case 2:
        pieces.splice(at, length, ...shuffle(stream, pieces.slice(at, at + length)))
        break
      case 3: {
        const other = pick(stream, texts)
        const from = below(stream, other.length + 1)
        pieces.splice(at, length, ...other.slice(from, from + 2 * length))
        break
      }
      case 4:
        pieces.splice(at, below(stream, 2), pick(stream, HOSTILE))
        break
      default:
        pieces.splice(at, 0, pick(stream, HOSTILE).repeat(1 + below(stream, 40)))
    }
  }
  return pieces.join('')
}

/** Parses changed texts; each gives the same result again, or an error that says what was expected. */
function fuzz(name: string, texts: readonly string[], parse: (text: string) => unknown): void {
  const stream = namedStream(`fuzz ${name}`)
  const known = texts.map(piecesOf)
  const outcome = (text: string): unknown => {
    try {
      return parse(text)
    } catch (error) {
      if (!isExpected(error)) throw new Error(`${name}: ${JSON.stringify(text)}`, { cause: error })
      return (error as Error).message
    }
  }
  for (const text of texts) expect(() => parse(text)).not.toThrow()
  for (let input = 0; input < INPUTS; input++) {
    const text = changed(stream, known)
    const found = outcome(text)
    if (input % 100 === 0) expect(outcome(text)).toEqual(found)
  }
}

/** JSON that parses is read as a value; other texts count as read. */
const ofJson =
  (read: (value: unknown) => unknown) =>
  (text: string): unknown => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return null
    }
    return read(value)
  }

const chat =
  '{"id":"a","model":"m","choices":[{"message":{"role":"assistant","content":"4"},"finish_reason":"stop","logprobs":null}],"usage":{"prompt_tokens":9,"completion_tokens":2}}'
const claude =
  '{"id":"b","type":"message","model":"c","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"yes"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":1}}'
const gemini =
  '{"candidates":[{"content":{"parts":[{"text":"no","thought":false}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1},"modelVersion":"g"}'
const responses =
  '{"object":"response","status":"completed","model":"m","output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":"4"}]}],"usage":{"input_tokens":3,"output_tokens":1}}'

const PARSERS: readonly (readonly [name: string, texts: readonly string[], parse: (text: string) => unknown])[] = [
  [
    'RELIC grammar',
    ["S -> A B\nA -> 'a'\nB -> 'b'", "S -> NT1 NT2 | NT2 NT1\nNT1 -> 't1'\nNT2 -> 't2'"],
    parseRelicGrammar,
  ],
  [
    'Lark grammar',
    ['start: a b\na: "x" | "y" a\nb: "z"\n', '// note\nstart: a b | b\na: "q"\nb: "r" a\n'],
    readGrammar,
  ],
  [
    'NLTK grammar',
    ["S -> NP VP\nNP -> 'she'\nVP -> 'runs' [0.5] | 'sees' NP [0.5]\n", "%start X\nX -> 'a' X | 'a'\n"],
    parseNltkGrammar,
  ],
  ['weighted grammar', ["S -> A B [1]\nA -> 'a' [0.5] | 'b' [0.5]\nB -> 'c' [1]"], parsePcfg],
  [
    'graph',
    [
      'a b\nb c # note\n',
      '{"nodes":["a","b"],"edges":[["a","b"]]}',
      '{"nodes":[{"id":1},{"id":2}],"links":[{"source":1,"target":2}]}',
      '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
    ],
    parseGraph,
  ],
  ['sound law', ['p > b / V _ V', '[voiceless stop] > [voiced] / # _ {a, e}', 's > h'], parseLaw],
  ['CSV', ['a,b\n1,"x, ""y"""\n2,\n'], (text) => [...csvRows(text)]],
  [
    'experiment',
    [
      'seed: 1\nitems: { task: relic/recognize, preset: relic-demo, count: 4 }\nmodels: ["baseline:gold"]\n',
      'items:\n  - task: recoglab/comparison\n    preset: feasibility\nmodels:\n  - model: openai:gpt-4o\n    settings: { temperature: 0 }\n',
    ],
    (text) => readExperiment(text),
  ],
  [
    'body of a response',
    [chat, claude, gemini, responses],
    (text) => {
      const body = parseBody(text, true)
      return [body === null ? null : decodeResponse(body), usageIn(text)]
    },
  ],
  [
    'line of an OpenAI batch',
    [`{"custom_id":"k","response":{"status_code":200,"body":${chat}},"error":null}`],
    ofJson(openAiLine),
  ],
  [
    'line of an Anthropic batch',
    [`{"custom_id":"k","result":{"type":"succeeded","message":${claude}}}`],
    ofJson(anthropicLine),
  ],
  ['line of a Gemini batch', [`{"key":"k","response":${gemini}}`], ofJson(geminiLine)],
  [
    'line of lm-evaluation-harness',
    ['{"doc_id":0,"doc":{"item":"a/1","style":"direct"},"target":"x","arguments":[["prompt",{}]],"resps":[["yes"]]}'],
    ofJson((value) => lmEvalLine(value, 'm')),
  ],
]

describe('changed texts give an error that says what was expected, or the same value again', () => {
  it.each(PARSERS)('%s', (name, texts, parse) => fuzz(name, texts, parse), 600_000)
})

const answered = families
  .flatMap(({ tasks }) => tasks)
  .filter((task) => task.parsers !== undefined && task.gold !== undefined)

describe('parsers of answers never throw', () => {
  it.each(answered.map((task): [string, Task] => [task.name, task]))(
    '%s',
    (name, task) => {
      const presets = Object.keys(task.presets)
      // The least there is: items that take minutes to make would say no more of parsers.
      const preset = (presets.find((one) => /demo$|easy$|lite$/u.test(one)) ?? presets[0]) as string
      const source = task.source(task.preset(preset).config, { split: 'test', seed: 'fuzz' })
      const items = Array.from({ length: Math.min(4, source.layout.size ?? 4) }, (_, index) =>
        source.item(index),
      ).filter((item) => item.kind === 'item')
      const texts = items.flatMap((item) => {
        const right = task.gold?.(item) ?? ''
        return [right, `I think.\n\n**Answer:** ${right}\n`, `<think>${right}</think>\n\`\`\`\n${right}\n\`\`\``]
      })
      const [item] = items
      if (item === undefined) throw new Error(`${name}: no item among the first`)
      fuzz(name, texts, (text) => [task.parsers?.strict(text, item), task.parsers?.lenient(text, item)])
    },
    600_000,
  )
})

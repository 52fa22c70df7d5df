import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../src/models/index.ts'
import { leastTokens } from '../../../src/models/prompt-cut.ts'
import { anthropicBody, chatBody, googleBody, type MockResponse, responsesBody } from '../../mock/bodies.ts'
import { readAs } from '../../mock/read-as.ts'

/**
 * A text in many languages and notations, and the fewest tokens that one of eight tokenizers (p50k, cl100k, o200k, Llama 3, Gemma, Qwen
 * 2.5, DeepSeek V3, Claude) makes of it forty times over, as counted with gpt-tokenizer 3 and @lenml/tokenizers 3.
 */
const COUNTED: readonly (readonly [string, number])[] = [
  [
    'Ibironke is older than Oskari. By the way, in the case of the United States of America, one of the most important things that we have to do is to be able to see it at the end of the day. ',
    1961,
  ],
  [
    'Das Donaudampfschiff fährt heute nach Wien, und morgen kehrt es wieder zurück. Ich weiß nicht, ob er es so weit schafft. ',
    1201,
  ],
  ['Không có gì quý hơn độc lập tự do. Việt Nam là một nước ở Đông Nam Á và có nhiều người. ', 961],
  ['微信公众号天天中彩票中国人民共和国是世界上人口最多的国家之一，我们今天一起去北京天安门广场。', 760],
  ['日本国民は、正当に選挙された国会における代表者を通じて行動し、われらとわれらの子孫のために。', 1000],
  ['모든 국민은 법 앞에 평등하다. 누구든지 성별 종교 또는 사회적 신분에 의하여 차별을 받지 아니한다. ', 1322],
  ['يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. ', 721],
  ['सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। ', 962],
  ['มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ', 1159],
  ['Все люди рождаются свободными и равными в своём достоинстве и правах. ', 721],
  ['Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι. ', 761],
  ['כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. ', 801],
  ['የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው። ', 1761],
  ['மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர். ', 763],
  ['ყველა ადამიანი იბადება თავისუფალი. ', 362],
  ["S -> NT12 NT4\nNT12 -> 't31' | NT4 NT7\n", 800],
  ['1 2 3 4 5 10 200 3000 ', 321],
  ['a b c d e f ', 241],
  ['- - - - ', 161],
  ['| | |\n|---|---|\n', 200],
  ['    for (let i = 0; i < n; i++) {\n        return i\n    }\n', 801],
  [`${' '.repeat(200)}x`, 120],
  [`${'='.repeat(500)} `, 361],
  [`${'a'.repeat(500)} `, 1320],
  [`${'\n'.repeat(300)}x`, 440],
  ['😀 😃 👨‍👩‍👧‍👦 ', 401],
  ['∀x ∃y (x ∈ y) ∧ ¬(y ⊂ z) ', 681],
  ['<div class="a"> </div> <br> <p> </p> ', 720],
  ['a\u00a0b\u00a0c\u3000d ', 161],
  ['https://example.com/a/b/c?x=1&y=2 ', 601],
  ['THE QUICK BROWN FOX ', 161],
  ['. . . . , , , ', 281],
  ["mother-in-law's don't can't ", 241],
]

describe('the least number of tokens of a text', () => {
  it.each(COUNTED)('is below what every tokenizer makes of it: %j', (text, fewest) => {
    expect(leastTokens(text.repeat(40))).toBeLessThanOrEqual(fewest)
  })

  it('is above half the words, so that a prompt cut to a third is seen', () => {
    const [english] = COUNTED[0] ?? ['']
    expect(leastTokens(english.repeat(40)) * 2).toBeGreaterThanOrEqual(1600)
    expect(leastTokens('数'.repeat(45_000))).toBeGreaterThan(300)
  })

  it('holds for any text in tokens of at most two whole words, or of 128 characters', () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
      .filter((text) => !/[\s\p{N}]/u.test(text))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const greedy = words.reduce((sum, one) => sum + Math.ceil(one.length / 128), 0) - Math.floor(words.length / 2)
        expect(leastTokens(words.join(' '))).toBeLessThanOrEqual(greedy)
      }),
    )
  })
})

/** 45,000 characters, as a grammar and its questions have them. */
const GRAMMAR = "NT12 -> NT4 NT7 | 't31'\n".repeat(1875)

describe('a prompt of which a server read only a part', () => {
  const answer = (usage: object | null): MockResponse => ({ text: 'Answer: Yes', usage })
  const bodies = [
    ['openai-compatible:m', chatBody],
    ['openai:m', chatBody],
    ['openai-responses:m', responsesBody],
    ['anthropic:m', anthropicBody],
    ['google:m', googleBody],
  ] as const

  it.each(bodies)('is a failure of its own, which no later reading grades: %s', async (spec, bodyOf) => {
    for (const input of [40, 2050, 4096]) {
      const body = JSON.stringify(bodyOf(answer({ input, output: 3 })))
      expect(await readAs(spec, 200, body, {}, GRAMMAR)).toMatchObject({
        kind: 'failure',
        code: 'prompt-cut',
        retry: 'never',
        free: false,
        body,
        message: expect.stringMatching(
          new RegExp(`^the server counted ${input} tokens in a prompt of 45000 characters`, 'u'),
        ),
      })
      expect(readBody(body, true, [{ role: 'user', content: GRAMMAR }])).toBeNull()
    }
  })

  it.each(bodies)('is none where the count fits, is not given, or comes from a cache: %s', async (spec, bodyOf) => {
    const fine = [
      { input: 20_000, output: 3 },
      { input: 20_000, output: 3, cached: 19_990 },
      { input: 0, output: 0 },
      null,
    ]
    for (const usage of fine)
      expect(await readAs(spec, 200, JSON.stringify(bodyOf(answer(usage))), {}, GRAMMAR)).toMatchObject({
        kind: 'answer',
        text: 'Answer: Yes',
      })
  })

  it.each<[string, object]>([
    ['beside its prompt tokens', { prompt_tokens: 12, prompt_tokens_details: { cached_tokens: 19_988 } }],
    ['as hits', { prompt_tokens: 12, prompt_cache_hit_tokens: 19_988 }],
    ['of Anthropic', { input_tokens: 3, cache_read_input_tokens: 19_000, cache_creation_input_tokens: 900 }],
    ['of Anthropic by their age', { input_tokens: 3, cache_creation: { ephemeral_5m_input_tokens: 19_000 } }],
    ['of Bedrock', { prompt_tokens: 3, cacheReadInputTokens: 19_000 }],
    ['in its total alone', { prompt_tokens: 12, completion_tokens: 3, total_tokens: 20_003 }],
  ])('is none where a server counts what it had cached %s', async (_, usage) => {
    expect(
      await readAs('openai-compatible:m', 200, JSON.stringify(chatBody(answer(usage))), {}, GRAMMAR),
    ).toMatchObject({
      kind: 'answer',
    })
  })

  it('is told from what was new to llama.cpp, and from what was written', async () => {
    const body = (more: object) => JSON.stringify({ ...chatBody(answer({ input: 12, output: 3 })), ...more })
    const read = (more: object) => readAs('openai-compatible:m', 200, body(more), {}, GRAMMAR)
    expect(await read({ timings: { cache_n: 19_988, prompt_n: 12 } })).toMatchObject({ kind: 'answer' })
    const usage = { prompt_tokens: 96, completion_tokens: 40_000, total_tokens: 40_096 }
    expect(await read({ usage })).toMatchObject({ code: 'prompt-cut' })
    const misses = { prompt_tokens: 96, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 96 }
    expect(await read({ usage: misses })).toMatchObject({ code: 'prompt-cut' })
  })

  it('is never said of a prompt that fits into every context, or of a filter', async () => {
    const one = JSON.stringify(chatBody(answer({ input: 1, output: 1 })))
    expect(await readAs('openai:m', 200, one, {}, GRAMMAR.slice(0, 2000))).toMatchObject({ kind: 'answer' })
    const filtered = JSON.stringify(chatBody({ ...answer({ input: 1, output: 1 }), finish: 'content_filter' }))
    expect(await readAs('openai:m', 200, filtered, {}, GRAMMAR)).toMatchObject({ kind: 'answer', finish: 'refused' })
  })
})

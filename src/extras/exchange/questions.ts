import { type Message, solutionText, UsageError } from '../../core/index.ts'
import { anthropicMessages, type Codec, googleGenerateContent, openAiChat } from '../../models/index.ts'
import { writeExperiment } from './jspsych/experiment.ts'
import { type About, type ExportQuestion, keyOf, promptOf, type Sink } from './line.ts'

type Questions = AsyncIterable<readonly ExportQuestion[]>

/** Writes questions for another tool. */
export interface QuestionExport {
  readonly describe: string
  write(questions: Questions, sink: Sink, about: About): Promise<void>
}

const lines = (of: (asked: ExportQuestion, about: About) => object | null, path: string) =>
  async function write(questions: Questions, sink: Sink, about: About): Promise<void> {
    await sink.append(path, '')
    for await (const page of questions) {
      const rows = page.flatMap((asked) => of(asked, about) ?? [])
      await sink.append(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
  }

/** Messages of a chat; null for a question that is scored by log-probabilities. */
const messagesOf = ({ request }: ExportQuestion): readonly Message[] | null =>
  request.kind === 'chat' ? request.messages : null
const facts = ({ item, style, task, config, group, features }: ExportQuestion) => ({
  item,
  style,
  task,
  config,
  group,
  ...features,
})

const inspectRow = (asked: ExportQuestion): object | null => {
  const input = messagesOf(asked)
  if (input === null) return null
  const { gold, choices } = asked
  return {
    id: keyOf(asked),
    input,
    target: gold ?? '',
    ...(choices === null ? {} : { choices }),
    metadata: facts(asked),
  }
}

/** A line of a file of batch requests, from the body that a live call would send. */
const batchRow =
  (codec: Codec, lineOf: (key: string, body: object) => object) =>
  (asked: ExportQuestion, { model, maxTokens }: About): object | null => {
    const messages = messagesOf(asked)
    return messages === null
      ? null
      : lineOf(keyOf(asked), codec.encode({ model, messages, settings: { maxTokens } }).body)
  }

const openAiRow = batchRow(openAiChat, (key, body) => ({
  custom_id: key,
  method: 'POST',
  url: '/v1/chat/completions',
  body,
}))
const anthropicRow = batchRow(anthropicMessages, (key, body) => ({ custom_id: key, params: body }))
const geminiRow = batchRow(googleGenerateContent, (key, body) => ({ key, request: body }))

const lmEvalRow = (asked: ExportQuestion): object => {
  const { item, style, gold, choices, request } = asked
  return { item, style, prompt: promptOf(request), gold: gold ?? '', ...(choices === null ? {} : { choices }) }
}

/** YAML of a text: JSON is YAML. */
const quoted = (text: string): string => JSON.stringify(text)

const lmEvalTask = ({ name, maxTokens }: About): string =>
  [
    `task: ${quoted(`touchstone_${name.replaceAll(/\W+/gu, '_')}`)}`,
    'dataset_path: json',
    'dataset_kwargs: {data_files: {test: ./prompts.jsonl}}',
    'test_split: test',
    'output_type: generate_until',
    'doc_to_text: "{{prompt}}"',
    'doc_to_target: "{{gold}}"',
    `generation_kwargs: {until: [], max_gen_toks: ${maxTokens}, do_sample: false}`,
    '# Scored by touchstone import lm-eval; this is a rough look only.',
    'metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true, ignore_case: true}]',
    'metadata: {version: 1}',
    '',
  ].join('\n')

const promptfooConfig = ({ name, model }: About): string =>
  [
    `description: ${quoted(name)}`,
    "prompts: ['{{prompt | safe}}']",
    `providers: [${quoted(model)}]`,
    '# Scored by touchstone import promptfoo; the assertions of closed questions are a rough look only.',
    'tests: file://tests.jsonl',
    '',
  ].join('\n')

/** Where answers are listed, one of those that are right must stand at the end. */
function promptfooRow({ item, style, request, gold, right }: ExportQuestion): object {
  const prompt = promptOf(request)
  const scheme = /^(?:file:\/\/|package:)/u.exec(prompt)?.[0]
  if (scheme !== undefined)
    throw new UsageError(`promptfoo would read a file instead of the prompt of ${item}, which begins with ${scheme}`)
  const accepted = right().map(literal)
  return {
    description: item,
    vars: { prompt: untemplated(prompt) },
    metadata: { item, style, ...(gold === null ? {} : { gold }) },
    ...(accepted.length === 0 ? {} : { assert: [{ type: 'regex', value: `(?:${accepted.join('|')})\\s*$` }] }),
  }
}

/** A text as a template of itself: promptfoo renders variables too. */
const untemplated = (text: string): string => text.replaceAll(/\{(?=[{%#])|#(?=\})/gu, "{{ '$&' }}")

/** A text as a pattern of itself. */
const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)

const field = (text: string): string => (/[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const CSV_COLUMNS = ['item', 'style', 'prompt', 'gold', 'choices'] as const
const csvRow = (asked: ExportQuestion): string =>
  [asked.item, asked.style, promptOf(asked.request), asked.gold ?? '', JSON.stringify(asked.choices ?? [])]
    .map(field)
    .join(',')

const chatRow = (asked: ExportQuestion, { detail }: About): object | null => {
  const asking = messagesOf(asked)
  if (asking === null || asked.solution === null) return null
  return { messages: [...asking, { role: 'assistant', content: solutionText(asked.solution(), detail) }] }
}
const plainRow = ({ request, solution }: ExportQuestion, { detail }: About): object | null =>
  solution === null ? null : { prompt: promptOf(request), completion: solutionText(solution(), detail) }

/** Worked solutions are for training: none of a split that is reported on. */
async function writeSolutions(questions: Questions, sink: Sink, about: About): Promise<void> {
  if (about.split !== 'train')
    throw new UsageError(
      `solutions are for training, and ${about.split === 'run' ? 'this is a run, which is reported on' : `this is the split "${about.split}"`}: make a dataset with touchstone generate TASK --split train`,
    )
  let rows = 0
  for await (const page of questions)
    for (const asked of page) {
      const [chat, plain] = [chatRow(asked, about), plainRow(asked, about)]
      if (chat === null || plain === null) throw new UsageError(`${asked.task} has no worked solutions`)
      await sink.append('chat.jsonl', `${JSON.stringify(chat)}\n`)
      await sink.append('plain.jsonl', `${JSON.stringify(plain)}\n`)
      rows++
    }
  if (rows === 0) throw new UsageError('there are no items')
}

/** Every form in which questions leave, by name. */
export const questionExports: { readonly [name: string]: QuestionExport } = {
  'inspect-dataset': {
    describe: 'dataset.jsonl for json_dataset() of Inspect',
    write: lines(inspectRow, 'dataset.jsonl'),
  },
  'lm-eval': {
    describe: 'task.yaml and prompts.jsonl for lm-evaluation-harness',
    async write(questions, sink, about) {
      await sink.append('task.yaml', lmEvalTask(about))
      await lines(lmEvalRow, 'prompts.jsonl')(questions, sink, about)
    },
  },
  'openai-batch': { describe: 'requests.jsonl for the batch API of OpenAI', write: lines(openAiRow, 'requests.jsonl') },
  'anthropic-batch': {
    describe: 'requests.jsonl for message batches of Anthropic: {"requests": the lines}',
    write: lines(anthropicRow, 'requests.jsonl'),
  },
  'gemini-batch': { describe: 'requests.jsonl for the batch API of Gemini', write: lines(geminiRow, 'requests.jsonl') },
  sft: { describe: 'worked solutions: chat.jsonl and plain.jsonl, of the train split', write: writeSolutions },
  jspsych: { describe: 'an experiment for people: open README.md there', write: writeExperiment },
  promptfoo: {
    describe: 'promptfooconfig.yaml and tests.jsonl for promptfoo',
    async write(questions, sink, about) {
      await sink.append('promptfooconfig.yaml', promptfooConfig(about))
      await lines(promptfooRow, 'tests.jsonl')(questions, sink, about)
    },
  },
  csv: {
    describe: 'questions.csv: item, style, prompt, gold, choices',
    async write(questions, sink) {
      await sink.append('questions.csv', `${CSV_COLUMNS.join(',')}\r\n`)
      for await (const page of questions)
        await sink.append('questions.csv', page.map((asked) => `${csvRow(asked)}\r\n`).join(''))
    },
  },
}

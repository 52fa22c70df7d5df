import { UsageError } from '../../../core/index.ts'
import { type About, type ExportQuestion, promptOf, type Sink } from '../line.ts'
import { withChecks } from './checks.ts'
import { counterbalanced } from './lists.ts'
import { consentPage, experimentScript, type From, indexPage, settingsScript, style } from './page.ts'

/** A page holds all of them. */
const MAX_QUESTIONS = 20_000
/** More choices are typed. */
const MAX_BUTTONS = 24

/** JSON that stays a script wherever it is put. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const shown = ({ item, style: how, request, choices }: ExportQuestion) => ({
  item,
  style: how,
  prompt: promptOf(request),
  choices: choices === null || choices.length === 0 || choices.length > MAX_BUTTONS ? null : choices,
})

const readme = (about: About, lists: number, questions: number): string => `# ${about.name}: an experiment for people

${questions} questions in ${lists} lists; a participant is asked one list. Open \`index.html\`, or put this folder on a server.

1. Replace the text of \`consent.html\`.
2. Say in \`settings.js\` what names a participant, and where data are sent (left as it is, participants save a file).
3. Send participant k to \`index.html?participant=NAME&list=L\` with L = k modulo ${lists}, so that every list is used equally often;
   without \`list\` one is drawn.

Lists 2k and 2k + 1 hold the same questions in reverse orders. No list holds two questions that differ by their answer only.
Put the files of all participants one after another, each starting on a new line, then
\`touchstone import responses FILE --from jspsych --out RUN --items DATASET\` (questions of a run: \`--out\` that run, without
\`--items\`). Participants who fail an attention check are excluded and listed.
`

/** Writes a folder with an experiment in jsPsych: a page, the questions in counterbalanced lists, and texts to fill in. */
export async function writeExperiment(
  questions: AsyncIterable<readonly ExportQuestion[]>,
  sink: Sink,
  about: About,
): Promise<void> {
  const all: ExportQuestion[] = []
  for await (const page of questions) {
    all.push(...page.filter(({ request }) => request.kind === 'chat'))
    if (all.length > MAX_QUESTIONS)
      throw new UsageError(`an experiment holds at most ${MAX_QUESTIONS} questions: generate a smaller set`)
  }
  if (all.length === 0) throw new UsageError('people cannot answer these questions: they are log-likelihood items')
  const { perPerson, scripts } = about
  const placed = all.map(({ item, draw, task, config, style: how, stratum }) => ({
    item,
    draw,
    cell: JSON.stringify([task, config, how, stratum]),
  }))
  const lists = counterbalanced(placed, perPerson ?? all.length)
  const experiment = {
    schema: 'touchstone/jspsych/1',
    study: about.name,
    questions: all.map(shown),
    lists: lists.map((list, at) => withChecks(list, `${about.name}/${at}`)),
  }
  const from: From = scripts === null ? { kind: 'network' } : { kind: 'folder', path: scripts }
  await sink.append('index.html', indexPage(about.name, from))
  await sink.append('consent.html', consentPage)
  await sink.append('settings.js', settingsScript)
  await sink.append('experiment.css', style)
  await sink.append('experiment.js', experimentScript)
  await sink.append('trials.js', `globalThis.EXPERIMENT = ${literal(experiment)}\n`)
  await sink.append('README.md', readme(about, lists.length, all.length))
}

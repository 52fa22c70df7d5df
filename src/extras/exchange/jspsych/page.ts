/** Files of jsPsych with their sha384: what unpkg gives for these versions, which never change. */
const SCRIPTS = [
  ['jspsych@8.3.0/dist/index.browser.min.js', 'PPMNzYQfqrWFhrOxhpwxXmKK+LDH//fBCLsvA/JIRHOfiuOcZ2j8wJhqo87V4R4B'],
  [
    '@jspsych/plugin-html-button-response@2.1.0/dist/index.browser.min.js',
    'tPGtXEC8xEbInWvarnxvJ3fyzeXwRDS0QjGUts+TGQ9I8OCxiqsv9lxTS3mEN6um',
  ],
  [
    '@jspsych/plugin-survey-text@2.1.1/dist/index.browser.min.js',
    'zsqp5G+ns0FQC22XQVyTA7zUWUP0trh2p9cvQlQhqen2al1J+llHID217LltT/WJ',
  ],
] as const
const STYLE = [
  'jspsych@8.3.0/css/jspsych.css',
  '+gGUkbtw2BJWSroKW2jzIEXGe7KxdycJ0Bo+CqzpIOSBHOYEHHRWETaV+v2mpdWX',
] as const
const NETWORK = 'https://unpkg.com'

/** Where files are loaded from: the network by their hashes, or a folder that holds copies of them by the same paths. */
export type From = { readonly kind: 'network' } | { readonly kind: 'folder'; readonly path: string }

/** Text inside HTML, also inside quotes. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/gu, (mark) => `&#${mark.charCodeAt(0)};`)

/** The page that a participant opens. */
export function indexPage(title: string, from: From): string {
  const at = ([path, hash]: readonly [path: string, hash: string], name: 'src' | 'href'): string =>
    from.kind === 'network'
      ? `${name}="${NETWORK}/${path}" integrity="sha384-${hash}" crossorigin="anonymous"`
      : `${name}="${escaped(from.path.replace(/\/+$/u, ''))}/${path}"`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<link rel="stylesheet" ${at(STYLE, 'href')}>`,
    '<link rel="stylesheet" href="experiment.css">',
    '<body></body>',
    ...SCRIPTS.map((script) => `<script ${at(script, 'src')}></script>`),
    ...['settings.js', 'trials.js', 'experiment.js'].map((path) => `<script src="${path}"></script>`),
    '</html>',
    '',
  ].join('\n')
}

export const consentPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Consent</title>
<h1>Consent</h1>
<p><strong>Replace this text</strong> by what your ethics board approved: who asks, what for, how long it takes, what is
kept and for how long, what is paid, and that everybody may stop at any time.</p>
</html>
`

export const settingsScript = `// Yours to change.
globalThis.SETTINGS = {
  // The part of the address that names the participant: index.html?participant=P17 (Prolific: PROLIFIC_PID).
  participant: 'participant',
  // An address that takes the data as JSON by POST; null: the participant is asked to save two files.
  saveTo: null,
}
`

export const style = `pre.question { white-space: pre-wrap; text-align: left; font: inherit; max-width: 46rem; margin: 0 auto 1.5rem; }
iframe.consent { width: min(46rem, 90vw); height: 60vh; border: 1px solid #999; }
.jspsych-btn kbd { color: #666; margin-right: 0.4em; }
`

/** What runs in the page: questions of one list, each text escaped where it becomes HTML. */
export const experimentScript = String.raw`'use strict'
const { study, questions, lists } = EXPERIMENT
const params = new URLSearchParams(location.search)
const safe = (text) => text.replace(/[&<>"']/g, (mark) => '&#' + mark.charCodeAt(0) + ';')
const shown = (text) => '<pre class="question">' + safe(text) + '</pre>'

const jsPsych = initJsPsych({ show_progress_bar: true, on_finish: finish })
const participant = (params.get(SETTINGS.participant) || jsPsych.randomization.randomID(12)).slice(0, 80)
const wanted = Number(params.get('list') ?? -1)
const list = lists[wanted] === undefined ? Math.floor(Math.random() * lists.length) : wanted
jsPsych.data.addProperties({ touchstone: 'touchstone/jspsych/1', study, participant, list })

/** Keys 1 to 9 press the buttons. */
function press(event) {
  if (/^[1-9]$/.test(event.key) && !event.repeat)
    document.querySelectorAll('#jspsych-html-button-response-btngroup button')[Number(event.key) - 1]?.click()
}
const button = (choice, at) =>
  '<button class="jspsych-btn">' + (at < 9 ? '<kbd>' + (at + 1) + '</kbd>' : '') + safe(choice) + '</button>'

const closed = (text, choices, data) => ({
  type: jsPsychHtmlButtonResponse,
  stimulus: shown(text),
  choices,
  button_html: button,
  button_layout: 'flex',
  data,
  save_trial_parameters: { stimulus: false },
  on_load: () => document.addEventListener('keydown', press),
  on_finish: (made) => {
    document.removeEventListener('keydown', press)
    made.text = choices[made.response]
  },
})
const typed = (text, data) => ({
  type: jsPsychSurveyText,
  preamble: shown(text),
  questions: [{ prompt: '<label for="input-0">Your answer</label>', name: 'text', rows: 5, columns: 70, required: true }],
  data,
  on_finish: (made) => { made.text = made.response.text },
})
const trialOf = (entry) => {
  if (typeof entry !== 'number')
    return closed(entry.check, entry.choices, { part: 'check', expected: entry.expected })
  const { item, style, prompt, choices } = questions[entry]
  const data = { part: 'question', item, style }
  return choices === null ? typed(prompt, data) : closed(prompt, choices, data)
}
const consent = {
  type: jsPsychHtmlButtonResponse,
  stimulus: '<iframe class="consent" title="Consent" src="consent.html" sandbox></iframe>',
  choices: ['I agree'],
  data: { part: 'consent' },
}

async function finish() {
  const data = jsPsych.data.get()
  const place = jsPsych.getDisplayElement()
  const say = (html) => { place.innerHTML = '<div class="jspsych-content"><p>Thank you.</p>' + html + '</div>' }
  if (SETTINGS.saveTo !== null) {
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(SETTINGS.saveTo, { method: 'POST', headers, body: data.json() }).catch(() => null)
    if (sent?.ok) return say('<p id="saved">Your answers are saved.</p>')
  }
  say('<p>Please save your answers and send the file to whoever asked you.</p><p><button id="csv">CSV</button> <button id="json">JSON</button></p>')
  const name = 'participant-' + participant.replace(/[^\w-]/g, '_')
  document.getElementById('csv').onclick = () => data.localSave('csv', name + '.csv')
  document.getElementById('json').onclick = () => data.localSave('json', name + '.json')
}

jsPsych.run([consent, ...lists[list].map(trialOf)])
`

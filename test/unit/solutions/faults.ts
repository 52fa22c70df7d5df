import type { Item, Task } from '../../../src/core/index.ts'

/** Presets that between them ask every kind of question a task has. */
export const PRESETS: { readonly [task: string]: readonly string[] } = {
  'relic/recognize': ['relic-demo'],
  'recoglab/comparison': ['people', 'objects', 'feasibility', 'consistency'],
  'recoglab/social': [
    'hops-tree-20-flavoured',
    'path-chain-10',
    'next-hop-tree-10',
    'one-way-20',
    'karate-34',
    'oldest-16',
    'youngest-10-published',
  ],
  'pbebench/induce': ['pbebench-lite', 'pbebench-lite-minimal'],
  'pbebench/reorder': ['pbebench-perm', 'pbebench-perm-unique'],
  'pbebench/sound-laws': ['valley-laws'],
  'pbebench/sound-change': ['sound-change-family', 'sound-change-loans'],
  'clutrr/kinship': ['hops-4', 'hops-8'],
  'slr-bench/trains': ['basic', 'easy', 'medium', 'hard'],
  'recoglab/families': ['size', 'hobby', 'larger', 'older', 'shared-hobbies'],
  'recoglab/syllogism': ['chain', 'judge', 'import-4', 'true-premises-3', 'capacity-8', 'capacity-8-published'],
}
/** What is wrong with a damaged step, and its text. */
export type Fault = readonly [kind: string, damaged: string]

/** Faults that a step may have. Each is false whatever the problem: why is said beside it. */
type Faults = (step: string) => readonly Fault[]

/** The faults of a step of a task's own solution: none where nothing can be said that is false. */
export function faultsOf(task: Pick<Task, 'name'>, item: Item, step: string): readonly Fault[] {
  // In a circle everything is more than everything, so that no comparison is false.
  if (item.answer === 'Inconsistent') return []
  return (FAULTS[task.name]?.(step) ?? []).filter(([, damaged]) => damaged !== step)
}

const more = (digits: string): string => String(Number(digits) + 1)

/** A step holds where one number is right and no other. */
const counted = (step: string): Fault => ['another number', step.replace(/\d+/u, more)]

/** Names after a colon are all that there are, each once. */
const listed = (step: string): readonly Fault[] => [
  ['a name forgotten', step.replace(/(: .*), [^,]+\.$/u, '$1.')],
  ['a name twice', step.replace(/: ([^,]+)(.*)\.$/u, ': $1$2, $1.')],
]

const relic: Faults = (step) =>
  step.includes('->')
    ? [
        // Then the parts do not make up the whole.
        ['a span longer', step.replace(/-(\d+)\]/u, (_, end: string) => `-${more(end)}]`)],
        ['an unknown symbol', step.replace(/^[\w']+/u, 'Unknown')],
        ['an unknown token', step.replace(/'[^']*'$/u, "'Ω'")],
      ]
    : [
        ['a symbol forgotten', step.replace(/: ([^,]+)$/u, ': none').replace(/, [^,]+$/u, '')],
        ['a symbol too many', step.endsWith('none') ? step.replace('none', 'S') : `${step}, Unknown`],
      ]

const OTHER: { readonly [word: string]: string } = {
  older: 'younger',
  younger: 'older',
  larger: 'smaller',
  smaller: 'larger',
}
const comparison: Faults = (step) => {
  const compared = /^(.*) is (older|younger|larger|smaller) than (.*)$/u.exec(step)
  const [, left = '', word = '', right = ''] = compared ?? []
  // Outside of a circle no two are each more than the other, and "not" follows from nothing but the reverse.
  if (compared !== null)
    return [
      ['turned round', `${left} is ${OTHER[word]} than ${right}`],
      ['sides exchanged', `${right} is ${word} than ${left}`],
      ['denied', `${left} is not ${word} than ${right}`],
    ]
  const names = /: (.*)\.$/u.exec(step)?.[1]?.split(', ') ?? []
  return [...listed(step), ['reversed', step.replace(names.join(', '), names.toReversed().join(', '))]]
}

const social: Faults = (step) => {
  if (step.includes('belongs'))
    return [
      ['another generation', step.replace(/oldest|youngest/u, (word) => (word === 'oldest' ? 'youngest' : 'oldest'))],
    ]
  // Ways begin and end with different people, and a longer or shorter one is none of the shortest.
  if (step.includes(' -> ')) {
    const names = /: (.*)\.$/u.exec(step)?.[1]?.split(' -> ') ?? []
    const told = (way: readonly string[]): string => `A shortest way: ${way.join(' -> ')}.`
    return [
      ...(names.length > 2 ? [['somebody left out', told(names.toSpliced(1, 1))] as const] : []),
      ['reversed', told(names.toReversed())],
      ['one more', told([...names, names.at(-1) ?? ''])],
    ]
  }
  return [counted(step), ...(step.includes(': ') ? listed(step) : [])]
}

const cascade: Faults = (step) => {
  // Ω is on no left side and in no output: once written it stays, and where it is looked for nothing changes.
  if (!/^\d/u.test(step)) return [['a letter that stays', step.replaceAll("')", "Ω')")]]
  const still = step.endsWith('no word changes.')
  const lines: readonly Fault[] = [
    ['another place', step.replace(/^\d+/u, more)],
    ['another count', step.replace(/(\d+) words? changes?\.$/u, (_, count: string) => `${more(count)} words change.`)],
    ['a word mistaken', step.replace(/"[^"]*" -> ("[^"]*")(?=[.,])/u, '"qqq" -> $1')],
    ['a word forgotten', step.replace(/, "[^"]*" -> "[^"]*"\.$/u, '.')],
  ]
  return still
    ? [...lines, ['a change that is none', step.replace('no word changes', '"a" -> "b"')]]
    : [...lines, ['a rule that changes nothing', step.replace("replace('", "replace('Ω")]]
}

const soundLaws: Faults = (step) => {
  // Lists of words and counts are exact: what is forgotten, added or counted otherwise is false.
  if (step.startsWith('No law of'))
    return [
      ['a word too many', step.replace(/\.$/u, ', Ω.')],
      ['a word forgotten', step.replace(/, [^,]+\.$/u, '.')],
    ]
  if (step.startsWith('In this order'))
    return [
      ['another count', step.replace(/make (\d+)/u, (_, count: string) => `make ${more(count)}`)],
      ['another total', step.replace(/of (\d+) word/u, (_, count: string) => `of ${more(count)} word`)],
      ['a law that is none', step.replace(/\.$/u, '; Ω.')],
    ]
  return [
    ['another place', step.replace(/ (\d+)\. /u, (_, place: string) => ` ${more(place)}. `)],
    ['another count', step.replace(/(\d+) words? changes?\.$/u, (_, count: string) => `${more(count)} words change.`)],
    ['a word mistaken', step.replace(/[^,:]+ -> ([^,:]+)\.$/u, ' Ω -> $1.')],
    ['a word forgotten', step.replace(/, [^,]+ -> [^,]+\.$/u, '.')],
    // Ω is in no word.
    [
      'a law that changes nothing',
      step.endsWith('no word changes.') ? step : step.replace(/ > [^:]+:/u, ' > Ω / Ω _:'),
    ],
  ]
}

const SYMMETRIC = /the (?:brother|sister|husband|wife) of/u
const kinship: Faults = (step) => [
  [
    'another relation',
    step.replace(/the [\w-]+ of/u, (said) => (said === 'the aunt of' ? 'the uncle of' : 'the aunt of')),
  ],
  // No other relation is its own inverse.
  ['sides exchanged', SYMMETRIC.test(step) ? step : step.replace(/^(\S+) (is .* of) (\S+)$/u, '$3 $2 $1')],
]

const trains: Faults = (step) =>
  step.startsWith('Rule: ')
    ? [
        ['a car of no train', step.replace('has_car(T, A), ', '')],
        ['a car of any train', step.replace('eastbound(T)', 'eastbound(X)')],
        ['a value that is none', step.replace(/\((\w), [a-z]+\)(?=[^(]*$)/u, '($1, transparent)')],
      ]
    : [
        [
          'another way',
          step.replace(/eastbound|westbound/u, (way) => (way === 'eastbound' ? 'westbound' : 'eastbound')),
        ],
        ['a car of another train', step.replace(/: train\d+_car/u, ': train999_car')],
        ['a value that there is not', step.replace(/ car is [a-z]+/u, ' car is transparent')],
      ]

const families: Faults = (step) => [
  counted(step),
  ...(/: /u.test(step) ? [...listed(step), ['nobody', step.replace(/: .*\.$/u, ': nobody.')] as const] : []),
]

/** What is said cannot follow together with what follows, and a case without it is none. */
const contradictory = (said: string): string =>
  said.replace(
    /^(so )?(all|no|some) (.*?) are (not )?/iu,
    (_, so = '', mood: string, subject: string, not?: string) => {
      const [word, denial] = CONTRADICTORY[`${mood.toLowerCase()}${not === undefined ? '' : ' not'}`] ?? ['', '']
      return `${so}${word} ${subject} are ${denial}`
    },
  )
const CONTRADICTORY: { readonly [mood: string]: readonly [word: string, denial: string] } = {
  all: ['Some', 'not '],
  'some not': ['All', ''],
  no: ['Some', ''],
  some: ['No', ''],
}
const syllogism: Faults = (step) =>
  step.startsWith('A case')
    ? [['a case of the contrary', step.replace(/"([^"]*)"/u, (_, said: string) => `"${contradictory(said)}"`)]]
    : [['the contrary', contradictory(step)]]

const FAULTS: { readonly [task: string]: Faults } = {
  'relic/recognize': relic,
  'recoglab/comparison': comparison,
  'recoglab/social': social,
  'recoglab/families': families,
  'recoglab/syllogism': syllogism,
  'pbebench/induce': cascade,
  'pbebench/reorder': cascade,
  'pbebench/sound-laws': cascade,
  'pbebench/sound-change': soundLaws,
  'clutrr/kinship': kinship,
  'slr-bench/trains': trains,
}

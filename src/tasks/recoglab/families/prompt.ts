import { goldLine } from '../common/answers.ts'
import { type About, type AnswerForm, shotsBy, type Wording } from '../common/prompt.ts'
import { type Config, config, hops, labelsOf } from './config.ts'
import { draw } from './draw.ts'
import { type FamilyRecord, fullName, type Given, type Person, type Question, type Shared } from './question.ts'

function aboutOf(given: Given): About {
  const surnames = given.families.map((family) => family.surname)
  return { kind: 'person', names: surnames, taken: allWords(given), home: surnames[0] as string }
}

function questionLine({ given }: Question): string {
  const { ask } = given
  const family = (f: number) => {
    const { surname, address } = given.families[f] as FamilyRecord
    return `the ${surname} family (${address})`
  }
  const person = (p: Person) => `${fullName(given, p)} (${(given.families[p[0]] as FamilyRecord).address})`
  switch (ask.kind) {
    case 'size':
      return `How many members does ${family(ask.family)} have?`
    case 'hobby':
      return `Is ${ask.hobby} one of the hobbies of ${person(ask.person)}?`
    case 'larger': {
      const [a, b] = ask.families
      const rule =
        ask.tie === null
          ? ''
          : ` If they have the same number, the answer is the family name that comes ${ask.tie} in the alphabet.`
      return `Which family has more members: ${family(a)} or ${family(b)}?${rule}`
    }
    case 'older': {
      const [a, b] = ask.people
      const rule =
        ask.tie === null
          ? ''
          : ` If they are the same age, the answer is the full name that comes ${ask.tie} in the alphabet.`
      return `Who is older: ${person(a)} or ${person(b)}?${rule}`
    }
    case 'shared-hobbies': {
      const [a, b] = ask.people
      return `Which hobbies do ${person(a)} and ${person(b)} have in common?`
    }
  }
}

const role = 'You look things up in records for people who need to rely on every detail.'

function formOf({ given }: Question): AnswerForm {
  switch (given.ask.kind) {
    case 'size':
      return { instruction: 'Answer with a whole number in digits.', final: 'the number', role }
    case 'hobby':
      return { instruction: 'Decide between Yes and No.', final: 'either Yes or No', role }
    case 'larger':
      return { instruction: 'Answer with the family name.', final: 'the family name', role }
    case 'older':
      return { instruction: 'Answer with first name and family name.', final: 'the full name', role }
    case 'shared-hobbies':
      return {
        instruction: `List them in alphabetical order separated by commas, or write N/A if there are none.`,
        final: 'the list',
        role,
      }
  }
}

/** Few families; answers take turns. */
const examples = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = { ...config.parse({ ...shared.like, hopLength: 0 }), families: 3 }
  const labels = labelsOf(full)
  const distances = hops(full)
  const levels = {
    hop: distances[i % distances.length] as number,
    tie: false,
    label: labels[(i + (shared.view[0] as number)) % labels.length] as string,
  }
  return { config: full, levels }
})

export const wording: Wording<Shared, Given, string> = {
  // The records keep their own order: how far apart two of them stand is part of the content.
  lines: ({ shared, given }) => given.families.map(formats[shared.format]),
  about: aboutOf,
  ask: questionLine,
  form: formOf,
  examples,
  gold: goldLine,
}

/** Surnames and first names of the records. */
export function allWords({ families }: Given): string[] {
  const words: string[] = []
  for (const { surname, members } of families) {
    words.push(surname)
    for (const { name } of members) words.push(name)
  }
  return words
}

type Writer = (family: FamilyRecord) => string

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const json: Writer = ({ surname, address, members }) =>
  JSON.stringify(
    {
      'Family Name': surname,
      Address: address,
      Members: members.map(({ name, age, hobbies }) => ({ Name: name, Age: age, Hobbies: hobbies })),
    },
    null,
    2,
  )

const yaml: Writer = ({ surname, address, members }) =>
  [
    `- family name: ${surname}`,
    `  address: "${address}"`,
    '  members:',
    ...members.flatMap(({ name, age, hobbies }) => [
      `    - name: ${name}`,
      `      age: ${age}`,
      `      hobbies: [${hobbies.join(', ')}]`,
    ]),
  ].join('\n')

const xml: Writer = ({ surname, address, members }) =>
  [
    '<family>',
    `  <name>${escaped(surname)}</name>`,
    `  <address>${escaped(address)}</address>`,
    ...members.flatMap(({ name, age, hobbies }) => [
      '  <member>',
      `    <name>${escaped(name)}</name>`,
      `    <age>${age}</age>`,
      ...hobbies.map((hobby) => `    <hobby>${escaped(hobby)}</hobby>`),
      '  </member>',
    ]),
    '</family>',
  ].join('\n')

const prose: Writer = ({ surname, address, members }) => {
  const people = members.map(({ name, age, hobbies }) => {
    const years = age === 1 ? '1 year' : `${age} years`
    const last = hobbies.at(-1) as string
    const likes = hobbies.length === 1 ? last : `${hobbies.slice(0, -1).join(', ')} and ${last}`
    return `${name} is ${years} old and likes ${likes}.`
  })
  const count = members.length === 1 ? 'has one member' : 'has these members'
  return `The ${surname} family lives at ${address} and ${count}. ${people.join(' ')}`
}

/** The same record in each format, as one block of text. */
export const formats: { readonly [format in 'json' | 'yaml' | 'xml' | 'prose']: Writer } = { json, yaml, xml, prose }

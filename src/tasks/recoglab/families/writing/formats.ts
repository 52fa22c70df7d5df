import type { FamilyRecord } from '../question.ts'

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

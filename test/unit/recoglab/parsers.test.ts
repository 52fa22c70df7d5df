import { describe, expect, it } from 'vitest'
import { parsers } from '../../../src/tasks/recoglab/families/parsers.ts'
import type { Ask, Question } from '../../../src/tasks/recoglab/families/question.ts'

const member = (name: string) => ({ name, age: 40, hobbies: ['chess'] })
const question = (ask: Ask): Question => ({
  shared: { format: 'json' } as Question['shared'],
  given: {
    families: [
      { surname: 'Ashford', address: '1 Elm Lane', members: [member('Ann')] },
      { surname: 'Birchley', address: '2 Elm Lane', members: [member('Bob')] },
    ],
    ask,
  },
})
const people = [
  [0, 0],
  [1, 0],
] as const
const readings = (text: string, ask: Ask) =>
  (['strict', 'lenient'] as const).map((name) => {
    const found = parsers[name](text, question(ask))
    return found.kind === 'extracted' ? found.answer : null
  })

describe('families: what strict and lenient read', () => {
  it.each([
    ['Answer: chess, hiking', 'chess, hiking', 'chess, hiking'],
    ['Answer: chess and hiking', 'chess, hiking', 'chess, hiking'],
    // The prompt asks for alphabetical order.
    ['Answer: hiking, chess', null, 'chess, hiking'],
    ['Answer: chess, chess', null, 'chess'],
    ['Answer: chess, hiking\n\nRowing is only of Ann.', null, 'chess, hiking'],
    ['Answer: N/A (chess is only of Ann)', null, 'N/A'],
    ['Both like rowing.\nThat is all', null, 'rowing'],
    ['N/A', 'N/A', 'N/A'],
  ])('hobbies: %j', (text, strict, lenient) => {
    expect(readings(text, { kind: 'shared-hobbies', people })).toEqual([strict, lenient])
  })

  it.each([
    ['Ann Ashford is 40, Bob Birchley 39.\nAnswer: Ann', 'Ann Ashford', 'Ann Ashford'],
    ['Answer: Bob Birchley', 'Bob Birchley', 'Bob Birchley'],
    ['Bob, as Ann Ashford is 39', null, 'Bob Birchley'],
    ['The older one is Bob Rushshaw', null, null],
    ['Answer: Bob, as Ann Ashford is 39', null, 'Bob Birchley'],
  ])('the older: %j', (text, strict, lenient) => {
    expect(readings(text, { kind: 'older', people, tie: null })).toEqual([strict, lenient])
  })

  it('counts members, one only with its unit', () => {
    const size: Ask = { kind: 'size', family: 0, most: 9 }
    expect(readings('They have one member, and no one else.', size)).toEqual([null, '1'])
    expect(readings('There are 4, and I miss no one.', size)).toEqual([null, '4'])
  })
})

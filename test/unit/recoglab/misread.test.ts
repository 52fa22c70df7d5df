import { describe, expect, it } from 'vitest'
import { choiceParser } from '../../../src/libraries/language/choice-parser.ts'
import { parsers as families } from '../../../src/tasks/recoglab/families/parsers.ts'
import type { Question as Families } from '../../../src/tasks/recoglab/families/question.ts'
import { parsers as social } from '../../../src/tasks/recoglab/social/parsers.ts'
import type { Ask, Question as Social } from '../../../src/tasks/recoglab/social/question.ts'

const asked = (ask: Ask): Social => ({
  shared: { order: 'random' } as unknown as Social['shared'],
  given: { relation: 'friend', oneWay: false, people: ['Ann', 'Bob', 'Carmen', 'Lisa'], edges: [[0, 1]], ask },
})
const hops = asked({ kind: 'hops', from: 0, to: 1, among: [1, 3] })
const path = asked({ kind: 'path', from: 0, to: 1 })
const read = (question: Social, text: string) => {
  const found = social.lenient(text, question)
  return found.kind === 'extracted' ? found.answer : null
}

/** Texts that an earlier reader turned into the opposite of what they say, or into one of two. */
describe('what was once misread', () => {
  it('is not the denied verdict, however the other one is called', () => {
    const { strict, lenient } = choiceParser(['Consistent', 'Inconsistent'])
    for (const text of ['Answer: Not consistent', 'Not consistent', '**Answer:** not *consistent*.'])
      for (const parse of [strict, lenient]) expect(parse(text)).toMatchObject({ kind: 'unparsed' })
    expect(lenient('Answer: Inconsistent')).toMatchObject({ answer: 'Inconsistent' })
  })

  it('is the verdict that remains', () => {
    const { lenient } = choiceParser(['Yes', 'No', 'Unknown'])
    expect(lenient('Yes or No cannot be said, so Unknown')).toMatchObject({ answer: 'Unknown' })
  })

  it.each([
    ['3 or 4', null],
    ['Answer: 3 or 4', null],
    ['It takes 4 hand-overs through 3 people', '4'],
    ['It takes 4 hand-overs through 3 people.\nAnswer: 4', '4'],
  ])('hops: %j', (text, answer) => {
    expect(read(hops, text)).toEqual(answer === null ? null : [answer])
  })

  it.each([
    ['Ann, Bob, Lisa', ['Ann', 'Bob', 'Lisa']],
    ['Answer: Ann, Bob, Lisa', ['Ann', 'Bob', 'Lisa']],
    ['(Ann, Bob, Lisa)', ['Ann', 'Bob', 'Lisa']],
    ["('Ann', 'Bob', 'Lisa')", ['Ann', 'Bob', 'Lisa']],
    ['1. Ann\n2. Bob\n3. Lisa', ['Ann', 'Bob', 'Lisa']],
    ['1. Ann\n2. Bob\n3. Zoe', null],
    ['not Ann, Bob, Lisa', null],
  ])('a way: %j', (text, answer) => {
    expect(read(path, text)).toEqual(answer)
  })

  it('is the name that is asserted, not the one beside it', () => {
    const { lenient } = choiceParser(['Carmen', 'Lisa'], { named: true })
    expect(lenient('Carmen, not Lisa')).toMatchObject({ answer: 'Carmen' })
    expect(lenient('Not Carmen but Lisa')).toMatchObject({ answer: 'Lisa' })
  })

  const member = (name: string, hobbies: readonly string[] = []) => ({ name, age: 40, hobbies })
  const people = [
    [0, 0],
    [1, 0],
  ] as const
  const asking = (ask: Families['given']['ask']): Families => ({
    shared: { format: 'json' } as Families['shared'],
    given: {
      families: [
        { surname: 'Ashham', address: '1 Elm Lane', members: [member('Raul', ['chess', 'hiking'])] },
        { surname: 'Rushshaw', address: '2 Elm Lane', members: [member('Bob', ['chess', 'hiking'])] },
      ],
      ask,
    },
  })

  it('is nobody of another family', () => {
    const older = asking({ kind: 'older', people, tie: null })
    for (const parse of [families.strict, families.lenient])
      expect(parse('Raul Rushshaw', older)).toMatchObject({ kind: 'unparsed' })
  })

  it('is all bullets or none, never the last one', () => {
    const hobbies = asking({ kind: 'shared-hobbies', people })
    expect(families.strict('- chess\n- hiking', hobbies)).toMatchObject({ kind: 'unparsed' })
    expect(families.lenient('- chess\n- hiking', hobbies)).toMatchObject({ answer: 'chess, hiking' })
  })
})

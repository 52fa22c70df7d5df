import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAsserted } from '../../../src/libraries/language/asserted.ts'

const STATED = 'Ann is older than Bea'
/** Whether each place of a text where it is stated asserts it. */
const asserted = (text: string): boolean[] =>
  [...text.matchAll(new RegExp(STATED, 'gu'))].map(({ index }) => isAsserted(text, [index, index + STATED.length]))

describe('a statement', () => {
  it.each([
    STATED,
    `So ${STATED}.`,
    `**${STATED}**`,
    `2) ${STATED}`,
    `We know that ${STATED}, and that is all.`,
    `Since ${STATED} and Cid is not old, we go on.`,
    `Cid is not older than Dan, so ${STATED}.`,
    `Is Cid old? No. ${STATED}`,
    `Because ${STATED}, Bea is younger.`,
    `First, ${STATED}; what else?`,
    `From statement 3: ${STATED} (given).`,
  ])('is asserted: %s', (text) => {
    expect(asserted(text)).toEqual([true])
  })

  it.each([
    `It is false that ${STATED}.`,
    `It is not the case that ${STATED}`,
    `Not true: ${STATED}`,
    `Neither Cid nor ${STATED}`,
    `${STATED}?`,
    `${STATED} is wrong.`,
    `${STATED}, which is false.`,
    `${STATED}, but that is a mistake.`,
    `If ${STATED}, Cid is older.`,
    `So if Cid is old and ${STATED}, then it holds.`,
    `Suppose ${STATED}.`,
    `Perhaps ${STATED}.`,
    `We must show that ${STATED}.`,
    `The question is whether ${STATED}`,
    `${STATED} or Cid.`,
    `${STATED} if Cid is.`,
    `The mother of ${STATED}.`,
    `~~${STATED}~~`,
    `Nobody says that ${STATED}`,
    `Almost ${STATED}`,
    `The opposite of: ${STATED}.`,
    `I refuse to believe ${STATED}.`,
    `Is it so that ${STATED}`,
  ])('is not asserted: %s', (text) => {
    expect(asserted(text)).toEqual([false])
  })

  it('is looked at a bounded way, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = `${before}\n${STATED}.${after}`
        expect(isAsserted(text, [before.length + 1, before.length + 1 + STATED.length])).toBe(true)
      }),
    )
    expect(asserted(`${STATED}, `.repeat(20_000))).toHaveLength(20_000)
  })
})

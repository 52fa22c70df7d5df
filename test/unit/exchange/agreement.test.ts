import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agreementOf } from '../../../src/lab/agreement.ts'
import { scratch } from '../../mock/context.ts'

const { folder, remove } = await scratch()
afterAll(remove)

const file = async (text: string): Promise<string> => {
  const path = join(folder, 'labels.csv')
  await writeFile(path, text)
  return path
}

/** Three people and a judge on strategies, as 20 responses in the appendix of a paper were labelled. */
const people = [
  ['rule', 'rule', 'rule', 'rule'],
  ['rule', 'rule', 'rule', 'heuristic'],
  ['heuristic', 'heuristic', 'rule', 'heuristic'],
  ['heuristic', 'code', 'rule', 'code'],
]
const csv = `unit,rater,label\n${people
  .flatMap((labels, unit) => labels.map((label, r) => `${unit},${['ann', 'bob', 'cy', 'judge'][r]},${label}`))
  .join('\n')}\n`

describe('agreement from a CSV file', () => {
  it('holds a judge against the majority of the others', async () => {
    const found = await agreementOf(await file(csv), 'judge')
    expect(found).toMatchObject({
      units: 4,
      raters: ['ann', 'bob', 'cy', 'judge'],
      labels: ['rule', 'heuristic', 'code'],
    })
    // The last unit has no majority.
    expect(found.judge).toEqual({ name: 'judge', majority: 2 / 3, units: 3, weighted: (1 + 0 + 2 / 3 + 1 / 3) / 4 })
    expect(found.pairs).toHaveLength(6)
    expect(found.pairs[0]).toMatchObject({ first: 'ann', second: 'bob', units: 4, share: 0.75 })
  })

  it('says what is wrong with a file', async () => {
    await expect(agreementOf(await file('a,b\n1,2\n'))).rejects.toThrow(
      /needs the columns unit, rater and label; it has a, b/,
    )
    await expect(agreementOf(await file('unit,rater,label\n1,a,x\n1,a,y\n'))).rejects.toThrow(
      /line 3: a labels 1 twice/,
    )
    await expect(agreementOf(await file('unit,rater,label\n1,a,x\n'))).rejects.toThrow(/labels of 1 raters/)
    await expect(agreementOf(await file(csv), 'jugde')).rejects.toThrow(/no rater "jugde"; it has ann/)
    await expect(agreementOf('/nowhere/labels.csv')).rejects.toThrow(/nowhere/)
  })

  it('takes an empty label for none, and hostile names as names', async () => {
    const found = await agreementOf(
      await file('unit,rater,label\n__proto__,a,x\n__proto__,b,\n1,a,x\n1,b,constructor\n'),
    )
    expect(found).toMatchObject({ units: 2, raters: ['a', 'b'], pairs: [{ units: 1, share: 0 }] })
  })
})

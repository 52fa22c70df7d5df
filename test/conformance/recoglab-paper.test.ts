import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { solve } from '../../src/tasks/recoglab/comparison/oracle.ts'
import { comparison } from '../../src/tasks/recoglab/comparison/task.ts'
import type { PublishedRecord } from '../../src/tasks/recoglab/importers/records.ts'
import { toComparison } from '../../src/tasks/recoglab/importers/to-comparison.ts'
import { toSyllogism } from '../../src/tasks/recoglab/importers/to-syllogism.ts'
import { solve as solveSyllogism } from '../../src/tasks/recoglab/syllogism/oracle.ts'

const paper = join(
  process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared'),
  'papers/recoglab.txt',
)

/** The examples printed in appendix D: what stands between "Question:" and "Answer(s):", and the line after it. */
function printed(section: RegExp): PublishedRecord[] {
  const text = readFileSync(paper, 'utf8')
  const appendix = section.exec(text.slice(text.indexOf('D ADDITIONAL TEST EXAMPLES')))?.[0] ?? ''
  return [...appendix.matchAll(/^Question:\n([\s\S]*?)^Answer\(s\):\s*([^\n]+)$/gm)].map((match, index) => ({
    dataset: 'paper',
    path: paper,
    line: null,
    index,
    // One line of the extracted text holds two statements.
    question: (match[1] as string).replace('Coffee mug Playbill', 'Coffee mug\nPlaybill').trim(),
    answers: [(match[2] as string).trim()],
    metadata: new Map(),
  }))
}

describe.skipIf(!existsSync(paper))('the examples printed in the ReCogLab paper', () => {
  it('comparison: our oracle finds the printed answers, and so does the alphabet', () => {
    const records = printed(/D\.1 COMPARISON[\s\S]*?D\.2 SOCIAL/)
    expect(records).toHaveLength(6)
    let statements = 0
    for (const record of records) {
      const read = toComparison(record)
      if (read?.kind !== 'item') throw new Error(`example ${record.index} was not read`)
      expect(solve(read)).toBe(record.answers[0])
      expect(comparison.heuristics?.['list-order']?.({ shared: read.shared, given: read.given })).toBe(
        record.answers[0],
      )
      statements += read.given.statements.length
    }
    // 19 statements for 20 entities in each of six examples: the 114 that all follow the alphabet (specification, section 9.2).
    expect(statements).toBe(114)
  })

  it('syllogisms: 2-SAT finds the printed answers', () => {
    const records = printed(/D\.4 SYLLOGISMS[\s\S]*/)
    const read = records.flatMap((record) => {
      const found = toSyllogism(record)
      return found?.kind === 'item' ? [found] : []
    })
    expect(read.length).toBeGreaterThan(0)
    for (const item of read) expect(solveSyllogism(item)).toBe(item.answer)
  })
})

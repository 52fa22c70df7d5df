import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import type { Audited } from '../../../src/view/client/tasks/audit.ts'
import { work } from '../../../src/view/client/tasks/work.ts'

test('the playground finds in fresh items what the command finds in the same items as a dataset', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-studio-'))
  try {
    const lab = await openLab()
    const content = { task: 'recoglab/comparison', preset: 'people', seed: '3' }
    await lab.generate({ ...content, count: 40, split: 'playground', out: join(folder, 'set') })
    const command = await lab.audit(join(folder, 'set'))
    const playground = (await work({
      kind: 'audit',
      ...content,
      changes: {},
      split: 'playground',
      count: 40,
    })) as Audited
    // Permutations are drawn from the root, which a playground does not have: what they are drawn about is the same.
    const found = ({ tests }: Pick<typeof command, 'tests'>) =>
      tests.map(({ probe, mode, n, accuracy, gain }) => ({ probe, mode, n, accuracy, gain })).sort(byProbe)
    expect(found(playground.audit)).toEqual(found(command))
    expect(found(command).length).toBeGreaterThan(12)
    expect(playground.items).toBe(40)
    expect(playground.answers.reduce((sum, { share }) => sum + share.value, 0)).toBeCloseTo(1, 9)
    expect(playground.sizes.map(({ what }) => what)).toContain('steps of the worked solution')
    // A copy for a worker: nothing in it but data.
    expect(structuredClone(playground)).toEqual(playground)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const byProbe = (a: { readonly probe: string; readonly mode: string }, b: typeof a): number =>
  `${a.probe} ${a.mode}`.localeCompare(`${b.probe} ${b.mode}`)

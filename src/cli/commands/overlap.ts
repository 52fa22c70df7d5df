import { buildCommand } from '@stricli/core'
import type { Overlap } from '../../datasets/index.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { interruptible } from '../interrupt.ts'
import { labOf } from '../lab.ts'
import { aligned, print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out?: string
  readonly write: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const overlap = buildCommand<Flags, [string, string?], Context>({
  docs: { brief: 'Which contents do two datasets share, up to renaming? With one: does its fence hold?' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'A dataset folder', parse: text, placeholder: 'a' },
        { brief: 'Another of the same task', parse: text, placeholder: 'b', optional: true },
      ],
    },
    flags: {
      out: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The file to write (overlap.json in the first folder)',
      },
      write: { kind: 'boolean', default: true, brief: 'Write the result to a file' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func({ out, write, json, plugin = [] }, folder, other) {
    const lab = await labOf({ plugin })
    const bar = progress(this, 'overlap')
    try {
      const result = await interruptible(this, (signal) =>
        lab.overlap(folder, {
          ...(other === undefined ? {} : { other }),
          ...(out === undefined ? {} : { out }),
          write,
          onProgress: bar.update,
          signal,
        }),
      )
      bar.end()
      if (result.status !== 'disjoint') this.process.exitCode = exits.failed
      if (json) printJson(this, result)
      else print(this, ...lines(result))
    } finally {
      bar.end()
    }
  },
})

function lines({ items, groups, partition: fence, possible, status, b, notes }: Overlap): string[] {
  const table = [
    ['items', 'L0', items.L0],
    ['items', 'L1', items.L1],
    ['items', 'L2', items.L2],
    ['groups', 'L0', groups?.L0 ?? null],
    ['groups', 'L2', groups?.L2 ?? null],
  ] as const
  const rows = table.flatMap(([kind, level, found]) =>
    found === null
      ? []
      : [[kind, level, found.inA, found.inB, found.insideA, found.insideB, found.shared].map((cell) => String(cell))],
  )
  const proofs = (['a', 'b'] as const).flatMap((side) => {
    const proof = fence[side]
    if (proof === null) return []
    const { checked, violations, split, domain, of } = proof
    return [
      `partition of ${side}: ${checked - violations} of ${checked} ${of} keys are in the buckets of "${split}" (${domain})`,
    ]
  })
  return [
    ...aligned([['', 'level', 'in a', 'in b', 'repeated in a', 'repeated in b', 'shared'], ...rows], [2, 3, 4, 5, 6]),
    ...(possible > 0
      ? [`${possible} shared keys may be equal up to renaming: no form was found in reasonable time`]
      : []),
    ...proofs,
    ...(fence.disjoint ? ['the fences alone prove that the two share nothing, up to renaming'] : []),
    ...notes.map((note) => `note: ${note}`),
    b === null ? `status: ${status}` : `status: ${status}${status === 'disjoint' ? ' (nothing is shared)' : ''}`,
  ]
}

import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { aligned, print, printJson } from '../output.ts'
import { jsonFlag, text } from '../words.ts'

interface Flags {
  readonly judge?: string
  readonly run?: string
  readonly json: boolean
}

export const agreement = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'How far people or judge models agree on labels',
    fullDescription:
      'touchstone agreement LABELS.csv reads the columns unit, rater and label: the share that agrees, Krippendorff’s alpha, ' +
      'Fleiss’ kappa, and Cohen’s kappa of each two raters; with --judge one rater against the majority of the others.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'A CSV file with the columns unit, rater, label', parse: text, placeholder: 'labels' }],
    },
    flags: {
      judge: { kind: 'parsed', parse: text, optional: true, brief: 'The rater to be held against all others' },
      run: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'A run of touchstone judge: its models are raters too, its items the units (export --to prompts)',
      },
      json: jsonFlag,
    },
  },
  async func({ judge, run, json }, path) {
    const found = await (await labOf({}, run)).agreement(path, judge, run)
    if (json) return printJson(this, found)
    print(
      this,
      `${found.units} units, ${found.raters.length} raters, labels ${found.labels.join(', ')}`,
      ...aligned(
        [
          ['  largest group that agrees', shown(found.share)],
          ['  Krippendorff’s alpha', shown(found.krippendorff)],
          ['  Fleiss’ kappa', shown(found.fleiss)],
        ],
        [1],
      ),
      '',
      ...aligned(
        [
          ['raters', '', 'units', 'agree', 'Cohen’s kappa'],
          ...found.pairs.map(({ first, second, units, share, cohen }) => [
            first,
            second,
            String(units),
            shown(share),
            shown(cohen),
          ]),
        ],
        [2, 3, 4],
      ),
    )
    if (found.judge !== null)
      print(
        this,
        '',
        `${found.judge.name}: with the majority of the others on ${shown(found.judge.majority)} of ${found.judge.units} units, ` +
          `with ${shown(found.judge.weighted)} of the others on the average`,
      )
  },
})

const shown = (value: number | null): string => (value === null ? 'undefined' : value.toFixed(3))

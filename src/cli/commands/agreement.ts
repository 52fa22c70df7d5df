import type { agreementFlags, FlagsOf } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { aligned, type Context, print, printJson } from '../output.ts'

export default async function agreement(
  context: Context,
  { judge, run, json }: FlagsOf<typeof agreementFlags>,
  path: string,
): Promise<void> {
  const found = await (await labOf({}, run)).agreement(path, judge, run)
  if (json) return printJson(context, found)
  print(
    context,
    `${found.units} units, ${found.raters.length} raters, labels ${found.labels.join(', ')}`,
    ...aligned(
      [
        ['  largest group that agrees', fixed(found.share)],
        ['  Krippendorff’s alpha', fixed(found.krippendorff)],
        ['  Fleiss’ kappa', fixed(found.fleiss)],
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
          fixed(share),
          fixed(cohen),
        ]),
      ],
      [2, 3, 4],
    ),
  )
  if (found.judge === null) return
  const { name, majority, units, weighted } = found.judge
  print(
    context,
    '',
    `${name} agrees with the majority of the others on ${fixed(majority)} of ${units} units, with ${fixed(weighted)} of them on average`,
  )
}

const fixed = (value: number | null): string => (value === null ? 'undefined' : value.toFixed(3))

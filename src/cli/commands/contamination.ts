import type { FoundContamination } from '../../lab/index.ts'
import type { KeyReport } from '../../report/index.ts'
import type { contaminationFlags, FlagsOf } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { aligned, type Context, print, printJson } from '../output.ts'

export default async function contamination(
  context: Context,
  { json, plugins, ...request }: FlagsOf<typeof contaminationFlags>,
  published: string,
  fresh: string,
): Promise<void> {
  const found = await (await labOf({ plugins })).contamination(published, fresh, request)
  if (json) return printJson(context, found)
  print(context, ...described(found), ...(found.key === undefined ? [] : keyLines(request.model, found.key)))
}

function described({ model, before, result, placebos, incomplete }: FoundContamination): string[] {
  const { estimate, p, groups, strata, leftOut } = result
  const head = [['stratum', 'published', 'fresh', 'gap']]
  return [
    `${model}: ${signed(estimate.value)} on published items, compared with ${before.join(', ')}`,
    `  95 % CI [${signed(estimate.low)}, ${signed(estimate.high)}], one-sided p = ${p.toFixed(4)}`,
    `  ${estimate.n} items, ${groups.published} published and ${groups.fresh} fresh groups`,
    ...(incomplete > 0 ? [`  ${incomplete} items skipped: some models have no result for them`] : []),
    ...(leftOut.length > 0 ? [`  strata skipped (fewer than 2 groups on a side): ${leftOut.join('; ')}`] : []),
    ...aligned(
      [...head, ...strata.map((one) => [one.stratum, String(one.published), String(one.fresh), signed(one.gap)])],
      [1, 2, 3],
    ),
    ...placebos.flatMap(({ model: name, result: other }) =>
      other === null
        ? []
        : [`${name} against the other references: ${signed(other.estimate.value)}, p = ${other.p.toFixed(4)}`],
    ),
  ]
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

const keyLines = (model: string, { items, matches, expected, p, missing }: KeyReport): string[] => [
  `${model} gave the published answer to ${matches} of ${items} items; at most about ${expected.toFixed(1)} are expected without the key`,
  `  p = ${p < 1e-4 ? p.toExponential(1) : p.toFixed(4)} (as many matches without the key)`,
  ...(missing > 0 ? [`  ${missing} lines of the key skipped: ${model} has no response to these items`] : []),
]

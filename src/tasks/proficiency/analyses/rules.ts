import { type Analysis, type Cell, column, figure, marksBy, tableOf } from '../../../core/index.ts'
import { sum } from '../../../libraries/statistics/index.ts'
import { AUC_COLUMNS, aucCells } from './auc-of.ts'
import { curvesOf, language, model, needs, pointsOf } from './contexts.ts'

/** Which rules of a grammar were learnt: strings that use a rule, against strings of the grammar with that rule changed. */
export const rules: Analysis = {
  id: 'proficiency/rules',
  title: 'AUC rule by rule',
  notes: [
    'Inside: test strings that are derived by the rule (by the likeliest derivation). Outside: strings of the grammar with this rule changed, of the distances rule-1 to rule-7.',
    'Level 1 is the lowest: its right-hand sides are tokens. Figure: at the largest number of examples.',
  ],
  needs: [...needs, 'feature_rules', 'feature_changed'],
  run(frame) {
    const used = frame.number('feature_rules')
    const changed = frame.category('feature_changed')
    const ruleOf = (row: number) => (changed.levels[changed.codes[row] as number] ?? '').replace(/ becomes .*/u, '')
    const rows = curvesOf(frame).flatMap((curve) => {
      const most = Math.max(...curve.byK.keys())
      return pointsOf([curve]).flatMap(({ contexts, k, ...of }) => {
        const altered = contexts.flatMap(({ strings }) => strings.filter((s) => s.distance.startsWith('rule-')))
        return [...Map.groupBy(altered, ({ row }) => used[row] as number)]
          .map(([bit, own]) => {
            const { distance, row } = own[0]!
            const about = contexts.map(({ repetition, strings }) => ({
              repetition,
              strings: strings.filter((s) =>
                s.distance === '0' ? Math.floor((used[s.row] as number) / bit) % 2 === 1 : own.includes(s),
              ),
            }))
            const level = Number(distance.slice('rule-'.length))
            const rule = ruleOf(row)
            const cells = aucCells(about, (string) => string.distance !== '0')
            const drawn = k === most ? `${level}  ${rule}` : null
            return { key: { ...of, k, level, rule, drawn, chance: 0.5 }, about, own, cells }
          })
          .filter(({ cells }) => cells.auc !== null)
          .sort(({ key: a }, { key: b }) => a.level - b.level || (a.rule < b.rule ? -1 : 1))
      })
    })
    const title = 'AUC of strings that use a rule against those with the rule changed'
    const leading = [model, language, column.number('k', 'Examples')]
    const named = [...leading, column.number('level', 'Level'), column.text('rule', 'Rule')]
    const byRule = tableOf('proficiency/rules', title, named, rows, [
      [
        column.number('inside', 'Strings that use it'),
        ({ about, own }) => sum(about.map(({ strings }) => strings.length)) - own.length,
      ],
      [column.number('outside', 'Strings with it changed'), ({ own }) => own.length],
      ...AUC_COLUMNS.map(
        (one): Cell<(typeof rows)[number]> => [one, ({ cells }) => cells[one.key as keyof typeof cells]],
      ),
    ])
    const curve = figure(byRule, {
      title: 'AUC by changed rule',
      x: { key: 'drawn', label: 'Level and rule', scale: 'category' },
      y: { key: 'matched', label: 'Length-matched AUC' },
      facet: 'language',
      marks: [{ kind: 'reference', y: 'chance' }, ...marksBy('model', 'interval', 'point')],
    })
    return rows.length === 0 ? { tables: [] } : { tables: [byRule], figures: [curve] }
  },
}

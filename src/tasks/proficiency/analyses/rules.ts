import { type Analysis, column, figure, marksBy, table } from '../../../core/index.ts'
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
            return {
              ...of,
              k,
              level,
              rule,
              drawn: k === most ? `${level}  ${rule}` : null,
              inside: about.reduce((sum, { strings }) => sum + strings.length, 0) - own.length,
              outside: own.length,
              chance: 0.5,
              ...aucCells(about, (s) => s.distance !== '0'),
            }
          })
          .filter(({ auc }) => auc !== null)
          .sort((a, b) => a.level - b.level || (a.rule < b.rule ? -1 : 1))
      })
    })
    const byRule = table(
      'proficiency/rules',
      'AUC of strings that use a rule against those with the rule changed',
      [
        model,
        language,
        column.number('k', 'Examples'),
        column.number('level', 'Level'),
        column.text('rule', 'Rule'),
        column.number('inside', 'Strings that use it'),
        column.number('outside', 'Strings with it changed'),
        ...AUC_COLUMNS,
      ],
      rows,
    )
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

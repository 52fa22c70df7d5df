import { conditionsByName, type FilterCondition, type ItemsFilter } from '../../api/index.ts'

/**
 * A subset of items as the condition that `--where` takes on the command line: SQL over the columns of the rows. null where nothing is
 * selected.
 */
export function whereOf({ task, style, config, feature }: ItemsFilter): string | null {
  const facts = Object.entries({ task, style, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${literal(value)}`],
  )
  const features = [...conditionsByName(feature).values()].map(conditionsOn)
  const parts = [...facts, ...features]
  return parts.length === 0 ? null : parts.join(' AND ')
}

/** All bounds must hold, and one of the values where some are named. */
function conditionsOn(conditions: readonly FilterCondition[]): string {
  const written = conditions.map(({ name, operator, value }) => ({
    operator,
    sql: `"feature_${name}" ${operator} ${operator === '=' ? literal(value) : Number(value)}`,
  }))
  const same = written.filter(({ operator }) => operator === '=').map(({ sql }) => sql)
  const bounds = written.filter(({ operator }) => operator !== '=').map(({ sql }) => sql)
  return [...(same.length > 1 ? [`(${same.join(' OR ')})`] : same), ...bounds].join(' AND ')
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

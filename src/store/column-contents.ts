import { type Duck, pathLiteral } from './duck.ts'

/** How many values a column has, by what its file says without being read: a condition may leave fewer. */
export type Contents = 'nothing' | 'one value' | 'few values' | 'many values'

/** Up to so many values in a row group are few, where those of all groups are no more than `MOST`. */
const FEW = 1000
const MOST = 20 * FEW

/** By column; of a file without rows nothing is said. */
export async function contentsOf(duck: Duck, path: string): Promise<ReadonlyMap<string, Contents>> {
  // Ends are texts: groups may have the same least and the same greatest value, and only then are they compared.
  const sql = `SELECT path_in_schema,
      CASE WHEN SUM(stats_null_count) = SUM(num_values) THEN 'nothing'
        WHEN SUM(stats_null_count) = 0 AND BOOL_AND(min_is_exact AND max_is_exact) AND COUNT(stats_min_value) = COUNT(*)
          AND COUNT(DISTINCT stats_min_value) = 1 AND COUNT(DISTINCT stats_max_value) = 1
          AND MIN(stats_min_value) = MIN(stats_max_value) THEN 'one value'
        WHEN COUNT(stats_distinct_count) = COUNT(*) FILTER (stats_null_count < num_values)
          AND MAX(stats_distinct_count) <= ${FEW} AND SUM(stats_distinct_count) <= ${MOST} THEN 'few values'
        ELSE 'many values' END
    FROM parquet_metadata(${pathLiteral(path)}) GROUP BY path_in_schema`
  const rows = (await duck.connection.runAndReadAll(sql)).getRowsJS()
  return new Map(rows.map(([name, contents]) => [String(name), contents as Contents]))
}

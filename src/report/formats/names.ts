/** A file name for the id of a table or figure: `relic/table1` becomes `relic-table1`. */
export const fileName = (id: string): string =>
  id
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'table'

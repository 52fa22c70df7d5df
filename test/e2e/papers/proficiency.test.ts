import { entriesGiveTheirTables } from './entries.ts'

const few = 'repetitions: 1, tests: 4'
const smaller = (preset: string, examples: string, more = '') =>
  [`preset: ${preset} }`, `preset: ${preset}, config: { ${few}, examples: ${examples}${more} } }`] as const

// Whole grids, so that each string is asked with and without examples.
entriesGiveTheirTables('proficiency', [], {
  items: 100,
  smaller: {
    proficiency: smaller('paper', '[0, 1]', ', languages: [g5]'),
    'proficiency-figure4': smaller('figure-4', '[0, 128]', ', languages: [g5]'),
    'proficiency-modes': smaller('modes', '[0, 4]', ', languages: [g5]'),
    'proficiency-transfer': smaller('transfer', '[0, 4]'),
    'proficiency-memorisation': smaller('memorisation', '[0, 4]', ', neighbours: 2'),
  },
})

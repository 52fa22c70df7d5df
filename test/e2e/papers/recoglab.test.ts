import { entriesGiveTheirTables } from './entries.ts'

// Twenty-six configs, each with a local reader to be trained.
entriesGiveTheirTables('recoglab', [], {
  slow: ['recoglab-figure3'],
  smaller: { 'recoglab-figure2': ['seeds: [1, 30]', 'seeds: [1, 3]'] },
})

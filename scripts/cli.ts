import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliPage } from './cli-page.ts'

// Writes docs/cli.md from the declarations of the commands.

writeFileSync(join(import.meta.dirname, '../docs/cli.md'), cliPage())

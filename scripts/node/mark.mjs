// Run by npm (lifecycle script `dependencies`) after it has changed node_modules.
import { markInstalled } from './install.mjs'

markInstalled(process.cwd())

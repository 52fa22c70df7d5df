#!/usr/bin/env node
import module from 'node:module'

// Tested here, in syntax that every Node reads: the imports of the command line would fail first.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major >= 26 || (major === 24 && minor >= 15)) {
  module.enableCompileCache()
  await import('../dist/cli/main.js')
} else {
  process.stderr.write(
    `touchstone needs Node 24.15 or newer of line 24, or Node 26 or newer; this is ${process.version}\n`,
  )
  process.exitCode = 2
}

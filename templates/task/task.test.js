import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTask } from '@touchstone-eval/touchstone/testing'
import task from './task.js'

for (const preset of Object.keys(task.presets))
  test(`contract tests: ${preset}`, () => {
    const results = checkTask(task, task.preset(preset).config)
    assert.deepEqual(
      results.filter(({ kind }) => kind === 'failed'),
      [],
    )
  })

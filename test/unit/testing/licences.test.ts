import { expect, it } from 'vitest'
import { checkLicences, unlicensed } from '../../../scripts/testing/licences.ts'
import { passed } from '../../../scripts/testing/step.ts'

it('packages that users install have a licence that fits; those of development are not asked', () => {
  const packages = {
    '': { license: 'none' },
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { license: 'GPL-3.0' },
    'node_modules/c': {},
    'node_modules/d': { license: 'AGPL-3.0', dev: true },
  }
  expect(unlicensed({ packages })).toEqual(['node_modules/b: GPL-3.0', 'node_modules/c: no licence'])
  expect(checkLicences()).toEqual(passed)
})

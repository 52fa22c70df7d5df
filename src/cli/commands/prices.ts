import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { printJson } from '../output.ts'

export const prices = buildCommand<Record<never, never>, [], Context>({
  docs: {
    brief: 'Print the price file of the package: change a copy, and give it to `run --prices`',
  },
  parameters: {},
  async func() {
    const { shippedPrices } = await import('../../models/index.ts')
    printJson(this, shippedPrices)
  },
})

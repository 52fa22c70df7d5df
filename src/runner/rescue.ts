import { readBody } from '../models/index.ts'
import { settingsIn } from '../store/index.ts'
import { bookingOf } from './booking.ts'
import { responseEvent } from './call.ts'
import type { Run } from './run.ts'

export interface RescueResult {
  /** Kept bodies of cells that have no response. */
  readonly bodies: number
  /** Cells that have one now. */
  readonly rescued: number
}

/**
 * Reads again what came of attempts whose answers could not be read, with more patience than a run has: nothing is asked
 * or paid. A cell that gets a response this way is done.
 */
export async function rescueRun(run: Run): Promise<RescueResult> {
  let bodies = 0
  const rescued = new Set<number>()
  for await (const page of run.ledger.unread()) {
    for (const unread of page) {
      bodies++
      const model = run.file.models.find(({ name }) => name === unread.model)
      const request = run.sources.request(unread.item, unread.shared, unread.style)
      const messages = request.kind === 'chat' ? request.messages : []
      const answer = rescued.has(unread.cell) ? null : readBody(unread.body(), true, messages)
      if (answer === null || model === undefined) continue
      const { started, ended, http, requestId, most } = unread
      const reply = { ...answer, http, requestId }
      const cell = { ...unread, id: unread.cell, sample: 0 }
      const settings = settingsIn(unread.settings) as (typeof model.settings)[number]
      const { bounds } = bookingOf(run.sources, { model: { kind: 'chat' }, spec: model }, cell, settings)
      const event = responseEvent(run, model, cell, { reply, started, ended }, { most: most ?? 0, bounds })
      await run.ledger.commit([event])
      rescued.add(unread.cell)
    }
  }
  return { bodies, rescued: rescued.size }
}

import { afterEach, describe, expect, it, vi } from 'vitest'
import { onInterrupts } from '../../../src/cli/interrupt.ts'

afterEach(() => vi.restoreAllMocks())

describe('Ctrl-C', () => {
  it('takes one step after another, then ends the process, whatever that waits for', () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('ended')
    })
    const taken: string[] = []
    const deafen = onInterrupts([() => taken.push('stop'), () => taken.push('abort')])
    try {
      process.emit('SIGINT')
      process.emit('SIGTERM')
      expect(taken).toEqual(['stop', 'abort'])
      expect(exit).not.toHaveBeenCalled()
      expect(() => process.emit('SIGINT')).toThrow('ended')
      expect(exit).toHaveBeenCalledWith(130)
    } finally {
      deafen()
    }
  })
})

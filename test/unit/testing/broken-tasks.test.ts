import { describe, expect, it } from 'vitest'
import parity from '../../../examples/parity.ts'
import { defineTask, type Json, type JsonObject, type Task, type TaskDefinition } from '../../../src/core/index.ts'
import { checkTask } from '../../../src/testing/check.ts'

/** The example with something else in the place of a part of it. */
const withParts = (parts: { readonly [part: string]: unknown }): Task =>
  defineTask({ ...parity, ...parts } as unknown as TaskDefinition<JsonObject, Json, Json, Json, Json>)

const broken = (parts: Parameters<typeof withParts>[0]) => {
  const task = withParts(parts)
  return checkTask(task, task.configure({ length: 12 })).flatMap((result) =>
    result.kind === 'failed' ? [{ test: result.test, item: result.item, message: result.message }] : [],
  )
}

const even = { string: 'aabb' }
const label = { length: 4, label: 'even' }

describe('a contract test tells', () => {
  it('nothing of the example', () => {
    expect(broken({})).toEqual([])
  })

  it('a draw that ignores its label', () => {
    const drawn = (config: object, shared: null, at: object, draws: object, cell: object) =>
      parity.draw(
        config as never,
        shared,
        { ...at, levels: { label: 'even', length: 12 } } as never,
        draws as never,
        cell as never,
      )
    expect(broken({ draw: drawn })).toContainEqual({
      test: 'labels',
      item: expect.stringMatching(/^toy\/parity/),
      message: 'its slot has the label odd, its feature label is even',
    })
    const unnamed = (...given: Parameters<typeof drawn>) => ({ ...drawn(...given), features: { length: 12 } })
    expect(broken({ draw: unnamed, features: parity.features.pick({ length: true }) })).toContainEqual({
      test: 'labels',
      item: expect.stringMatching(/^toy\/parity/),
      message: 'items of the labels odd, even all have the answer even: draw must use at.levels["label"]',
    })
  })

  it('a label that is no answer, though there are as many', () => {
    let turn = 0
    const unnamed = (config: object, shared: null, at: object, draws: object, cell: object) => {
      const levels = { label: turn++ % 3 === 0 ? 'even' : 'odd', length: 12 }
      const drawn = parity.draw(config as never, shared, { ...at, levels } as never, draws as never, cell as never)
      return { ...drawn, features: { length: 12 } }
    }
    const messages = broken({ draw: unnamed, features: parity.features.pick({ length: true }) })
    expect(messages.find(({ test }) => test === 'labels')?.message).toMatch(
      /another item with the label (?:even|odd) has/,
    )
  })

  it('one prompt for all, and for other answers', () => {
    const request = () => ({ kind: 'chat', messages: [{ role: 'user', content: 'Even or odd?' }] })
    expect(broken({ request })).toEqual([
      {
        test: 'prompts',
        item: expect.any(String),
        message: expect.stringMatching(/item \S+ has the same prompt .* but the answer/),
      },
    ])
    const drawn = () => ({ kind: 'drawn', given: even, answer: 'even', features: label })
    expect(broken({ draw: drawn }).map(({ test }) => test)).toContain('seeds')
  })

  it('one canonical form for all', () => {
    expect(broken({ canonical: () => 'x' })).toEqual([
      { test: 'canonical', item: expect.any(String), message: expect.stringMatching(/"x" for 40 questions/) },
    ])
    expect(broken({ canonical: () => null })[0]?.message).toBe('canonical: expected a text, got null')
  })

  it.each([
    ['grade', 'oracle'],
    ['oracle', 'proof'],
    ['witness', 'proof'],
    ['gold', 'gold'],
    ['choices', 'choices'],
    ['request', 'request'],
  ])('of which item %s throws', (part, test) => {
    const throwing = () => {
      throw new TypeError('no such thing')
    }
    const found = broken({ [part]: throwing }).find((one) => one.test === test)
    expect(found).toMatchObject({ item: expect.stringMatching(/^toy\/parity/) })
    expect(found?.message).toMatch(new RegExp(`${part}.* throws TypeError: no such thing`, 'u'))
  })

  it('at which index draw throws', () => {
    const draw = (...given: Parameters<typeof parity.draw>) => {
      if (given[2].ordinal === 3) throw new TypeError('no such thing')
      return parity.draw(...given)
    }
    expect(broken({ draw })[0]?.message).toMatch(/^item \d+ cannot be drawn: draw throws TypeError: no such thing$/u)
  })

  it('in words which feature does not fit', () => {
    const features = parity.features.extend({ length: parity.features.shape['length'].max(5) })
    expect(broken({ features })).toEqual([
      {
        test: 'features',
        item: expect.any(String),
        message: 'its features do not fit: length: expected a number of at most 5, got 12',
      },
    ])
  })

  it('two texts at the place where they differ', () => {
    let drawn = 0
    const draw = (...given: Parameters<typeof parity.draw>) => {
      const made = parity.draw(...given)
      return 'given' in made ? { ...made, given: { string: `${'b'.repeat(300)}${drawn++}` } } : made
    }
    const order = broken({ draw }).find(({ test }) => test === 'order')
    expect(order?.message).toMatch(/expected …b{20,}\d.*, got …b{20,}\d.* \(from character \d+\)/u)
  })
})

import { expect, it } from 'vitest'
import { SequentialTest } from '../../../src/extras/sequential/index.ts'
import type { ModelQueue } from '../../../src/runner/schedule/model-queue.ts'
import { exceedsLead } from '../../../src/runner/schedule/model-queue.ts'

const lane = (name: string, asked: number, more: object = {}): ModelQueue =>
  ({
    spec: { name },
    sentCalls: asked,
    stopped: null,
    allSent: false,
    isLocalServer: false,
    limiter: name,
    ...more,
  }) as unknown as ModelQueue
const compared = (rule: string) =>
  new SequentialTest({ rule, alpha: 0.05, checkEvery: 5 }, ['a', 'b', 'c'], [], false).compared

it('holds a model up by those that it is compared with, and a third by both; the third holds up nobody', () => {
  const [a, b, slow] = [lane('a', 300), lane('b', 250), lane('c', 10)]
  const two = compared('a>b')
  expect([a, b].map((one) => exceedsLead(one, [a, b, slow], two))).toEqual([false, false])
  const [far, third] = [lane('a', 400), lane('c', 400)]
  expect([far, third, b].map((one) => exceedsLead(one, [far, b, third], two))).toEqual([true, true, false])
  const all = compared('width<0.1')
  expect([a, b].map((one) => exceedsLead(one, [a, b, slow], all))).toEqual([true, true])
})

it('lets the third have its turns where one server of this machine answers for all', () => {
  const here = { isLocalServer: true, limiter: 'http://localhost' }
  const [a, third] = [lane('a', 300, here), lane('c', 10, here)]
  expect(exceedsLead(a, [a, third], compared('a>b'))).toBe(true)
})

import { describe, expect, it } from 'vitest'
import { below, coin, type DeclaredShortcut, float, Sfc32, type Stream, shuffle } from '../../../../src/core/index.ts'
import { type Audit, type AuditOptions, auditItems } from '../../../../src/datasets/index.ts'
import { sample } from '../../../nightly.ts'
import { asItems, type Claim, claimTask } from '../../../toys/claim.ts'

const audit = (claims: readonly Claim[], more: Partial<AuditOptions> = {}): Promise<Audit> =>
  auditItems(claimTask(), asItems(claims), {
    root: '0'.repeat(64),
    groups: 0,
    style: 'plain',
    declaredShortcuts: [],
    layout: null,
    ...more,
  })

/** Half the items in a short run: what is planted there is large enough for half of them. */
const half = (n: number): number => sample({ nightly: n, otherwise: n / 2 })

const word = (stream: Stream): string => `w${below(stream, 40)}`
const text = (stream: Stream, length = 6 + below(stream, 8)): string =>
  Array.from({ length }, () => word(stream)).join(' ')
const words = (stream: Stream, i: number): string => `${text(stream)} number${i}`

/** Clean items, half of them `yes`; `make` may spoil them. */
function claims(
  n: number,
  seed: number,
  make: (yes: boolean, stream: Stream, i: number) => Partial<Claim> = () => ({}),
) {
  const stream = new Sfc32(seed, 1, 2, 3)
  for (let i = 0; i < 12; i++) stream.u32()
  const answers = shuffle(
    stream,
    Array.from({ length: n }, (_, i) => i % 2 === 0),
  )
  return answers.map((yes, i): Claim => {
    const plain = { text: words(stream, i), hint: below(stream, 100) }
    return { ...plain, answer: yes ? 'yes' : 'no', ...make(yes, stream, i) }
  })
}

const failing = ({ tests }: Audit): string[] =>
  tests.filter(({ status }) => status === 'fail').map(({ probe }) => probe)
const failedChecks = ({ checks }: Audit): string[] =>
  checks.filter(({ status }) => status === 'fail').map(({ name }) => name)
const testOf = ({ tests }: Audit, probe: string) => {
  const found = tests.find((test) => test.probe === probe)
  if (found === undefined) throw new Error(`no ${probe} among ${tests.map((test) => test.probe).join(', ')}`)
  return found
}

describe('a clean set', () => {
  it('passes, with what it could have found', async () => {
    const result = await audit(claims(1000, 1))
    expect(failing(result)).toEqual([])
    expect(result).toMatchObject({ status: 'inconclusive', informativeShare: 1, alpha: 0.01 })
    expect(result.testCount).toBe(result.tests.length)
    expect(result.testCount).toBeGreaterThan(50)
    // (z_{alpha/2m} + 0.84) / (2 sqrt n)
    expect(result.minimumDetectable).toBeGreaterThan(0.07)
    expect(result.minimumDetectable).toBeLessThan(0.08)
    expect(result.notLookedAt).toContain('prompt styles other')
    expect(result.verdict[0]).toMatch(/^INCONCLUSIVE: nothing found by \d+ probes/)
    expect(result.families.reduce((sum, { probes }) => sum + probes, 0)).toBe(result.power.probes)
  })

  it('of a task of one style has no style that was not read', async () => {
    const options = { root: '0'.repeat(64), groups: 0, style: 'plain', declaredShortcuts: [], layout: null }
    const { notLookedAt } = await auditItems({ ...claimTask(), styles: ['plain'] }, asItems(claims(60, 3)), options)
    expect(notLookedAt.filter((part) => part.startsWith('prompt styles'))).toEqual([])
  })

  it('of bundled answers is judged a visit at a time: two neighbours tell parity once', async () => {
    const strata = [{ answer: 'yes' }, { answer: 'no' }]
    const squares: number[] = []
    for (let seed = 0; seed < sample({ nightly: 30, otherwise: 8 }); seed++) {
      const stream = new Sfc32(seed, 7, 7, 7)
      const order = Array.from({ length: 60 }, () => (coin(stream) ? ['yes', 'no'] : ['no', 'yes'])).flat()
      const items = order.map(
        (answer, i): Claim => ({ text: words(stream, i), answer, stratum: answer === 'yes' ? 0 : 1 }),
      )
      const layout = { strata, label: 'answer', layout: 'none' as const }
      squares.push(testOf(await audit(items, { layout }), 'sequence/parity').z ** 2)
    }
    const variance = squares.reduce((sum, square) => sum + square, 0) / squares.length
    expect(variance).toBeGreaterThan(0.5)
    expect(variance).toBeLessThan(1.6)
  })

  it('never probes what is known only with the answer, nor identifiers', async () => {
    const { tests } = await audit(claims(200, 1))
    const probes = tests.map(({ probe }) => probe)
    expect(probes).toContain('feature/hint')
    expect(probes).not.toContain('feature/truth')
    expect(probes).not.toContain('feature/name')
  })

  it('gives the same result each time', async () => {
    expect(await audit(claims(half(300), 2))).toEqual(await audit(claims(half(300), 2)))
  })

  it('of nothing is untestable: labels that are constant inside blocks', async () => {
    const constant = claims(400, 12).map(
      (claim, i): Claim => ({ ...claim, group: i % 2, answer: i % 2 === 0 ? 'yes' : 'no' }),
    )
    const result = await audit(constant)
    expect(result).toMatchObject({ status: 'not-testable', informativeShare: 0, minimumDetectable: 1 })
  })
})

describe('planted cues', () => {
  it('are found: a word, a length, a feature, the order of items, a rule', async () => {
    const leak = (yes: boolean, stream: Stream) => (float(stream) < 0.65 ? yes : !yes)
    const spoiled = claims(1200, 3, (yes, stream, i) => {
      const parts = [
        text(stream, leak(yes, stream) ? 12 : 8),
        leak(yes, stream) ? 'signal' : 'noise',
        leak(yes, stream) ? 'twice twice' : 'twice once',
      ]
      return {
        text: `${parts.join(' ')} number${i}`,
        hint: leak(yes, stream) ? 3 : 7,
        guess: leak(yes, stream) ? 'yes' : 'no',
      }
    })
    const result = await audit(spoiled)
    expect(result.status).toBe('fail')
    for (const probe of ['token/signal', 'text/tokens', 'feature/hint', 'toy/guess', 'text/adjacent-repeats']) {
      expect(failing(result)).toContain(probe)
      const test = testOf(result, probe)
      expect(Math.abs(test.gain - 0.15), probe).toBeLessThan(0.05)
      expect(test.ci[0] < test.gain && test.gain < test.ci[1]).toBe(true)
    }
    const sorted = claims(half(1200), 3).toSorted((a, b) => (a.answer === b.answer ? 0 : a.answer === 'yes' ? -1 : 1))
    expect(failing(await audit(sorted))).toContain('sequence/position')
  })

  it('that only several words together tell are found by a learned probe', async () => {
    // yes: two words of one kind; no: one of each. No single word tells anything.
    const result = await audit(
      claims(1600, 4, (yes, stream, i) => {
        const first = coin(stream)
        const second = yes ? first : !first
        return { text: `${text(stream, 4)} ${first ? 'red' : 'blue'} ${second ? 'red' : 'blue'} number${i}` }
      }),
    )
    expect(failing(result).some((probe) => probe.startsWith('learned/'))).toBe(true)
  })

  it('that stand in the order of names are found', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `Name${String(i).padStart(2, '0')}`)
    const told = (inOrder: (yes: boolean, stream: Stream) => boolean) =>
      claims(half(1000), 5, (yes, stream) => {
        const three = shuffle(stream, names).slice(0, 3).sort()
        const [a, b, c] = shuffle(stream, three) as [string, string, string]
        const pair = [a, b].sort()
        const [first, second] = inOrder(yes, stream) ? pair : pair.toReversed()
        return { text: `${a} is taller than ${c}.\n${c} is taller than ${b}.\nIs ${first} taller than ${second}?` }
      })
    expect(failing(await audit(told((yes) => yes)))).toContain('query/in-order')
    expect(failing(await audit(told((_yes, stream) => coin(stream))))).toEqual([])
  })

  it('between groups are no finding: the model never sees labels of other items', async () => {
    const rates = claims(half(1000), 6).map((claim, i): Claim => {
      const group = i % 20
      return { ...claim, group, text: `group${group} ${claim.text}` }
    })
    expect(failing(await audit(rates))).toEqual([])
  })

  it('inside matched units only count', async () => {
    // Long items are more often yes, but strata hold that: 4 yes to 1 no among the long, 1 to 4 among the short.
    const layout = {
      strata: [
        { long: true, key: true },
        { long: true, key: false },
        { long: false, key: true },
        { long: false, key: false },
      ],
      label: 'key',
    }
    const uneven = claims(half(400), 7, (yes, stream, i) => {
      const long = yes === below(stream, 5) > 0
      return { text: `${text(stream, long ? 14 : 7)} number${i}`, stratum: (long ? 0 : 2) + (yes ? 0 : 1) }
    })
    const matched = await audit(uneven, { layout })
    expect(failing(matched)).toEqual([])
    expect(failedChecks(matched)).toEqual(['labels'])
    expect(failing(await audit(uneven))).toContain('text/tokens')
  })
})

describe('a verdict', () => {
  it('is a pass only where every probe would have seen a gain of the size asked for', async () => {
    const set = claims(1000, 21)
    const small = await audit(set)
    expect(small).toMatchObject({ status: 'inconclusive', power: { gain: 0.02 } })
    const { probes, underpowered: blind, itemsNeeded: needs } = small.power
    expect(blind).toBeGreaterThan(0)
    expect(blind).toBeLessThanOrEqual(probes)
    // A gain of .02 takes about ((z_{alpha/2m} + .84) / .04)^2 items: over ten thousand.
    expect(needs).toBeGreaterThan(10_000)
    expect(needs).toBeLessThan(100_000)
    expect(await audit(set, { minEffect: 0.15 })).toMatchObject({
      status: 'nothing-found',
      power: { gain: 0.15, probes, underpowered: 0, itemsNeeded: null },
    })
  })

  it('is a failure where something was found, however small the set', async () => {
    const told = claims(400, 22, (yes) => ({ hint: yes ? 1 : 0 }))
    expect(await audit(told)).toMatchObject({ status: 'fail', power: { gain: 0.02 } })
  })
})

describe('declared shortcuts', () => {
  /** The guess is right with 0.5 + gain. */
  const guessing = (gain: number, n = half(1000)) =>
    claims(n, 8, (yes, stream) => ({ guess: float(stream) < 0.5 + gain === yes ? 'yes' : 'no' }))
  const declare = (gain: readonly [number, number], more: Partial<DeclaredShortcut> = {}): DeclaredShortcut => ({
    probe: 'toy/guess',
    why: 'on purpose',
    gain,
    ...more,
  })

  it('are what the verdict says first, where the measured gain meets the interval: no pass', async () => {
    const result = await audit(guessing(0.2), { declaredShortcuts: [declare([0.18, 0.22])], minEffect: 0.15 })
    expect(result.status).toBe('declared')
    expect(result.declaredGains).toMatchObject([{ probe: 'toy/guess', why: 'on purpose' }])
    expect(result.verdict[0]).toMatch(/^DECLARED SHORTCUT: toy\/guess is right in 0\.(69|70|71)\d* \(chance 0\.5/)
    expect(result.verdict.join(' ')).not.toMatch(/^nothing found|pass/i)
    expect(testOf(result, 'toy/guess')).toMatchObject({ status: 'declared', declared: 'on purpose' })
  })

  it('fail where the gain is another', async () => {
    const result = await audit(guessing(0.3), { declaredShortcuts: [declare([0.05, 0.1])] })
    expect(result.status).toBe('fail')
    expect(testOf(result, 'toy/guess').status).toBe('fail')
  })

  it('are `stale` where there is nothing, unless nothing is declared too', async () => {
    const stale = await audit(guessing(0), { declaredShortcuts: [declare([0.1, 0.2])] })
    expect(testOf(stale, 'toy/guess').status).toBe('not-found')
    expect(stale.status).toBe('inconclusive')
    expect(stale.notes).toContainEqual(expect.stringMatching(/remove the declaration/))
    const allowed = await audit(guessing(0), { declaredShortcuts: [declare([0, 0.1])] })
    expect(testOf(allowed, 'toy/guess').status).toBe('declared')
  })

  it('undeclared fail: the control', async () => {
    expect(failing(await audit(guessing(0.2)))).toContain('toy/guess')
  })

  it('with a star speak of several probes; one that names no probe is noted', async () => {
    const hinted = claims(half(1000), 9, (yes, stream) => ({ hint: float(stream) < 0.7 === yes ? 1 : 0 }))
    const result = await audit(hinted, {
      declaredShortcuts: [
        { probe: 'feature/*', why: 'a hint', gain: [0.15, 0.25] },
        { probe: 'learned/*', why: 'sees it', gain: [0.0, 0.25] },
        { probe: 'relic/none', why: 'a slip', gain: [0, 1] },
      ],
    })
    expect(failing(result)).toEqual([])
    expect(testOf(result, 'feature/hint').status).toBe('declared')
    expect(result.notes).toContainEqual('the declared shortcut relic/none matches no probe')
  })

  it('with a condition must vanish inside its levels, and show outside', async () => {
    // Hard items: the guess tells nothing. Easy ones: it is right, and all of one label inside a level.
    const leaky = (inside: boolean) =>
      claims(half(1200), 10, (yes, stream) => {
        const guess = float(stream) < 0.8 ? yes : !yes
        const level = inside ? String(below(stream, 2)) : String(guess)
        return { guess: guess ? 'yes' : 'no', hardness: level }
      })
    const conditioned = [declare([0.25, 0.35], { condition: 'hardness' })]
    const result = await audit(leaky(false), { declaredShortcuts: conditioned })
    expect(failing(result)).toEqual([])
    expect(
      result.tests
        .filter(({ probe }) => probe === 'toy/guess')
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['declared', 'pass'])
    const unheld = await audit(leaky(true), { declaredShortcuts: conditioned })
    expect(failing(unheld)).toContain('toy/guess')
  })
})

describe('answers of other types', () => {
  it('several classes: a feature is tested for each', async () => {
    const choices = ['a', 'e', 'i', 'o']
    const four = (leak: boolean) =>
      claims(sample({ nightly: 1200, otherwise: 400 }), 13, (_yes, stream, i) => {
        const answer = choices[below(stream, 4)] as string
        return {
          answer,
          choices,
          text: `${words(stream, i)}${leak && answer === 'i' && coin(stream) ? ' signal' : ''}`,
        }
      })
    expect(failing(await audit(four(false)))).toEqual([])
    const told = await audit(four(true))
    expect(failing(told)).toContain('token/signal=i')
    // The word goes with this answer, and so not with others.
    expect(testOf(told, 'token/signal=i').z).toBeGreaterThan(0)
    expect(testOf(told, 'token/signal=a').z).toBeLessThan(0)
  })

  it('candidates of the item itself: place, mentions, names and rules', async () => {
    const five = (
      pick: (list: readonly string[], stream: Stream) => string,
      guess: (list: readonly string[]) => string,
    ) =>
      claims(600, 14, (_yes, stream, i) => {
        const choices = shuffle(
          stream,
          Array.from({ length: 40 }, (_, name) => `n${name}x`),
        ).slice(0, 5)
        const told = shuffle(stream, choices)
        return { choices, answer: pick(told, stream), guess: guess(told), text: `${told.join(' knows ')} number${i}` }
      })
    const any = (list: readonly string[], stream: Stream) => list[below(stream, 5)] as string
    const clean = await audit(five(any, (list) => list[0] as string))
    expect(failing(clean)).toEqual([])
    expect(testOf(clean, 'toy/guess').chance).toBeCloseTo(0.2, 2)
    const last = (list: readonly string[], stream: Stream) =>
      float(stream) < 0.4 ? (list[4] as string) : any(list, stream)
    const found = await audit(five(last, (list) => list[4] as string))
    expect(failing(found)).toEqual(expect.arrayContaining(['candidate/last-mention', 'toy/guess']))
    expect(testOf(found, 'toy/guess').accuracy).toBeCloseTo(0.52, 1)
    expect(testOf(found, 'toy/guess').gain).toBeCloseTo(0.32, 1)
  })

  it('several accepted candidates: chance is their share', async () => {
    const set = claims(600, 15, (_yes, stream, i) => {
      const choices = shuffle(stream, ['p', 'q', 'r', 's', `t${i}`])
      return { choices, answer: choices.slice(0, 2 + below(stream, 2)), guess: choices[4] as string }
    })
    const result = await audit(set)
    // The accepted ones always come first.
    expect(failing(result)).toEqual(expect.arrayContaining(['candidate/place', 'toy/guess']))
    expect(testOf(result, 'toy/guess')).toMatchObject({ accuracy: 0 })
    expect(testOf(result, 'toy/guess').chance).toBeCloseTo(0.5, 1)
  })

  it('several accepted candidates that keep together, now here and now there, are no shortcut', async () => {
    const list = [...'abcdefgh']
    const squares: number[] = []
    for (let seed = 0; seed < sample({ nightly: 60, otherwise: 16 }); seed++) {
      const set = claims(200, 100 + seed, (_yes, stream, i) => {
        const first = below(stream, 8)
        const answer = Array.from({ length: 4 }, (_, k) => list[(first + k) % 8] as string)
        return { choices: list, answer, text: words(stream, i) }
      })
      squares.push(testOf(await audit(set), 'candidate/place').z ** 2)
    }
    // One by one, half of eight in a row would have twice the variance that permuting them gives.
    const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length
    expect(mean).toBeGreaterThan(0.5)
    expect(mean).toBeLessThan(1.6)
  })

  it('open answers of a few values are classes, the rare ones pooled', async () => {
    const set = claims(half(800), 16, (_yes, stream, i) => {
      const answer = below(stream, 100) < 3 ? `rare${i}` : String(below(stream, 3))
      return { choices: [], answer, text: `${words(stream, i)}${answer === '2' ? ' two' : ''}` }
    })
    expect(failing(await audit(set))).toEqual(expect.arrayContaining(['token/two=2']))
  })

  describe('closed answers of which some are rare', () => {
    const numbers = Array.from({ length: 12 }, (_, i) => String(i))
    /** Six answers of 50 items each and six of 8; `leak`: a word beside the rare ones. */
    const uneven = (leak: boolean) => {
      const stream = new Sfc32(21, 1, 2, 3)
      const answers = shuffle(
        stream,
        numbers.flatMap((answer, i) => Array.from({ length: i < 6 ? 50 : 8 }, () => answer)),
      )
      return answers.map((answer, i): Claim => {
        const signal = leak ? Number(answer) >= 6 === float(stream) < 0.85 : coin(stream)
        return { text: `${words(stream, i)} ${signal ? 'signal' : 'noise'}`, hint: 0, answer, choices: numbers }
      })
    }
    it('test these as one class, and find what tells them', async () => {
      const clean = await audit(uneven(false))
      expect(failing(clean)).toEqual([])
      expect(clean.status).toBe('inconclusive')
      const probes = clean.tests.map(({ probe }) => probe)
      expect(probes).toContain('token/signal=(rare)')
      expect(probes).toContain('token/signal=5')
      expect(probes).not.toContain('token/signal=6')
      expect(clean.notes).toContain('rare answers, tested as one class: 6, 7, 8, 9, 10, 11')
      expect(failing(await audit(uneven(true)))).toContain('token/signal=(rare)')
    })
    it('name twenty of the rare ones', async () => {
      const answers = Array.from({ length: 200 }, (_, i) => (i < 150 ? String(i % 3) : `r${10 + (i % 21)}`))
      const choices = [...new Set(answers)].sort()
      const set = answers.map((answer, i): Claim => ({ text: `t${i % 7}`, hint: 0, answer, choices }))
      const rare = Array.from({ length: 20 }, (_, i) => `r${10 + i}`).join(', ')
      expect((await audit(set)).notes).toContain(`rare answers, tested as one class: ${rare}, ...`)
    })
    it('take a guess of a rare answer for their class', async () => {
      const set = uneven(false).map((claim) => ({ ...claim, guess: Number(claim.answer) >= 6 ? '11' : '0' }))
      expect(failing(await audit(set))).toContain('toy/guess')
    })
    it('are not pooled where none is frequent, so that a small set stays testable', async () => {
      const small = uneven(false).filter(
        (claim, i, all) => all.slice(0, i).filter((c) => c.answer === claim.answer).length < 8,
      )
      const result = await audit(small)
      expect(result.informativeShare).toBe(1)
      expect(result.status).toBe('inconclusive')
      expect(result.notes.some((note) => note.startsWith('rare'))).toBe(false)
    })
    it('keep the name of a single one', async () => {
      const result = await audit(uneven(false).filter(({ answer }) => Number(answer) < 7))
      expect(result.tests.map(({ probe }) => probe)).toContain('token/signal=6')
    })
  })

  it('open answers: constants and rules against the floor', async () => {
    const open = (answer: (stream: Stream, i: number) => string, guess: (answer: string, i: number) => string) =>
      claims(half(600), 17, (_yes, stream, i) => {
        const said = answer(stream, i)
        return { choices: [], answer: said, guess: guess(said, i) }
      })
    const distinct = await audit(
      open(
        (_s, i) => `answer ${i}`,
        (_a, i) => `guess ${i}`,
      ),
    )
    expect(distinct.status).toBe('nothing-found')
    const constant = await audit(
      open(
        (stream, i) => (below(stream, 10) === 0 ? 'the same' : `answer ${i}`),
        () => '',
      ),
    )
    expect(failing(constant)).toEqual(expect.arrayContaining(['answerer/most-frequent', 'answerer/best-constant']))
    const copied = await audit(
      open(
        (_s, i) => `answer ${i}`,
        (said, i) => (i % 10 === 0 ? said : ''),
      ),
    )
    expect(failing(copied)).toContain('toy/guess')
  })

  it('of two types are tested apart, and a cue speaks of both', async () => {
    const mixed = claims(half(800), 18, (yes, stream, i) =>
      i % 2 === 0
        ? { guess: float(stream) < 0.8 === yes ? 'yes' : 'no' }
        : { choices: ['no', 'yes'], guess: float(stream) < 0.8 === yes ? 'yes' : 'no' },
    )
    const bare = await audit(mixed)
    expect(failing(bare)).toEqual(expect.arrayContaining(['toy/guess@classes0', 'toy/guess@classes1']))
    const declaredShortcuts: DeclaredShortcut[] = [{ probe: 'toy/guess', why: 'both', gain: [0.2, 0.4] }]
    expect(failing(await audit(mixed, { declaredShortcuts }))).toEqual([])
  })
})

describe('counts', () => {
  it('find duplicates up to renaming, which share a fold', async () => {
    const set = claims(400, 19)
    const doubled = [...set, ...set.slice(0, 7)]
    const result = await audit(doubled)
    expect(result.checks.find(({ name }) => name === 'duplicates')).toMatchObject({ checked: 407, failed: 7 })
    expect(result.status).toBe('fail')
  })

  it('allow a declared share of duplicates and no more', async () => {
    const set = claims(1000, 17)
    const doubled = (count: number) => [...set, ...set.slice(0, count)]
    const declaredShortcuts: readonly DeclaredShortcut[] = [
      { probe: 'duplicates', why: 'the space is small', gain: [0, 0.003] },
    ]
    const allowed = await audit(doubled(3), { declaredShortcuts })
    expect(failedChecks(allowed)).toEqual([])
    expect(allowed.checks.find(({ name }) => name === 'duplicates')?.message).toMatch(/3 items.*the space is small/)
    expect(allowed.notes.join()).not.toContain('duplicates')
    const refused = await audit(doubled(4), { declaredShortcuts })
    expect(failedChecks(refused)).toEqual(['duplicates'])
    expect(failedChecks(await audit(doubled(1)))).toEqual(['duplicates'])
  })

  it('find a group with one answer, and unequal labels of a unit', async () => {
    const layout = { strata: [{ key: true }, { key: false }], label: 'key' }
    const grouped = claims(400, 20).map((claim, i): Claim => {
      const group = Math.floor(i / 10)
      const answer = group === 3 ? 'yes' : i % 2 === 0 ? 'yes' : 'no'
      return { ...claim, group, answer, stratum: answer === 'yes' ? 0 : 1 }
    })
    const result = await audit(grouped, { layout })
    expect(failedChecks(result)).toEqual(['labels', 'constant-groups'])
    expect(result.checks.find(({ name }) => name === 'labels')).toMatchObject({ checked: 40, failed: 1 })
  })

  it('forgive the one unit that the end of the set cuts', async () => {
    const layout = { strata: [{ key: true }, { key: false }], label: 'key' }
    const alternate = claims(401, 21).map((claim, i): Claim => {
      const answer = i % 2 === 0 ? 'yes' : 'no'
      return { ...claim, answer, stratum: answer === 'yes' ? 0 : 1 }
    })
    expect(failedChecks(await audit(alternate, { layout }))).toEqual([])
  })

  it('find gold answers in their prompts, unless that is declared', async () => {
    const set = claims(60, 22, (_yes, _stream, i) => ({
      choices: [],
      answer: `the answer is ${i}`,
      text: `so the answer is ${i} then`,
    }))
    expect(failedChecks(await audit(set))).toEqual(['gold-in-prompt'])
    const declaredShortcuts: DeclaredShortcut[] = [{ probe: 'gold-in-prompt', why: 'it is to be copied', gain: [0, 1] }]
    expect(failedChecks(await audit(set, { declaredShortcuts }))).toEqual([])
  })
})

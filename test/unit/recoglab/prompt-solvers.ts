import { flavour, impliedFlavour } from '../../../src/libraries/language/filler.ts'

/**
 * A second, independent implementation of each task: it reads the rendered prompt back, word by word, and solves it by
 * brute force. So it also proves that presentation changed nothing.
 */

const linesOf = (prompt: string): string[] => prompt.split('\n')

export function solveComparison(prompt: string): string {
  const less = new Set<string>()
  const names = new Set<string>()
  const key = (a: string, b: string) => `${a}\u0000${b}`
  const clean = (name: string) => name.replace(/^[Tt]he /, '')
  for (const line of linesOf(prompt)) {
    const match = /^(.+) is (younger|smaller|lighter|older|larger|heavier) than (.+)\.$/.exec(line)
    if (match === null) continue
    const [a, b] = [clean(match[1] as string), clean(match[3] as string)]
    names.add(a).add(b)
    less.add(['younger', 'smaller', 'lighter'].includes(match[2] as string) ? key(a, b) : key(b, a))
  }
  for (let grown = -1; grown !== less.size; ) {
    grown = less.size
    for (const a of names)
      for (const b of names) for (const c of names) if (less.has(key(a, b)) && less.has(key(b, c))) less.add(key(a, c))
  }
  if (prompt.includes('agree with one another'))
    return [...names].some((a) => less.has(key(a, a))) ? 'Inconsistent' : 'Consistent'
  const asked = /^Is (.+) (younger|smaller|lighter|older|larger|heavier) than (.+)\?/m.exec(prompt) as RegExpExecArray
  const [a, b] = [clean(asked[1] as string), clean(asked[3] as string)]
  const [low, high] = ['younger', 'smaller', 'lighter'].includes(asked[2] as string) ? [a, b] : [b, a]
  return less.has(key(low, high)) ? 'Yes' : less.has(key(high, low)) ? 'No' : 'Unknown'
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patterns = [
  ...Object.values(flavour).flat(),
  ...Object.values(impliedFlavour).flat(),
  '{a} and {b} are friends.',
  '{a} is a parent of {b}.',
  '{a} is a child of {b}.',
  '{a} is a teacher of {b}.',
].map(
  (template) =>
    new RegExp(
      `^${['a', 'b'].reduce(
        (text, one) => text.replace(`\\{${one}\\}`, `(?<${one}>[A-Z][a-z]+)`).replaceAll(`\\{${one}\\}`, `\\k<${one}>`),
        escaped(template),
      )}$`,
    ),
)

export function solveSocial(prompt: string): {
  readonly people: readonly string[]
  readonly accept: (answer: readonly string[]) => boolean
} {
  const edges: [string, string][] = []
  const child = prompt.includes(' is a child of ')
  for (const line of linesOf(prompt)) {
    const groups = patterns.map((regex) => regex.exec(line)?.groups).find((found) => found !== undefined)
    if (groups !== undefined) edges.push([groups['a'] as string, groups['b'] as string])
  }
  const people = [...new Set(edges.flat())]
  const family = /(oldest|youngest) generation of this family/.exec(prompt)
  if (family !== null) {
    // Brute force: push levels along edges until nothing changes.
    const level = new Map([[people[0] as string, 0]])
    for (let i = 0; i < people.length; i++)
      for (const [a, b] of edges) {
        const [up, down] = child ? [b, a] : [a, b]
        if (level.has(up)) level.set(down, (level.get(up) as number) + 1)
        else if (level.has(down)) level.set(up, (level.get(down) as number) - 1)
      }
    const wanted = family[1] === 'oldest' ? Math.min(...level.values()) : Math.max(...level.values())
    const among = /of this family: (.+) and (\w+)\. Who\?/.exec(prompt)
    const offered = among === null ? people : [...(among[1] as string).split(', '), among[2] as string]
    const right = offered.filter((name) => level.get(name) === wanted)
    return { people, accept: ([name]) => right.includes(name as string) && (among === null || right.length === 1) }
  }
  const oneWay = prompt.includes('and never the other way')
  const next = (name: string) =>
    people.filter((other) =>
      edges.some(([a, b]) => (a === name && b === other) || (!oneWay && b === name && a === other)),
    )
  const asked = /(\w+) has a message for (\w+) /.exec(prompt) as RegExpExecArray
  const [from, to] = [asked[1] as string, asked[2] as string]
  const distance = (start: string): number => {
    let front = new Set([start])
    for (let d = 0; d <= people.length; d++) {
      if (front.has(to)) return d
      front = new Set([...front].flatMap(next))
    }
    return Number.POSITIVE_INFINITY
  }
  const whole = distance(from)
  if (prompt.includes('How many hand-overs')) return { people, accept: ([n]) => n === String(whole) }
  if (prompt.includes('Through whose hands'))
    return {
      people,
      accept: (way) =>
        way.length === whole + 1 &&
        way[0] === from &&
        way.at(-1) === to &&
        way.every((name, i) => i === 0 || next(way[i - 1] as string).includes(name)),
    }
  return { people, accept: ([name]) => next(from).includes(name as string) && distance(name as string) === whole - 1 }
}

/** What is known of one individual, carried along all universal statements: complete, as each of them is a 2-clause. */
export function solveTwins(prompt: string): string | null {
  const said = (line: string) => {
    const match = /^(?:- )?(All|No|Some) (.+?) are (not )?(.+?)\.?$/.exec(line)
    return match === null ? null : { kind: `${match[1]}${match[3] ?? ''}`.trim(), s: `${match[2]}`, p: `${match[4]}` }
  }
  const judged = /Does it follow that (.+)\?/.exec(prompt)?.[1]
  const all = linesOf(prompt)
  const premises = all.filter((line) => /^(All|No|Some) .+\.$/.test(line)).flatMap((line) => said(line) ?? [])
  const not = (literal: string) => (literal.startsWith('!') ? literal.slice(1) : `!${literal}`)
  const known = (start: readonly string[]): Set<string> => {
    const found = new Set(start)
    for (let size = -1; size !== found.size; ) {
      size = found.size
      for (const { kind, s, p } of premises) {
        if (!kind.startsWith('All') && kind !== 'No') continue
        const head = kind === 'No' ? `!${p}` : p
        if (found.has(s)) found.add(head)
        if (found.has(not(head))) found.add(`!${s}`)
      }
    }
    return found
  }
  const clash = (found: Set<string>) => [...found].some((literal) => found.has(not(literal)))
  const terms = new Set(premises.flatMap(({ s, p }) => [s, p]))
  const members = prompt.includes('at least one of everything') ? [...terms].map((term) => [term]) : []
  const somebody = [
    ...premises.flatMap(({ kind, s, p }) => (kind === 'Some' ? [[s, p]] : kind === 'Somenot' ? [[s, `!${p}`]] : [])),
    ...members,
  ]
  const follows = ({ kind, s, p }: { kind: string; s: string; p: string }): boolean => {
    if (kind === 'All') return clash(known([s, `!${p}`]))
    if (kind === 'No') return clash(known([s, p]))
    return somebody.map(known).some((found) => found.has(s) && found.has(kind === 'Some' ? p : `!${p}`))
  }
  const kindOf = (line: string) => {
    const read = said(line) as NonNullable<ReturnType<typeof said>>
    return { ...read, kind: read.kind.replace(/ /g, '') }
  }
  for (const premise of premises) premise.kind = premise.kind.replace(/ /g, '')
  if (judged !== undefined) return follows(kindOf(judged.charAt(0).toUpperCase() + judged.slice(1))) ? 'Yes' : 'No'
  const options = all.filter((line) => /^- (All|No|Some) /.test(line))
  const right = options.filter((line) => follows(kindOf(line)))
  const strongest = right.filter((line) => right.length === 1 || !line.startsWith('- Some'))
  if (right.length === 0) return 'None of these follows'
  return strongest.length === 1 ? (strongest[0] as string).slice(2) : null
}

/** All models over at most seven terms: a set of inhabited kinds is a bit mask over 2^terms kinds, so test kinds one by one. */
export function solveSyllogism(prompt: string): string | null {
  const read = (line: string) => {
    const match = /^(?:- )?(All|No|Some) (.+?) are (not )?(.+?)\.?$/.exec(line)
    if (match === null) return null
    const mood = match[1] === 'All' ? 'A' : match[1] === 'No' ? 'E' : match[3] === undefined ? 'I' : 'O'
    return { mood, s: match[2] as string, p: match[4] as string, text: line.replace(/^- /, '').replace(/\.$/, '') }
  }
  const premises = linesOf(prompt)
    .filter((line) => !line.startsWith('- '))
    .flatMap((line) => read(line) ?? [])
  const options = linesOf(prompt)
    .filter((line) => line.startsWith('- '))
    .flatMap((line) => read(line) ?? [])
  const terms = [...new Set(premises.flatMap(({ s, p }) => [s, p]))]
  const bit = (term: string, kind: number) => ((kind >> terms.indexOf(term)) & 1) === 1
  // The largest model: every kind of individual that no universal premise forbids. Then "some" must be met in it.
  const violates = ({ mood, s, p }: { mood: string; s: string; p: string }, kind: number) =>
    (mood === 'A' && bit(s, kind) && !bit(p, kind)) || (mood === 'E' && bit(s, kind) && bit(p, kind))
  const meets = ({ mood, s, p }: { mood: string; s: string; p: string }, kind: number) =>
    mood === 'I' ? bit(s, kind) && bit(p, kind) : bit(s, kind) && !bit(p, kind)
  const possible = (statements: readonly { mood: string; s: string; p: string }[]) => {
    const kinds = Array.from({ length: 1 << terms.length }, (_, kind) => kind).filter(
      (kind) => !statements.some((st) => violates(st, kind)),
    )
    const imported = prompt.includes('at least one of everything')
    return (
      statements
        .filter(({ mood }) => mood === 'I' || mood === 'O')
        .every((st) => kinds.some((kind) => meets(st, kind))) &&
      (!imported || terms.every((term) => kinds.some((kind) => bit(term, kind))))
    )
  }
  const opposite = { A: 'O', E: 'I', I: 'E', O: 'A' } as const
  const follow = options.filter((o) => !possible([...premises, { ...o, mood: opposite[o.mood as 'A'] }]))
  const strongest = follow.filter(
    ({ mood }) => !follow.some((other) => (mood === 'I' && other.mood === 'A') || (mood === 'O' && other.mood === 'E')),
  )
  return strongest.length === 1 ? (strongest[0]?.text as string) : null
}

interface Record {
  surname: string
  address: string
  members: { name: string; age: number; hobbies: string[] }[]
}

/** Records in each of the four notations, a regular expression a notation; the rest of the text is the question. */
function recordsOf(prompt: string): { readonly records: readonly Record[]; readonly question: string } {
  const record = (found: RegExpExecArray, members: readonly string[], member: RegExp, hobbies: RegExp): Record => ({
    surname: found[1] as string,
    address: found[2] as string,
    members: members.map((text) => {
      const [, name, age, likes] = member.exec(text) ?? []
      return { name: name as string, age: Number(age), hobbies: (likes as string).match(hobbies) ?? [] }
    }),
  })
  const word = /[a-z]+/g
  const notations: readonly [split: RegExp, head: RegExp, members: RegExp, member: RegExp, hobbies: RegExp][] = [
    [
      /^\{$[\s\S]+?^\}$/gm,
      /"Family Name": "(.+)",\s+"Address": "(.+)"/,
      /"Name": [\s\S]+?\]/g,
      /"(?:Name)": "(.+)",\s+"Age": (\d+),\s+"Hobbies": \[([\s\S]+)\]/,
      word,
    ],
    [
      /^- family name: .+$(?:\n {2}.+$)+/gm,
      /family name: (.+)\n +address: "(.+)"/,
      /- name: [\s\S]+?\]/g,
      /name: (.+)\n +age: (\d+)\n +hobbies: \[(.+)\]/,
      word,
    ],
    [
      /^<family>$[\s\S]+?^<\/family>$/gm,
      /<name>(.+)<\/name>\s+<address>(.+)<\/address>/,
      /<member>[\s\S]+?<\/member>/g,
      /<name>(.+)<\/name>\s+<age>(\d+)<\/age>([\s\S]+)/,
      /(?<=<hobby>)[a-z]+/g,
    ],
    [
      /^The \w+ family lives at .+$/gm,
      /The (\w+) family lives at (.+?) and has/,
      /\w+ is \d+ years? old and likes [^.]+\./g,
      /(\w+) is (\d+) years? old and likes (.+)\./,
      /\b(?!and )[a-z]+/g,
    ],
  ]
  for (const [split, head, members, member, hobbies] of notations) {
    const parts = prompt.match(split) ?? []
    const last = parts.at(-1)
    if (last === undefined) continue
    return {
      records: parts.map((text) =>
        record(head.exec(text) as RegExpExecArray, text.match(members) ?? [], member, hobbies),
      ),
      question: prompt.slice(prompt.lastIndexOf(last) + last.length),
    }
  }
  throw new Error('no records found')
}

export function solveFamilies(prompt: string): string {
  const { records, question } = recordsOf(prompt)
  const familyOf = (surname: string, address: string) =>
    records.filter((r) => r.surname === surname && r.address === address)[0] as Record
  const people = [...question.replaceAll(/the \w+ family/g, '').matchAll(/(\w+) (\w+) \((\d+ [^()]+ \d{5})\)/g)].map(
    (m) => {
      const record = familyOf(m[2] as string, m[3] as string)
      const found = record.members.filter((member) => member.name === m[1])
      if (found.length !== 1) throw new Error(`expected one ${m[1]} ${m[2]} at ${m[3]}, found ${found.length}`)
      return { ...(found[0] as Record['members'][0]), full: `${m[1]} ${m[2]}` }
    },
  )
  const named = [...question.matchAll(/the (\w+) family \((\d+ [^()]+ \d{5})\)/g)].map((m) =>
    familyOf(m[1] as string, m[2] as string),
  )
  const [one, two] = people
  if (question.includes('How many members')) return String(named[0]?.members.length)
  if (question.includes('one of the hobbies'))
    return one?.hobbies.includes((/Is (\w+) one/.exec(question) as RegExpExecArray)[1] as string) ? 'Yes' : 'No'
  if (question.includes('has more members')) {
    const [a, b] = named as [Record, Record]
    if (a.members.length === b.members.length)
      return a.surname < b.surname === question.includes('comes first') ? a.surname : b.surname
    return a.members.length > b.members.length ? a.surname : b.surname
  }
  if (one === undefined || two === undefined) throw new Error('two people expected')
  if (question.includes('Who is older'))
    return one.age === two.age
      ? one.full < two.full === question.includes('comes first')
        ? one.full
        : two.full
      : one.age > two.age
        ? one.full
        : two.full
  const both = one.hobbies.filter((hobby) => two.hobbies.includes(hobby)).sort()
  return both.length === 0 ? 'N/A' : both.join(', ')
}

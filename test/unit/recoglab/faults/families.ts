import { families } from '../../../../src/tasks/recoglab/families/task.ts'
import { type Any, answering, asking, type Faults, finding } from './fault.ts'

const everyFamily = (g: Any, edit: (family: Any) => Any): Any => ({ ...g, families: g.families.map(edit) })
const everyMember = (g: Any, edit: (member: Any) => Any): Any =>
  everyFamily(g, (f) => ({ ...f, members: f.members.map(edit) }))
const member = (g: Any, [f, m]: Any): Any => g.families[f].members[m]
const fullName = (g: Any, p: Any): string => `${member(g, p).name} ${g.families[p[0]].surname}`
const ofKind = (kind: string, edit: (answer: Any, given: Any) => Any) =>
  answering((a, g) => (g.ask.kind === kind ? edit(a, g) : null))
const solving = (kind: string, solve: (given: Any) => Any) => finding((g) => (g.ask.kind === kind ? solve(g) : null))
const nextMember = (g: Any, [f, m]: Any): Any => [f, (m + 1) % g.families[f].members.length]

/** The two asked about, as a name and what is compared. */
const rivals = (g: Any): { name: string; key: number }[] =>
  g.ask.kind === 'larger'
    ? g.ask.families.map((f: number) => ({ name: g.families[f].surname, key: g.families[f].members.length }))
    : g.ask.people.map((p: Any) => ({ name: fullName(g, p), key: member(g, p).age }))
const compares = (g: Any): boolean => g.ask.kind === 'larger' || g.ask.kind === 'older'
/** The winner by a wrong notion of when the first of two wins. */
const winner = (firstWins: (a: Any, b: Any, g: Any) => boolean) =>
  finding((g) => {
    if (!compares(g)) return null
    const [a, b] = rivals(g)
    return firstWins(a, b, g) ? a?.name : b?.name
  })
const tieBy = (g: Any, a: string, b: string): boolean => (g.ask.tie === 'last' ? a > b : a < b)
const shared = (g: Any): string[] => {
  const [a, b] = g.ask.people.map((p: Any) => member(g, p).hobbies)
  return a.filter((hobby: string) => b.includes(hobby)).sort()
}
const list = (hobbies: string[]): string => (hobbies.length === 0 ? 'N/A' : hobbies.join(', '))

export const faults: Faults = {
  task: families,
  configs: ['size', 'hobby', 'larger', 'older', 'shared-hobbies'].map((ask) => ({ ask, families: 6 })),
  wrong: ({ answer }, choices) => choices.filter((choice) => choice !== answer),
  generator: {
    'first members lost': asking((g) => everyFamily(g, (f) => ({ ...f, members: f.members.slice(1) }))),
    'last members lost': asking((g) => everyFamily(g, (f) => ({ ...f, members: f.members.slice(0, -1) }))),
    'first hobbies lost': asking((g) => everyMember(g, (m) => ({ ...m, hobbies: m.hobbies.slice(1) }))),
    'last hobbies lost': asking((g) => everyMember(g, (m) => ({ ...m, hobbies: m.hobbies.slice(0, -1) }))),
    'ages turned round': asking((g) => everyMember(g, (m) => ({ ...m, age: 101 - m.age }))),
    'ages rounded to tens': asking((g) => everyMember(g, (m) => ({ ...m, age: 10 * Math.floor(m.age / 10) }))),
    'records shifted': asking((g) => ({ ...g, families: [...g.families.slice(1), g.families[0]] })),
    'members of the first two families exchanged': asking((g) => {
      const [a, b, ...rest] = g.families
      return { ...g, families: [{ ...a, members: b.members }, { ...b, members: a.members }, ...rest] }
    }),
    'family asked about off by one': asking((g) =>
      g.ask.kind === 'size' ? { ...g, ask: { ...g.ask, family: (g.ask.family + 1) % g.families.length } } : null,
    ),
    'person asked about off by one': asking((g) =>
      g.ask.kind === 'hobby' ? { ...g, ask: { ...g.ask, person: nextMember(g, g.ask.person) } } : null,
    ),
    'first of two people off by one': asking((g) =>
      g.ask.people === undefined
        ? null
        : { ...g, ask: { ...g.ask, people: [nextMember(g, g.ask.people[0]), g.ask.people[1]] } },
    ),
    'other end of the alphabet': asking((g) =>
      compares(g) ? { ...g, ask: { ...g.ask, tie: g.ask.tie === 'first' ? 'last' : 'first' } } : null,
    ),
    'size one too many': ofKind('size', (a) => String(Number(a) + 1)),
    'size counted from nought': ofKind('size', (a) => String(Number(a) - 1)),
    'Yes and No exchanged': ofKind('hobby', (a) => (a === 'Yes' ? 'No' : 'Yes')),
    'smaller for larger': ofKind('larger', (a, g) => rivals(g).find(({ name }) => name !== a)?.name),
    'younger for older': ofKind('older', (a, g) => rivals(g).find(({ name }) => name !== a)?.name),
    'first name only': ofKind('older', (a) => a.split(' ')[0]),
    'shared by either': ofKind('shared-hobbies', (_, g) =>
      list([...new Set<string>(g.ask.people.flatMap((p: Any) => member(g, p).hobbies))].sort()),
    ),
    'hobbies of the first': ofKind('shared-hobbies', (_, g) =>
      list([...(member(g, g.ask.people[0]).hobbies as string[])].sort()),
    ),
    'hobbies backwards': ofKind('shared-hobbies', (a) => (a.includes(',') ? a.split(', ').reverse().join(', ') : null)),
    'nothing for N/A': ofKind('shared-hobbies', (a) => (a === 'N/A' ? '' : null)),
  },
  oracle: {
    'first of two where they are equal': winner((a, b) => a.key >= b.key),
    'second of two where they are equal': winner((a, b) => a.key > b.key),
    'always the first end of the alphabet': winner((a, b) => a.key > b.key || (a.key === b.key && a.name < b.name)),
    'rule before the comparison': winner((a, b, g) => tieBy(g, a.name, b.name)),
    'numbers compared as text': winner((a, b, g) =>
      a.key === b.key ? tieBy(g, a.name, b.name) : String(a.key) > String(b.key),
    ),
    'equal ages settled by surname': finding((g) => {
      if (g.ask.kind !== 'older') return null
      const [a, b] = rivals(g) as [Any, Any]
      const surname = (name: string) => name.split(' ').at(-1) as string
      const first = a.key > b.key || (a.key === b.key && tieBy(g, surname(a.name), surname(b.name)))
      return first ? a.name : b.name
    }),
    'people of all families counted': solving('size', (g) => String(g.families.flatMap((f: Any) => f.members).length)),
    'family of the neighbouring record': solving('size', (g) =>
      String((g.families[g.ask.family - 1] ?? g.families.at(-1)).members.length),
    ),
    'hobby of anyone in the family': solving('hobby', (g) =>
      g.families[g.ask.person[0]].members.some((m: Any) => m.hobbies.includes(g.ask.hobby)) ? 'Yes' : 'No',
    ),
    'first hobby only': solving('hobby', (g) => (member(g, g.ask.person).hobbies[0] === g.ask.hobby ? 'Yes' : 'No')),
    'person looked up by first name': solving('older', (g) => {
      const age = (p: Any) =>
        g.families.flatMap((f: Any) => f.members).find((m: Any) => m.name === member(g, p).name).age
      const [p, q] = g.ask.people
      const first = age(p) > age(q) || (age(p) === age(q) && tieBy(g, fullName(g, p), fullName(g, q)))
      return fullName(g, first ? p : q)
    }),
    'hobbies in the order of the record': solving('shared-hobbies', (g) => {
      const both = shared(g)
      return list(member(g, g.ask.people[0]).hobbies.filter((hobby: string) => both.includes(hobby)))
    }),
    'one shared hobby only': solving('shared-hobbies', (g) => list(shared(g).slice(0, 1))),
  },
  survivors: {},
}

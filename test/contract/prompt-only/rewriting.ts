type Rule = readonly [from: string, to: string]

const words = (prompt: string, name: 'inputs ' | 'outputs'): readonly string[] => {
  const at = prompt.lastIndexOf(`\n${name} = `)
  const line = prompt.slice(prompt.indexOf('[', at), prompt.indexOf('\n', at + 1))
  return JSON.parse(line) as string[]
}

const rulesIn = (text: string): readonly Rule[] =>
  [...text.matchAll(/replace\('([^']*)', '([^']*)'\)/g)].map(([, from, to]) => [from as string, to as string])

const run = (word: string, [from, to]: Rule): string => word.split(from).join(to)

/** The first three orders, of all, that make the outputs of the inputs; what rules are left and what was made so far is asked once. */
export function orderRules(prompt: string): readonly string[] {
  const rules = rulesIn(prompt.slice(prompt.lastIndexOf('\nRules:\n')))
  const wanted = words(prompt, 'outputs').join(' ')
  const known = new Map<string, readonly (readonly number[])[]>()
  const rest = (left: readonly number[], now: string): readonly (readonly number[])[] => {
    if (left.length === 0) return now === wanted ? [[]] : []
    const key = `${left} ${now}`
    const found =
      known.get(key) ??
      left.flatMap((k) =>
        rest(
          left.filter((other) => other !== k),
          run(now, rules[k] as Rule),
        ).map((order) => [k, ...order]),
      )
    known.set(key, found.slice(0, 3))
    return found.slice(0, 3)
  }
  // No rule has a blank, so words that stand in one text stay apart.
  const inputs = words(prompt, 'inputs ').join(' ')
  return rest([...rules.keys()], inputs).map((order) => `\`\`\`json\n[${order.join(', ')}]\n\`\`\``)
}

/** The program given, where it keeps to the limits that the prompt states and makes the outputs of the inputs. */
export function tryProgram(prompt: string, program: string): readonly string[] {
  const outputs = words(prompt, 'outputs')
  const [, side] = /at most (\d+) characters/.exec(prompt) ?? []
  const [, most] = /list has at most (\d+) rules/.exec(prompt) ?? []
  const rules = rulesIn(program)
  const short = rules.every(([from, to]) => from !== '' && Math.max([...from].length, [...to].length) <= Number(side))
  const made = words(prompt, 'inputs ').map((word) => rules.reduce(run, word))
  return short && rules.length <= Number(most) && made.every((word, i) => word === outputs[i]) ? [program] : []
}

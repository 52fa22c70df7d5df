import { goldLine } from '../common/answers.ts'
import type { AnswerForm } from '../common/styles.ts'
import type { About, Wording } from '../common/wording.ts'
import { type FamilyRecord, fullName, type Given, type Person, type Question, type Shared } from './question.ts'
import { shots } from './shots.ts'
import { formats } from './writing/formats.ts'
import { allWords } from './writing/words.ts'

function aboutOf(given: Given): About {
  const surnames = given.families.map((family) => family.surname)
  return { kind: 'person', names: surnames, taken: allWords(given), home: surnames[0] as string }
}

function questionLine({ given }: Question): string {
  const { ask } = given
  const family = (f: number) => {
    const { surname, address } = given.families[f] as FamilyRecord
    return `the ${surname} family (${address})`
  }
  const person = (p: Person) => `${fullName(given, p)} (${(given.families[p[0]] as FamilyRecord).address})`
  switch (ask.kind) {
    case 'size':
      return `How many members does ${family(ask.family)} have?`
    case 'hobby':
      return `Is ${ask.hobby} one of the hobbies of ${person(ask.person)}?`
    case 'larger': {
      const [a, b] = ask.families
      const rule =
        ask.tie === null
          ? ''
          : ` If they have equally many, the answer is the family name that comes ${ask.tie} in the alphabet.`
      return `Which family has more members: ${family(a)} or ${family(b)}?${rule}`
    }
    case 'older': {
      const [a, b] = ask.people
      const rule =
        ask.tie === null
          ? ''
          : ` If they are the same age, the answer is the full name that comes ${ask.tie} in the alphabet.`
      return `Who is older: ${person(a)} or ${person(b)}?${rule}`
    }
    case 'shared-hobbies': {
      const [a, b] = ask.people
      return `Which hobbies do ${person(a)} and ${person(b)} have in common?`
    }
  }
}

const role = 'You look things up in records for people who need to rely on every detail.'

function formOf({ given }: Question): AnswerForm {
  switch (given.ask.kind) {
    case 'size':
      return { instruction: 'Answer with a whole number in digits.', final: 'the number', role }
    case 'hobby':
      return { instruction: 'Decide between Yes and No.', final: 'either Yes or No', role }
    case 'larger':
      return { instruction: 'Answer with the family name.', final: 'the family name', role }
    case 'older':
      return { instruction: 'Answer with first name and family name.', final: 'the full name', role }
    case 'shared-hobbies':
      return {
        instruction: `List them in alphabetical order with commas between, or write N/A if there are none.`,
        final: 'the list',
        role,
      }
  }
}

export const wording: Wording<Shared, Given, string> = {
  // The records keep their own order: how far apart two of them stand is part of the content.
  lines: ({ shared, given }) => given.families.map(formats[shared.format]),
  about: aboutOf,
  ask: questionLine,
  form: formOf,
  examples: shots,
  gold: goldLine,
}

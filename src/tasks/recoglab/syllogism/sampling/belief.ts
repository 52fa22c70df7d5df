import { coin, pick, sample } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { nonsense } from '../../../../libraries/language/people.ts'
import { branchOf, taxonomy } from '../../../../libraries/language/taxonomy.ts'
import { withBuckets } from '../../../../libraries/language/word-partition.ts'
import type { Mood } from '../question.ts'

/** Is the conclusion true in the world, false in it, or about things that are not in it? */
export const beliefs = ['believable', 'unbelievable', 'none'] as const
export type Belief = (typeof beliefs)[number]

/** Classes of the taxonomy that any reader knows, of which nobody argues what they are kinds of. */
export const wellKnown: readonly string[] = `
elephants, hedgehogs, giraffes, camels, kangaroos, koalas, squirrels, beavers, hamsters, guinea pigs, gorillas,
chimpanzees, lions, tigers, leopards, cheetahs, dalmatians, Great Danes, chihuahuas, beagles, greyhounds, polar bears,
grizzly bears, Siamese cats, Persian cats, penguins, ostriches, pelicans, golden eagles, bald eagles, barn owls,
ravens, magpies, mallards, canaries, pythons, rattlesnakes, chameleons, crocodiles, alligators, tree frogs,
great white sharks, whale sharks, rainbow trout, ladybugs, bumblebees, honeybees, hornets, dragonflies, locusts,
fire ants, tarantulas, black widows, scorpions, garden snails, coconut palms, Norway spruces, Scots pines, daisies,
daffodils, tea roses, bananas, strawberries, oranges, lemons, pineapples, camemberts, mozzarellas, parmesans,
cheddars, baguettes, bagels, espressos, cappuccinos, martinis, margaritas, mojitos, garbage trucks, pickup trucks,
double-decker buses, school buses, mountain bikes, bullet trains, subway trains, aircraft carriers, oil tankers,
canoes, rowboats, helicopters, jet airliners, space stations, armchairs, bunk beds, wardrobes, bookcases, chainsaws,
sledgehammers, crowbars, violins, cellos, trumpets, trombones, electric guitars, clarinets, grand pianos, harps,
banjos, lab coats, fur coats, jeans, kilts, wedding dresses, T-shirts, ankle socks, knee socks, boxing gloves,
rubber gloves, berets, top hats, cowboy hats, sombreros, hiking boots, cowboy boots, flip-flops, bicycle helmets,
crash helmets, cathedrals, bungalows, castles, hospitals, suspension bridges, drawbridges, crossbows, pistols, rifles,
shotguns, wine bottles, beer bottles, handbags, backpacks, buckets, suitcases, teaspoons, wooden spoons,
champagne flutes, toasters, dishwashers, vacuum cleaners, desk lamps, street lamps, alarm clocks, cuckoo clocks,
wristwatches, stopwatches, teddy bears, yo-yos, hula hoops, necklaces, earrings, wedding rings, diamonds, rubies,
emeralds, cookbooks, dictionaries, sonnets, limericks, oil paintings, laptops, smartphones, thermometers, microscopes,
telescopes, pencils, ballpoint pens, tennis balls, golf balls, steam engines, jet engines, pentagons, hexagons,
molars, incisors, waltzes, tangos, ravioli, tortellini, lollipops, gummy bears, cheesecakes, apple pies, frankfurters,
minestrones, gazpachos, pickaxes, chisels, soldering irons, claw hammers, hacksaws, circular saws, polo shirts,
dress shirts, football helmets, riding helmets, skyscrapers, hotels, prisons, palaces, barns, police stations,
fire stations, farmhouses, mansions, beach huts, garden sheds, wine glasses, beer glasses, shot glasses,
refrigerators, washing machines, hair dryers, microwave ovens, electric kettles, freezers, sapphires, opals,
amethysts, chicken soups, onion soups, pea soups, stouts, pilsners, cucumber sandwiches, egg sandwiches,
oyster mushrooms, flamingos, puffins, toucans, mute swans, Canada geese, snowy owls, peregrine falcons, cruise ships,
battleships, destroyers, textbooks, novels, encyclopedias, dolls, jigsaw puzzles, toy trains, crayons, fountain pens,
ciabattas, chorizos, salamis, jelly beans, candy canes, park benches, four-poster beds, bar stools, sofa beds, tubas,
saxophones, xylophones, ukuleles, basketballs, baseballs, carrot cakes, fruitcakes, soup spoons, desktop computers,
octagons
`
  .split(',')
  .map((name) => name.trim())

interface Nested {
  readonly narrow: string
  readonly wide: string
}

/** Each of them with every wider class, by split. */
const nested = withBuckets(
  wellKnown.flatMap((narrow): Nested[] => {
    const found: Nested[] = []
    for (let at = taxonomy.parent[taxonomy.names.indexOf(narrow)] ?? -1; at !== -1; at = taxonomy.parent[at] as number)
      found.push({ narrow, wide: taxonomy.names[at] as string })
    return found
  }),
  ({ narrow }) => branchOf(narrow),
)

/** Subject and predicate of a conclusion of the mood that is as believable as asked for; `turned`: the wider one first, where either may be. */
function ends(
  mood: Mood,
  belief: Belief,
  mask: number,
  turned: boolean,
  stream: Stream,
): readonly [subject: string, predicate: string] {
  if (belief === 'none') return sample(stream, nonsense.of(mask), 2) as unknown as readonly [string, string]
  const pairs = nested.of(mask)
  const one = pick(stream, pairs)
  const believable = belief === 'believable'
  // All: the narrower in the wider; Some-not: the wider, not the narrower. Both are false with their ends exchanged.
  if (mood === 'A' || mood === 'O')
    return (mood === 'A') === believable ? [one.narrow, one.wide] : [one.wide, one.narrow]
  const apart = (mood === 'E') === believable
  const others = apart ? pairs.filter(({ narrow }) => branchOf(narrow) !== branchOf(one.narrow)) : [one]
  const { wide } = pick(stream, others)
  return turned ? [wide, one.narrow] : [one.narrow, wide]
}

/** The three terms of a syllogism: its ends, and an invented word between them that the items of a stratum take in turn, so that none is equal. */
export function drawBelievedForm(
  mood: Mood,
  belief: Belief,
  ordinal: number,
  mask: number,
  stream: Stream,
): readonly string[] {
  const invented = nonsense.of(mask)
  const middle = invented[(ordinal * strideOf(invented.length)) % invented.length] as string
  for (;;) {
    const [subject, predicate] = ends(mood, belief, mask, ordinal % 2 === 1, stream)
    if (subject !== middle && predicate !== middle) return [subject, middle, predicate]
  }
}

/** Steps of this length through a list of n come to everything in it before they repeat. */
function strideOf(n: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b))
  let stride = Math.floor((n * 5) / 8)
  while (divides(n, stride) !== 1) stride--
  return stride
}

/**
 * Words for the terms of two paths of `length` terms: the ends of each are as believable as asked for, all others are
 * invented, so that the premises are neither true nor false in the world.
 */
export function drawBelievedPaths(
  mood: Mood,
  belief: Belief,
  length: number,
  mask: number,
  stream: Stream,
): readonly string[] {
  for (;;) {
    const words = [0, 1].flatMap(() => {
      const [subject, predicate] = ends(mood, belief, mask, coin(stream), stream)
      return [subject, ...sample(stream, nonsense.of(mask), length - 2), predicate]
    })
    if (new Set(words).size === words.length) return words
  }
}

/** Halves of invented place-like surnames: every first half goes with every second half (Ash-ford, Wick-ham). */
export const surnameFirst =
  'Ald Ash Bar Beck Birch Black Brack Brad Bram Brook Buck Burn Cald Carl Chad Clay Cob Cran Crom Dal Den Dun East Elm Fair Farn Fen Garn Glen Green Hack Hal Ham Hart Hather Hay Hazel Heath Hol Horn Kel Ken Kirk Lang Lin Long Mar Mel Mill New Nor Oak Old Pem Pen Raven Red Rock Rush Sel Sher Silver South Stan Stock Strat Sut Tarn Thorn Whit Wick Wild Win Wood Wyn'

export const surnameSecond =
  'berry bourne bridge brook bury by combe cote croft dale den field ford gate ham hurst land ley lock low man mere more ridge shaw side stead stone stow thorpe ton wall ward water way well wick wood worth'

/** Streets are a first part and a kind: "41 Cedar Lane". */
export const streetFirst =
  'Acorn Amber Apple Aspen Bakery Barley Bay Beacon Beech Bell Bishop Bluebell Canal Castle Cedar Chapel Cherry Church Clover College Copper Coral Corn Daisy Elder Falcon Fern Forest Foundry Garden Granary Harbour Hawthorn Heron Hill Holly Iron Ivy Juniper Kestrel King Lake Larch Laurel Lavender Lemon Library Lilac Linden Magnolia Maple Market Meadow Mill Mint Museum Myrtle Nightingale Orchard Otter Park Pepper Pine Plum Poplar Primrose Quarry Queen Railway River Robin Rosemary Saffron Sage School Spring Station Summer Swan Tanner Temple Thistle Valley Vine Walnut Weaver Willow Windmill Winter Yarrow'
export const streetKinds = 'Street Lane Road Avenue Court Square Terrace Crescent'

/** Invented towns, made like the surnames. */
export const townFirst =
  'Amber Barn Bright Clear Cold Crow Deep Dover East Elder Fair Frost Glen Gold Grey Haven High Kings Lake Lower Marsh Mid North Otter Pine Port Queens River Rose Salt Silver South Spring Star Stone Summer Upper Vale West White Winter'
export const townSecond =
  'borough bridge brook burgh cliff cross dale dean fell ferry field ford gate grove haven hill holm isle market mead minster moor mouth point pool port ridge rise stead ton vale view ville water'

/** What people in a family record like doing; lower case, alphabetical, no name inside another. */
export const hobbiesData = [
  'archery',
  'baking',
  'carpentry',
  'chess',
  'cycling',
  'drawing',
  'fishing',
  'gardening',
  'hiking',
  'juggling',
  'knitting',
  'origami',
  'photography',
  'pottery',
  'rowing',
  'singing',
  'skating',
  'stargazing',
] as const

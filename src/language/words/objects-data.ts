/**
 * Everyday things, a line each: `name: low-high, low-high`, the usual range (not the record) of the largest dimension in
 * metres and of the mass in kilograms. A heading names the kind of source its lines were compiled from; `objects.ts`
 * says which.
 */
export const objectsData = `
# zoology
ant: .003-.008, .000002-.00001
aphid: .001-.003, .0000002-.000001
flea: .0015-.0033, .0000004-.0000009
ladybug: .005-.009, .00002-.00005
housefly: .006-.008, .00001-.00002
mosquito: .0035-.006, .000002-.0000035
honeybee: .011-.015, .00009-.00013
bumblebee: .017-.024, .0002-.0004
hornet: .025-.035, .0005-.0008
dragonfly: .06-.08, .0006-.0012
grasshopper: .03-.05, .001-.003
field cricket: .016-.025, .0003-.001
cockroach: .028-.042, .0007-.0012
earthworm: .1-.2, .002-.008
slug: .05-.1, .004-.012
tarantula: .12-.18, .05-.09
scorpion: .06-.12, .008-.03
hummingbird: .08-.1, .003-.005
wren: .09-.105, .008-.012
sparrow: .14-.165, .024-.036
European robin: .125-.14, .016-.022
blackbird: .235-.275, .08-.12
pigeon: .3-.36, .25-.38
carrion crow: .44-.51, .35-.6
chicken: .4-.5, 1.8-3.2
goose: .75-.9, 2.8-4.2
turkey: 1-1.25, 6-10
swan: 1.4-1.6, 9-12
eagle: .82-.95, 4-6
flamingo: 1.2-1.45, 2.4-3.6
penguin: 1-1.22, 24-38
ostrich: 2.1-2.75, 95-135
peacock: 1.9-2.25, 4-5.5
canary: .12-.135, .017-.024
mouse: .14-.19, .017-.026
hamster: .14-.18, .1-.16
rat: .36-.46, .25-.4
European mole: .12-.16, .07-.12
hedgehog: .2-.28, .6-1.1
squirrel: .36-.45, .3-.6
rabbit: .36-.46, 1.2-2.2
hare: .55-.7, 3-4.6
weasel: .19-.25, .06-.11
otter: 1-1.25, 6-10
badger: .75-.95, 8-13
fox: 1-1.2, 5-8
cat: .7-.85, 3.5-5.5
raccoon: .7-.95, 5-9
beaver: 1-1.25, 15-25
porcupine: .75-.95, 7-12
dachshund: .55-.68, 7-11
beagle: .7-.82, 9-12
labrador: 1-1.2, 25-36
wolf: 1.5-1.9, 32-50
lynx: .9-1.15, 16-26
cheetah: 1.8-2.1, 38-55
leopard: 1.95-2.4, 42-68
lion: 2.5-2.9, 150-210
tiger: 2.6-3, 140-220
brown bear: 1.9-2.4, 180-320
polar bear: 2.2-2.6, 350-550
panda: 1.4-1.75, 85-120
gorilla: 1.5-1.75, 140-190
chimpanzee: 1-1.25, 40-60
kangaroo: 2-2.5, 50-80
koala: .68-.8, 8-12
sloth: .55-.65, 4-6.5
goat: 1.2-1.5, 45-75
sheep: 1.25-1.5, 55-95
pig: 1.4-1.8, 120-220
donkey: 1.7-2, 170-250
pony: 1.75-2.05, 200-320
horse: 2.3-2.6, 420-580
cow: 2.3-2.65, 550-750
bull: 2.5-2.85, 850-1100
bison: 2.8-3.4, 500-850
reindeer: 1.7-2.1, 90-160
moose: 2.5-3, 350-550
camel: 2.8-3.3, 420-600
llama: 1.7-1.95, 120-180
zebra: 2.25-2.5, 260-360
giraffe: 4.4-5.4, 800-1200
rhinoceros: 3.5-4.1, 1600-2300
hippopotamus: 3.4-4.4, 1300-1900
elephant: 5.8-7.2, 4200-6200
walrus: 2.8-3.4, 850-1400
harbour seal: 1.5-1.85, 85-130
dolphin: 2.3-2.9, 160-280
orca: 6-7.8, 3200-5200
great white shark: 3.8-4.8, 700-1150
humpback whale: 12.5-15.5, 24000-34000
blue whale: 23-28, 95000-145000
goldfish: .09-.14, .03-.08
sardine: .15-.2, .04-.08
herring: .24-.32, .13-.23
trout: .35-.48, .6-1.3
salmon: .7-.85, 3.6-5.6
tuna: 1.9-2.4, 160-270
swordfish: 2.7-3.3, 120-230
seahorse: .1-.16, .005-.012
lobster: .25-.38, .5-1.2
frog: .07-.09, .022-.045
toad: .08-.12, .035-.08
gecko: .1-.15, .01-.025
iguana: 1.2-1.6, 3-5.5
rattlesnake: .95-1.3, .7-1.5
python: 3.4-4.6, 25-45
crocodile: 3.5-4.6, 280-480
sea turtle: .95-1.15, 110-170
tortoise: .2-.27, 1.2-2.4
pipistrelle bat: .08-.1, .02-.035
dust mite: .0002-.0003, .000000004-.00000001
fruit fly: .002-.003, .0000007-.0000012
wasp: .012-.017, .00008-.00013
stag beetle: .045-.065, .002-.004
shrew: .09-.12, .006-.012
chipmunk: .2-.25, .08-.13
guinea pig: .22-.28, .7-1.1
chinchilla: .36-.42, .42-.65
meerkat: .46-.54, .65-.95
ferret: .5-.6, .8-1.6
skunk: .6-.75, 1.9-3.6
baboon: 1.15-1.4, 16-28
orangutan: 1.15-1.4, 40-80
wombat: .9-1.1, 22-34
capybara: 1.1-1.3, 42-62
wild boar: 1.45-1.75, 75-125
tapir: 1.9-2.25, 180-260
okapi: 2.2-2.5, 210-310
water buffalo: 2.8-3.3, 600-950
manatee: 2.8-3.3, 420-560
beluga whale: 3.7-4.4, 900-1400
minke whale: 7.3-8.8, 5200-8500
sperm whale: 14-17, 34000-50000
grey whale: 12-14, 20000-31000
whale shark: 8-10.5, 8000-15000
basking shark: 6.6-8, 3000-4700
nightingale: .15-.165, .018-.024
starling: .19-.22, .065-.09
puffin: .26-.3, .35-.48
partridge: .29-.32, .35-.45
raven: .58-.67, .95-1.5
pelican: 1.5-1.75, 8-12
emu: 1.6-1.85, 32-46
carp: .45-.62, 2-4.5
cod: .65-.9, 3.2-7.5
harvest mouse: .1-.14, .004-.008
house gecko: .08-.13, .003-.006
weta: .07-.1, .02-.04
Goliath beetle: .06-.11, .02-.05
centipede: .03-.05, .0006-.0015
black widow: .025-.038, .0005-.001
hermit crab: .04-.08, .02-.06
king penguin: .85-.95, 11-16
golden eagle: .75-.95, 3.5-6
barn owl: .33-.38, .3-.5
snowy owl: .53-.66, 1.6-2.6
kingfisher: .16-.18, .034-.046
magpie: .42-.48, .18-.25
blue tit: .11-.125, .009-.012
bullfinch: .145-.165, .022-.03
woodpecker: .31-.35, .18-.22
heron: .85-1, 1.3-2
stork: 1-1.1, 2.6-4.2
cormorant: .8-.95, 2-3.2
albatross: 1.1-1.3, 7-11
condor: 1.1-1.3, 9-14
coyote: 1.05-1.35, 9-18
jackal: .95-1.2, 8-14
hyena: 1.4-1.8, 45-75
wolverine: .85-1.1, 11-17
aardvark: 1.4-1.9, 45-75
anteater: 1.8-2.2, 30-45
armadillo: .65-.85, 4-6.5
platypus: .42-.55, 1-2
kiwi bird: .38-.45, 2-3.2
warthog: 1.2-1.6, 60-110
gazelle: 1.1-1.4, 18-32
ibex: 1.3-1.6, 70-110
yak: 2.6-3.2, 400-650
narwhal: 4-4.8, 900-1500
sea lion: 2-2.5, 200-320
manta ray: 4.5-6, 1000-1800
hammerhead shark: 3.2-4.4, 230-420
sturgeon: 1.4-2.1, 25-60
pike: .6-.9, 2-6
anchovy: .1-.14, .01-.02
mackerel: .3-.4, .35-.7
stingray: .9-1.3, 12-25
octopus: .7-1, 3-8
giant squid: 8-12, 150-270
oyster: .08-.12, .08-.15
mussel: .05-.075, .012-.025
starfish: .15-.25, .1-.25
Komodo dragon: 2.2-2.8, 60-90
anaconda: 4-5.5, 40-75
alligator: 2.8-3.6, 150-300
king cobra: 3-3.9, 5-8
giant tortoise: 1-1.25, 160-270
chameleon: .3-.45, .09-.18
axolotl: .2-.28, .06-.18
bullfrog: .12-.17, .3-.5
chihuahua: .26-.38, 1.6-2.8
poodle: .75-.95, 20-30
greyhound: 1-1.2, 27-36
Saint Bernard: 1.3-1.5, 62-85
Great Dane: 1.4-1.65, 55-80
# botany
grape: .018-.026, .004-.008
blueberry: .009-.014, .0006-.0018
raspberry: .015-.024, .003-.006
cherry: .02-.027, .006-.011
strawberry: .03-.043, .012-.024
plum: .045-.06, .05-.08
apricot: .042-.054, .035-.052
kiwi fruit: .06-.075, .07-.1
lime: .045-.058, .055-.08
lemon: .07-.092, .09-.15
orange: .07-.085, .13-.2
grapefruit: .1-.13, .25-.4
apple: .07-.085, .15-.22
pear: .09-.115, .16-.23
peach: .062-.08, .12-.19
banana: .17-.21, .11-.16
mango: .11-.15, .2-.4
pineapple: .28-.38, 1-1.9
coconut: .2-.28, 1-1.7
melon: .16-.22, 1.1-2
watermelon: .3-.42, 5-9
pumpkin: .3-.45, 4-8
almond: .02-.026, .001-.0014
hazelnut: .012-.017, .001-.0018
peanut: .013-.021, .0005-.0011
walnut: .035-.045, .01-.014
acorn: .02-.034, .002-.006
pine cone: .08-.14, .02-.06
chestnut: .024-.034, .009-.016
pea: .007-.0095, .0002-.0004
navy bean: .012-.018, .0004-.0009
lentil: .004-.0065, .00004-.00007
grain of rice: .0055-.0075, .00002-.00003
grain of wheat: .0055-.0075, .00003-.00005
sunflower seed: .009-.013, .00005-.0001
poppy seed: .0008-.0013, .0000002-.0000004
mustard seed: .0012-.0023, .0000015-.000004
olive: .018-.027, .003-.006
garlic clove: .024-.034, .004-.007
radish: .024-.036, .012-.024
carrot: .16-.22, .06-.1
potato: .08-.12, .13-.24
onion: .065-.09, .11-.2
tomato: .06-.08, .09-.16
bell pepper: .085-.12, .13-.2
cucumber: .24-.34, .25-.4
eggplant: .16-.24, .25-.46
cauliflower: .16-.21, .7-1.2
cabbage: .16-.22, .9-1.8
lettuce: .2-.28, .25-.5
celery stalk: .26-.36, .035-.06
asparagus spear: .16-.23, .014-.026
corn cob: .18-.24, .2-.32
mushroom: .035-.055, .014-.026
daisy: .08-.18, .0005-.0015
rose: .42-.68, .018-.04
tulip: .35-.52, .02-.036
sunflower: 1.6-2.6, .7-2
bonsai tree: .3-.46, 1.6-4
apple tree: 4-6, 200-500
birch tree: 15-22, 500-1200
oak tree: 20-28, 5000-12000
pine tree: 22-30, 1500-4000
giant sequoia: 65-85, 500000-1100000
clover leaf: .012-.022, .00004-.00009
maple leaf: .08-.14, .0006-.0014
chia seed: .0018-.0022, .000001-.0000014
sesame seed: .0027-.0034, .0000027-.0000038
flax seed: .004-.0052, .000005-.000008
apple seed: .007-.009, .00004-.00008
chickpea: .008-.011, .0003-.0005
coffee bean: .009-.012, .00012-.0002
pistachio: .017-.021, .001-.0014
cashew: .022-.03, .0011-.002
lychee: .03-.039, .015-.024
fig: .042-.06, .04-.065
beetroot: .062-.085, .1-.19
avocado: .09-.12, .16-.28
pomegranate: .085-.11, .22-.38
artichoke: .09-.125, .2-.36
sweet potato: .13-.18, .2-.4
papaya: .18-.25, .6-1.2
cranberry: .01-.018, .0008-.002
blackberry: .018-.028, .004-.008
gooseberry: .014-.022, .003-.006
date palm: 15-22, 700-2000
honeydew melon: .17-.24, 1.4-2.6
grain of pollen: .00002-.00005, .00000000001-.0000000001
kidney bean: .014-.018, .0004-.0008
Brussels sprout: .025-.04, .01-.022
leek: .35-.5, .15-.3
turnip: .07-.1, .12-.25
zucchini: .16-.22, .18-.32
butternut squash: .22-.32, .8-1.6
jackfruit: .4-.7, 8-18
durian: .22-.32, 1.2-2.6
bamboo stalk: 8-15, 15-40
coconut palm: 18-26, 800-2200
weeping willow: 10-15, 1500-4000
redwood tree: 75-100, 300000-900000
bay leaf: .06-.1, .00015-.0004
oak leaf: .08-.14, .0004-.0009
dandelion: .15-.3, .004-.01
water lily leaf: .2-.3, .02-.05
# kitchen
grain of salt: .0002-.0004, .00000003-.0000001
sugar cube: .014-.018, .0028-.0042
tea bag: .055-.07, .0019-.0028
peppercorn: .004-.0058, .00004-.00007
egg: .054-.062, .053-.066
bread roll: .09-.12, .045-.07
loaf of bread: .24-.32, .5-.85
slice of toast: .1-.12, .025-.038
croissant: .13-.17, .05-.08
bagel: .095-.115, .085-.115
doughnut: .08-.1, .05-.078
cupcake: .06-.075, .05-.08
birthday cake: .22-.28, .9-1.8
pizza: .29-.34, .35-.6
pancake: .13-.17, .05-.08
pretzel: .1-.14, .06-.1
stick of butter: .11-.13, .11-.125
bar of chocolate: .15-.17, .095-.105
gummy bear: .018-.023, .002-.0028
marshmallow: .025-.034, .006-.008
stick of chewing gum: .07-.076, .0025-.0031
meatball: .03-.042, .022-.036
hamburger: .1-.125, .2-.32
hot dog: .15-.18, .1-.15
sandwich: .12-.16, .15-.28
sushi roll: .035-.05, .02-.034
can of tuna: .083-.088, .19-.22
can of soda: .118-.124, .37-.39
bottle of wine: .29-.32, 1.2-1.4
bottle of ketchup: .2-.25, .55-.95
jar of honey: .1-.13, .65-.8
carton of milk: .2-.245, 1.02-1.09
teaspoon: .13-.15, .02-.032
tablespoon: .18-.21, .045-.07
fork: .185-.21, .038-.058
butter knife: .2-.235, .045-.08
chopstick: .22-.25, .005-.009
chef knife: .32-.36, .18-.27
bread knife: .32-.37, .12-.2
whisk: .26-.31, .08-.14
rolling pin: .4-.47, .45-.8
spatula: .29-.34, .06-.12
ladle: .29-.33, .11-.18
corkscrew: .11-.14, .06-.11
bottle opener: .1-.14, .03-.06
can opener: .17-.2, .15-.25
cheese grater: .22-.26, .18-.32
garlic press: .16-.185, .18-.3
cutting board: .34-.44, .9-2
dinner plate: .26-.28, .5-.75
saucer: .14-.16, .16-.24
soup bowl: .19-.23, .35-.55
mug: .105-.13, .29-.4
teacup: .1-.12, .14-.22
wine glass: .2-.235, .12-.19
shot glass: .055-.065, .08-.14
tumbler: .12-.15, .22-.34
teapot: .21-.26, .6-1
coffee pot: .22-.28, .5-.9
frying pan: .42-.5, .9-1.6
saucepan: .34-.4, .7-1.2
stock pot: .32-.4, 1.6-2.8
wok: .52-.62, 1.3-2.2
kettle: .23-.27, .9-1.3
toaster: .28-.34, 1.2-2
blender: .37-.44, 2.5-4.2
coffee machine: .32-.38, 3.5-7
food mixer: .34-.4, 6-11
microwave oven: .46-.52, 11-17
dishwasher: .84-.88, 38-52
refrigerator: 1.65-1.9, 58-85
stove: .88-.93, 42-65
kitchen sink: .78-1, 3.5-7.5
trash can: .58-.72, 2.4-5
quail egg: .031-.036, .009-.012
goose egg: .082-.094, .13-.18
ostrich egg: .145-.165, 1.2-1.6
sugar bowl: .1-.125, .25-.4
rice cooker: .26-.31, 2-3.1
bread machine: .34-.39, 5.4-7.2
slow cooker: .37-.42, 4.2-6
chest freezer: .9-1.2, 32-46
grain of sugar: .0004-.0006, .0000005-.0000009
corn flake: .015-.024, .00008-.00016
popcorn kernel: .007-.009, .00012-.0002
rice cake: .085-.1, .007-.01
fortune cookie: .06-.075, .006-.009
waffle: .16-.21, .08-.13
baguette: .55-.68, .24-.27
wedding cake: .38-.5, 5-9
gingerbread house: .24-.32, .8-1.6
wheel of cheese: .55-.65, 32-42
roast turkey: .38-.48, 4.5-7
rack of lamb: .2-.27, .6-.9
salt shaker: .08-.11, .09-.17
pepper mill: .16-.24, .25-.45
ice cube: .028-.038, .014-.026
lunch box: .2-.26, .25-.45
thermos flask: .26-.32, .4-.65
pressure cooker: .38-.45, 2.6-4
casserole dish: .3-.36, 2-3.4
picnic basket: .4-.5, 1.5-2.8
wine rack: .42-.6, 2-4.5
kitchen scale: .2-.24, .5-.9
salad bowl: .28-.34, .8-1.5
serving tray: .42-.5, .8-1.4
drinking straw: .19-.22, .0005-.0009
egg cup: .05-.07, .04-.08
measuring cup: .14-.17, .08-.15
kitchen timer: .06-.08, .05-.09
meat cleaver: .28-.33, .4-.7
# standard
grain of sand: .0004-.0009, .0000001-.0000008
postage stamp: .024-.032, .00004-.00008
business card: .085-.09, .001-.0018
playing card: .087-.09, .0016-.002
credit card: .0853-.0859, .0048-.0055
banknote: .14-.157, .0009-.0012
US penny: .0188-.0193, .0024-.0027
euro coin: .0231-.0235, .0074-.0077
sheet of paper: .295-.299, .0048-.0052
postcard: .146-.15, .004-.0062
envelope: .218-.222, .004-.0056
newspaper: .56-.6, .15-.3
paperback book: .17-.2, .2-.36
hardcover book: .22-.25, .5-.95
dictionary: .23-.26, 1.3-2.4
AA battery: .0495-.0505, .022-.027
AAA battery: .0438-.0446, .011-.0125
car battery: .24-.3, 14-19
compact disc: .1195-.1205, .0148-.0162
vinyl record: .3-.303, .12-.18
golf ball: .0427-.043, .0448-.046
table tennis ball: .0397-.0403, .0026-.0028
tennis ball: .0654-.0686, .056-.0594
baseball: .073-.0755, .142-.149
cricket ball: .0713-.0729, .156-.163
billiard ball: .0571-.0573, .16-.17
bowling ball: .2158-.2183, 4.5-7.2
soccer ball: .2165-.223, .41-.45
basketball: .239-.246, .58-.65
volleyball: .207-.213, .26-.28
rugby ball: .28-.3, .41-.46
shuttlecock: .083-.09, .0048-.0055
hockey puck: .0758-.0766, .156-.17
chess pawn: .045-.055, .012-.026
chess king: .092-.1, .04-.07
chessboard: .45-.52, 1.2-2.5
domino tile: .045-.052, .01-.016
glass marble: .0155-.0165, .0048-.0058
tennis racket: .68-.69, .29-.34
badminton racket: .67-.68, .085-.1
table tennis bat: .25-.265, .16-.2
baseball bat: .83-.87, .85-1
hockey stick: .93-.97, .52-.6
golf club: .95-1.15, .32-.46
javelin: 2.6-2.7, .8-.82
discus: .219-.221, 2-2.02
shot put: .11-.13, 7.26-7.3
football goal: 7.3-7.4, 110-190
table tennis table: 2.74-2.76, 65-110
pool table: 2.5-2.7, 320-420
shipping container: 12.1-12.3, 3600-4000
wooden pallet: 1.195-1.205, 20-26
house brick: .21-.23, 2.2-3
concrete block: .39-.44, 15-20
concrete railway sleeper: 2.5-2.62, 250-310
front door: 2-2.1, 18-34
gold bar: .25-.28, 12.3-12.6
postal parcel: .4-.5, 3-6
squash ball: .0395-.0405, .023-.025
badminton net: 6-6.2, 1-2
medicine ball: .23-.29, 2.8-5.2
tennis net: 12.7-12.9, 10-16
basketball hoop: .45-.47, 2.6-4.5
pole vault pole: 4.5-5.1, 2-3
paving slab: .59-.61, 30-38
roof tile: .38-.44, 2.8-4.4
railway rail: 24.9-25.1, 1250-1550
manhole cover: .6-.7, 55-90
bag of cement: .55-.65, 24.8-25.2
sheet of plywood: 2.43-2.45, 18-30
floppy disk: .0899-.0941, .016-.022
cassette tape: .1-.11, .034-.05
# maker
needle: .035-.05, .0001-.0003
sewing pin: .025-.034, .00008-.00014
paper clip: .027-.034, .0004-.0006
thumbtack: .009-.012, .0004-.0007
staple: .011-.014, .00003-.00004
safety pin: .027-.039, .0004-.001
shirt button: .013-.02, .0004-.001
zipper: .16-.24, .008-.016
shoelace: 1.1-1.3, .004-.007
thimble: .02-.025, .003-.006
spool of thread: .045-.065, .014-.03
pencil: .175-.19, .004-.0065
ballpoint pen: .138-.15, .0056-.0095
fountain pen: .132-.142, .017-.03
felt-tip marker: .125-.142, .014-.02
crayon: .087-.094, .0045-.0056
eraser: .04-.06, .012-.024
pencil sharpener: .023-.032, .006-.01
school ruler: .305-.315, .018-.034
pair of scissors: .17-.21, .06-.11
stapler: .13-.17, .16-.3
hole punch: .11-.14, .2-.38
glue stick: .085-.105, .018-.036
tape dispenser: .13-.16, .4-.9
spiral notebook: .205-.215, .14-.24
ring binder: .31-.32, .35-.55
calculator: .135-.17, .09-.15
backpack: .42-.5, .55-1.1
briefcase: .4-.45, 1.3-2.6
suitcase: .64-.72, 3-4.6
umbrella: .84-.96, .4-.6
wallet: .095-.115, .07-.13
house key: .05-.065, .008-.013
padlock: .06-.085, .12-.26
wristwatch: .22-.26, .05-.1
wedding ring: .019-.023, .003-.006
pair of sunglasses: .135-.15, .022-.036
hair comb: .16-.19, .014-.028
toothbrush: .18-.195, .014-.02
tube of toothpaste: .15-.18, .1-.15
bar of soap: .075-.09, .085-.11
safety razor: .13-.15, .02-.045
nail clipper: .055-.075, .02-.04
hairbrush: .21-.25, .09-.16
hair dryer: .22-.27, .5-.75
towel: 1.3-1.45, .5-.75
pillow: .65-.8, .6-1.1
blanket: 1.9-2.1, 1.1-2
ankle sock: .26-.34, .025-.045
glove: .22-.25, .03-.06
woollen scarf: 1.6-1.9, .1-.2
necktie: 1.45-1.52, .045-.07
baseball cap: .26-.29, .07-.1
T-shirt: .68-.76, .14-.21
pair of jeans: 1-1.1, .55-.8
winter coat: .85-1.1, 1.1-2
sneaker: .28-.32, .28-.4
hiking boot: .29-.33, .6-.85
flip-flop: .26-.3, .1-.18
light bulb: .105-.12, .03-.06
candle: .2-.26, .05-.09
matchstick: .042-.05, .0001-.00017
matchbox: .05-.056, .007-.012
lighter: .075-.083, .016-.023
flashlight: .12-.2, .1-.26
clothes hanger: .41-.45, .04-.12
clothespin: .07-.085, .006-.012
broom: 1.3-1.5, .5-.9
bucket: .3-.36, .4-.9
mop: 1.2-1.4, .6-1.1
steam iron: .27-.31, 1.2-1.7
ironing board: 1.35-1.55, 5-8
vacuum cleaner: .38-.46, 4.5-6.5
washing machine: .84-.87, 62-78
clothes dryer: .84-.86, 38-54
sewing machine: .38-.45, 5.5-9
alarm clock: .09-.13, .15-.35
wall clock: .28-.34, .6-1.2
floor lamp: 1.5-1.75, 4-7.5
desk lamp: .42-.56, 1-2
bookshelf: 1.8-2.05, 26-45
armchair: .85-1, 18-30
dining chair: .84-.96, 4.5-7
sofa: 1.95-2.3, 42-70
dining table: 1.6-1.9, 32-55
desk: 1.3-1.6, 26-45
double bed: 2.05-2.2, 48-85
mattress: 1.95-2.03, 22-38
crib: 1.25-1.4, 17-27
wardrobe: 1.95-2.2, 70-120
piano: 1.42-1.53, 200-260
grand piano: 1.75-2.2, 320-440
bathtub: 1.65-1.75, 26-42
toilet: .66-.75, 27-42
ladder: 2.6-3.4, 9-15
wheelbarrow: 1.4-1.55, 12-19
lawn mower: 1.4-1.65, 24-36
garden hose: 15-20, 2.4-4.2
shovel: 1.1-1.3, 1.5-2.3
rake: 1.45-1.65, .9-1.4
watering can: .4-.5, .6-1.2
flower pot: .17-.24, .6-1.4
hammer: .3-.34, .5-.8
screwdriver: .2-.25, .08-.14
wrench: .2-.26, .2-.36
pair of pliers: .16-.2, .17-.28
handsaw: .52-.62, .45-.7
iron nail: .05-.08, .003-.008
wood screw: .035-.055, .002-.005
steel bolt: .05-.085, .03-.07
power drill: .2-.25, 1.2-2
tape measure: .065-.085, .18-.32
spirit level: .58-.62, .4-.7
toolbox: .42-.52, 1.4-2.6
paint can: .18-.2, 3.2-6
paintbrush: .22-.26, .06-.11
axe: .68-.8, 1.6-2.3
chainsaw: .78-.9, 4.6-6.4
anvil: .5-.65, 55-110
snow globe: .085-.1, .27-.42
piggy bank: .14-.17, .35-.6
bar stool: .7-.8, 4.5-7
filing cabinet: 1.3-1.36, 46-62
office safe: .42-.55, 25-45
fire extinguisher: .47-.56, 8-11
vending machine: 1.8-1.95, 260-360
jukebox: 1.45-1.58, 130-170
car engine: .65-.82, 120-190
earplug: .02-.026, .0003-.0007
contact lens: .0138-.0146, .00002-.00004
guitar pick: .028-.032, .0004-.001
cotton swab: .07-.078, .0002-.0004
rubber band: .06-.09, .0003-.0007
hairpin: .05-.065, .0004-.0008
nail file: .12-.18, .006-.015
lipstick: .07-.08, .018-.026
shaving brush: .1-.12, .05-.08
bath sponge: .12-.16, .015-.035
rubber duck: .08-.11, .04-.07
bath mat: .75-.85, .5-.9
bathroom scale: .29-.33, 1.5-2.2
walking stick: .88-.95, .3-.5
crutch: 1.1-1.4, .7-1.1
sleeping bag: 1.9-2.2, 1-1.9
camp bed: 1.85-2, 6-9
stepladder: 1.6-2, 5-8
extension cord: 4.8-5.2, .4-.7
drill bit: .09-.12, .01-.025
hacksaw: .38-.46, .5-.8
crowbar: .6-.75, 1.6-2.6
sledgehammer: .85-.95, 4.5-6.5
pitchfork: 1.3-1.5, 1.6-2.4
garden gate: .95-1.1, 12-22
rocking chair: .95-1.15, 12-18
bunk bed: 2-2.15, 55-95
coffee table: 1-1.25, 14-26
chest of drawers: .95-1.2, 35-60
grandfather clock: 1.9-2.2, 38-60
hat stand: 1.7-1.9, 4.5-8
shower curtain: 1.8-2, .4-.8
beach umbrella: 1.8-2.2, 2-4
deckchair: .95-1.2, 3.5-5.5
hourglass: .15-.22, .2-.45
jewellery box: .2-.28, .9-1.8
music box: .11-.16, .3-.6
birdcage: .5-.7, 2.5-5
aquarium: .6-.8, 8-14
wood stove: .85-1.05, 90-150
water heater: 1-1.3, 32-50
radiator: 1-1.2, 22-38
air conditioner: .75-.9, 9-13
cash register: .4-.45, 8-13
shopping basket: .43-.48, .6-.9
bank vault door: 2.1-2.4, 2800-6000
# electronics
SIM card: .0121-.0124, .0002-.0004
memory card: .0148-.0152, .0003-.0006
USB stick: .04-.062, .007-.014
earbud: .022-.032, .004-.006
smartphone: .145-.163, .16-.22
tablet computer: .24-.255, .44-.52
laptop: .3-.345, 1.2-1.9
desktop computer: .38-.46, 6.5-11
computer mouse: .105-.125, .075-.11
computer keyboard: .43-.455, .5-.95
computer monitor: .54-.62, 3.4-5.5
television: 1.1-1.25, 12-17
remote control: .16-.21, .09-.14
game controller: .15-.165, .22-.3
pair of headphones: .17-.2, .2-.32
microphone: .16-.19, .26-.36
camera tripod: 1.4-1.65, 1.2-2
video projector: .3-.36, 2.4-3.6
laser printer: .37-.42, 7.5-12
photocopier: 1.1-1.25, 85-140
Wi-Fi router: .2-.26, .3-.6
loudspeaker: .34-.42, 5.5-9
electric guitar: .97-1.02, 3.2-4.2
acoustic guitar: 1-1.05, 1.7-2.3
violin: .585-.605, .4-.5
cello: 1.2-1.25, 2.4-3.4
double bass: 1.8-1.95, 9-12
flute: .66-.68, .4-.5
harmonica: .1-.11, .09-.12
trumpet: .48-.55, 1-1.3
tuba: .9-1.1, 8.5-12
drum kit: 1.5-2, 32-50
harp: 1.75-1.9, 34-42
accordion: .42-.5, 9-12
smoke detector: .1-.13, .12-.2
walkie-talkie: .2-.26, .2-.32
hearing aid: .025-.035, .0018-.004
pocket radio: .11-.14, .15-.26
electric razor: .15-.17, .15-.22
electric toothbrush: .24-.26, .11-.16
webcam: .08-.1, .1-.17
external hard drive: .11-.125, .17-.25
electric piano: 1.3-1.4, 11-17
bass drum: .55-.62, 6-9
pipe organ: 6-9, 3000-9000
church bell: .9-1.2, 500-1000
# vehicles
skateboard: .78-.82, 2-2.8
roller skate: .3-.34, 1.4-2
kick scooter: .95-1.1, 4-5.6
tricycle: .68-.85, 4.5-7.5
bicycle: 1.68-1.82, 10-15
unicycle: .85-1.05, 5-6.5
moped: 1.7-1.88, 75-100
motorcycle: 2.05-2.25, 170-220
wheelchair: 1-1.12, 14-19
stroller: .95-1.1, 8-12
shopping cart: .95-1.1, 18-28
snowboard: 1.5-1.62, 2.7-3.6
ski: 1.6-1.8, 1.6-2.5
surfboard: 1.8-2.75, 2.8-5.5
canoe: 4.6-5.2, 25-36
kayak: 2.9-4.2, 18-26
rowing boat: 3.2-4, 65-110
sailing dinghy: 4.1-4.3, 58-80
speedboat: 5.2-6.5, 700-1250
ferry: 80-140, 2500000-6500000
cruise ship: 290-345, 90000000-130000000
oil tanker: 300-345, 38000000-46000000
aircraft carrier: 310-335, 75000000-100000000
submarine: 95-118, 5800000-8000000
golf cart: 2.35-2.5, 380-480
quad bike: 1.9-2.15, 240-320
small car: 3.55-3.8, 900-1080
sports car: 4.25-4.55, 1350-1600
pickup truck: 5.4-5.9, 2000-2500
delivery van: 5.6-6.4, 2050-2600
ambulance: 5.7-6.7, 3200-4400
school bus: 11-12.2, 9500-12500
double-decker bus: 10.3-11.3, 11500-13000
fire truck: 8.5-10, 13500-18000
garbage truck: 9-10, 14000-17500
cement mixer truck: 8.6-9.6, 12500-15500
tractor: 4.2-4.9, 4500-6800
combine harvester: 8.2-9.6, 13000-18000
bulldozer: 5.8-7.2, 18000-24000
excavator: 9.2-10.2, 20000-25000
forklift: 3.4-4, 3800-5200
steamroller: 4.7-5.6, 9500-12500
tower crane: 55-75, 90000-160000
battle tank: 9.2-10, 55000-68000
tram car: 28-36, 36000-48000
locomotive: 18-22, 82000-130000
railway carriage: 25-26.5, 42000-52000
hang glider: 9.5-10.5, 26-36
hot air balloon: 22-28, 350-700
helicopter: 11-13.5, 1200-2200
light aircraft: 8-8.4, 700-800
jet fighter: 14.8-15.3, 8300-9300
passenger jet: 37-40, 40000-46000
jumbo jet: 70-76, 178000-220000
space shuttle: 37-37.5, 74000-82000
paper airplane: .2-.29, .0045-.0055
toy car: .07-.08, .03-.05
toy kite: .9-1.4, .12-.35
party balloon: .26-.33, .0024-.0036
car tire: .6-.67, 8-11
steering wheel: .36-.39, 2-3.2
traffic cone: .7-.77, 2.2-3.6
go-kart: 1.75-2.05, 70-110
horse carriage: 2.7-3.4, 320-520
minivan: 4.8-5.2, 1900-2200
limousine: 6.8-8.4, 2600-3300
motorhome: 7-8.4, 3300-4400
snowmobile: 2.8-3.2, 210-290
canal boat: 17-21, 15000-22000
lifeboat: 13.5-16.5, 15000-29000
tugboat: 24-32, 250000-480000
icebreaker: 110-135, 7000000-11000000
frigate: 125-150, 3800000-5500000
destroyer: 150-165, 7000000-9500000
bulk carrier: 225-290, 12000000-24000000
container ship: 366-400, 45000000-65000000
space station: 105-110, 400000-440000
inline skate: .29-.33, 1.3-1.9
cargo bike: 2.4-2.6, 34-48
horse trailer: 3.8-4.6, 800-1200
mobile crane: 11-14, 38000-56000
steam locomotive: 19-23, 90000-140000
subway car: 17-20, 27000-38000
jet ski: 3.1-3.5, 300-400
raft: 3.6-4.6, 60-90
gondola: 10.7-11, 380-460
fishing trawler: 26-38, 180000-420000
river barge: 75-90, 900000-1500000
glider: 7-8.5, 230-300
weather balloon: 1.8-2.4, .5-1.3
blimp: 55-65, 4500-7500
moon rocket: 110-111, 2800000-3000000
# structures
dollhouse: .6-1.05, 5-12
mailbox: .42-.56, 2.2-5.5
park bench: 1.5-1.85, 45-85
telephone booth: 2.3-2.55, 550-760
bus shelter: 3.6-4.4, 450-900
garden shed: 2.4-3, 180-420
caravan: 5.8-7, 1000-1450
greenhouse: 3.6-6, 120-320
lamppost: 5.5-8.5, 90-180
flagpole: 9-13, 55-110
windmill: 18-26, 45000-110000
wind turbine: 120-160, 200000-420000
lighthouse: 28-45, 700000-2400000
water tower: 34-48, 180000-460000
Ferris wheel: 45-65, 180000-380000
Statue of Liberty: 92-94, 26000000-28000000
Eiffel Tower: 328-331, 9800000-10200000
Great Pyramid of Giza: 229-232, 5700000000-6100000000
Forth Bridge: 2460-2475, 51000000-55000000
Golden Gate Bridge: 2730-2745, 380000000-840000000
garden gnome: .25-.36, 1.2-3.2
telescope: .9-1.25, 6-13
microscope: .33-.42, 3.2-6
desk globe: .36-.44, .8-1.6
teddy bear: .28-.42, .2-.45
Lego brick: .0315-.032, .0023-.0026
jigsaw piece: .019-.026, .0008-.0018
yo-yo: .055-.062, .05-.068
Rubik's cube: .056-.0575, .085-.11
frisbee: .265-.275, .165-.18
boomerang: .32-.46, .12-.26
trampoline: 3-3.7, 45-78
treadmill: 1.65-1.95, 68-110
dumbbell: .24-.32, 5-10
kettlebell: .26-.3, 12-16
punching bag: 1-1.35, 28-42
fishing rod: 2.1-2.7, .15-.3
hammock: 2.9-3.4, 1.1-2.3
barbell: 2.19-2.21, 19.8-20.2
empty wine barrel: .93-.97, 42-52
empty oil drum: .87-.89, 16-19
empty beer keg: .53-.6, 11-14
cannonball: .105-.13, 5.4-5.8
igloo: 2.6-3.6, 1200-2600
Leaning Tower of Pisa: 56-58, 14200000-14800000
Washington Monument: 169-170, 80000000-84000000
CN Tower: 552-554, 115000000-135000000
Empire State Building: 442-444, 325000000-370000000
Burj Khalifa: 828-830, 440000000-510000000
Hoover Dam: 375-382, 5900000000-6700000000
birdhouse: .25-.35, 1.2-2.4
beehive: .5-.75, 18-35
doghouse: .9-1.2, 18-35
phone mast: 25-40, 8000-20000
footbridge: 20-35, 15000-45000
log cabin: 7-10, 20000-45000
grain silo: 15-22, 20000-60000
smokestack: 60-120, 1500000-5000000
football stadium: 230-290, 150000000-400000000
cooling tower: 100-150, 12000000-25000000
Brooklyn Bridge: 1820-1840, 14000000-15500000
`

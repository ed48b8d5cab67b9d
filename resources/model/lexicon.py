# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of the story grammar: who lives where, what they own, and how the sky looks.

Template notation, used here and in plots*.py:

    {a|b|c}    one of the alternatives, all equally likely; may nest and may be empty
    <key>      a story variable, chosen the first time it is needed and then kept
"""

GIRLS = ["Mia", "Lily", "Anna", "Rosa", "Nora", "Ella", "Ivy", "Clara", "Tilda", "Marta", "Wren", "Juno",
         "Hana", "Signe", "Leila", "Amara"]
BOYS = ["Tom", "Ben", "Oskar", "Finn", "Leo", "Jonas", "Emil", "Hugo", "Milo", "Arlo", "Kofi", "Ravi",
        "Nils", "Otto", "Samir", "Theo"]
SHE_BEASTS = ["Poppy", "Hazel", "Luna", "Dot", "Willow", "Pearl", "Maple", "Clover"]
HE_BEASTS = ["Pip", "Bramble", "Moss", "Rusty", "Barley", "Flint", "Acorn", "Thimble"]

# Made-up names, so that the model learns to keep a name it has never seen.
SYLLABLES_1 = ["Ba", "Be", "Da", "Do", "Ka", "Ki", "La", "Lo", "Ma", "Mo", "Na", "Ne", "Pa", "Ra", "Ro", "Sa",
               "Si", "Ta", "To", "Va", "Vi", "Za", "Ze", "Gu", "Ha", "Je", "Yo", "Fa", "Wi", "Ul", "Es", "Or"]
SYLLABLES_2 = ["ra", "ri", "ro", "la", "li", "lo", "na", "ni", "no", "mi", "ma", "mo", "ka", "ko", "sha", "tha",
               "di", "da", "vi", "va", "be", "ta", "ti", "zu", "ru", "lu"]
SHE_TAILS = ["a", "ia", "lia", "na", "beth", "ra", "wen", "ssa"]
HE_TAILS = ["o", "rin", "n", "s", "bert", "ric", "ton", "k"]

BEASTS = ["fox", "rabbit", "mouse", "hedgehog", "bear cub", "squirrel", "badger", "otter", "mole", "kitten"]
WORKERS = ["baker", "shepherd", "tailor", "gardener", "painter", "potter", "weaver", "clockmaker"]

# What each trait means, told once near the beginning.
TRAITS = {
    "curious": ["<h.He> {wanted to know|asked} why the {wind blew|moon was round|stars were so far away}.",
                "<h.He> {looked under every stone|opened every box} and {asked a hundred questions|wondered about everything}.",
                "No {door|path|shadow} was too {small|dark} for <h.him> to look {into|at twice}."],
    "brave": ["<h.He> was not afraid of {the dark|thunder|spiders|big dogs}, or so <h.he> {said|liked to say}.",
              "When something {strange|new} happened, <h.he> was always the first to {go and see|step forward}.",
              "{Everyone|People} said that <h.he> had the heart of a {lion|bear}."],
    "shy": ["<h.He> {spoke so softly|was so quiet} that people often {forgot|did not notice} <h.he> was there.",
            "<h.He> liked {listening|watching} more than talking.",
            "When strangers came, <h.he> hid behind the {door|curtain|woodpile}."],
    "kind": ["<h.He> {shared <h.his> bread|left crumbs on the window} {for|with} the {birds|sparrows} every morning.",
             "<h.He> could not {pass|see} anyone sad without {stopping|saying a gentle word}.",
             "If someone was {cold|tired|hungry}, <h.he> was always the first to {notice|help}."],
    "cheerful": ["<h.He> {sang|whistled|hummed} from {morning|breakfast} until {night|bedtime}.",
                 "Even on {grey|rainy} days <h.he> {laughed|danced} like {sunshine|a little bell}.",
                 "<h.He> had a {smile|joke|merry word} for everyone."],
    "clever": ["<h.He> could {mend|fix} almost anything with a piece of {string|wire}.",
               "<h.He> liked {riddles|puzzles} better than {cake|sweets}.",
               "Nobody {knew|remembered} more {stories|songs|riddles} than <h.he> did."],
    "dreamy": ["<h.He> could {sit for hours|spend a whole day} and look at the {clouds|stars|rain}.",
               "Sometimes <h.he> forgot <h.his> {shoes|supper|hat} because <h.he> was {thinking of|dreaming about} {faraway lands|flying|dragons}.",
               "<h.His> head was full of {songs|clouds|stories}."],
    "stubborn": ["When <h.he> had {started|begun} something, <h.he> never {stopped|gave up} before it was {done|finished}.",
                 "<h.He> did everything <h.his> own way, even when it took {twice as long|all day}.",
                 "The word \"no\" only made <h.him> try {harder|again}."],
}

# home: where the hero lives; places: (name, preposition); path: how one walks there; wind: its voice.
REGIONS = {
    "sea": dict(
        home=["{by|beside|near} the {grey|blue|wide} sea", "above a {small|quiet} harbour", "on a {windy|little} island"],
        places=[("the lighthouse", "at"), ("the harbour", "in"), ("the white cliffs", "below"), ("the boat shed", "behind"),
                ("the long beach", "on"), ("the old pier", "under"), ("the salt marsh", "in"), ("the sea cave", "inside")],
        path=["along the {sand|beach|shore}", "over the {dunes|wet stones}", "down the {narrow|steep} path to the water"],
        sound=["the waves {sang|whispered|rolled} {on|against} the {sand|rocks}", "the gulls {cried|called} {over|above} the water",
               "the {sails|ropes} {creaked|rattled} in the wind"],
        helpers=["seal", "gull", "crab", "turtle", "heron", "fisherman"]),
    "forest": dict(
        home=["{at the edge|in the middle} of a {deep|green|great} forest", "under {an old oak|three tall pines}", "between the {birches|pines}"],
        places=[("the hollow oak", "inside"), ("the mossy stones", "between"), ("the blackberry hedge", "under"), ("the still pond", "beside"),
                ("the fern valley", "in"), ("the fallen tree", "under"), ("the clearing", "in"), ("the woodcutter's hut", "behind")],
        path=["between the {tall|dark|silent} trees", "over {roots and moss|soft moss}", "along the {winding|hidden} trail"],
        sound=["the leaves {whispered|rustled|murmured} {overhead|in the wind}", "a woodpecker {knocked|tapped} {somewhere|far away}",
               "the branches {creaked|swayed} {softly|gently}"],
        helpers=["owl", "deer", "badger", "raven", "toad", "woodcutter"]),
    "mountain": dict(
        home=["{high in|at the foot of} the mountains", "on a {green|steep|sunny} hill", "beside a {mountain stream|cold, clear lake}"],
        places=[("the stone bridge", "under"), ("the waterfall", "behind"), ("the high meadow", "on"), ("the goat shed", "in"),
                ("the ruined tower", "inside"), ("the blue lake", "beside"), ("the narrow pass", "in"), ("the crystal cave", "inside")],
        path=["up the {steep|stony} path", "across the {meadow|slope}", "along the {stream|ridge}"],
        sound=["the stream {sang|chattered|splashed} over the stones", "{bells|goat bells} rang {far below|on the slope}",
               "an eagle {circled|cried} {high above|in the sky}"],
        helpers=["goat", "eagle", "marmot", "hare", "wolf", "shepherd"]),
    "village": dict(
        home=["in a {small|sleepy|busy} village", "beside {an old mill|the river}", "at the end of {a long lane|the market street}"],
        places=[("the windmill", "behind"), ("the market square", "in"), ("the old well", "beside"), ("the apple orchard", "in"),
                ("the church tower", "in"), ("the river bank", "on"), ("the baker's shop", "in"), ("the hay barn", "in")],
        path=["down the {lane|cobbled street}", "across the {fields|wooden bridge}", "along the {river|garden walls}"],
        sound=["the mill wheel {turned|creaked|splashed}", "the church bell {rang|sounded} {over|above} the roofs",
               "{hens|geese|sparrows} {chattered|quarrelled} in the lane"],
        helpers=["cat", "goose", "donkey", "magpie", "miller", "postman"]),
}
# Helpers that walk on two legs and speak like people.
PEOPLE_HELPERS = {"fisherman", "woodcutter", "shepherd", "miller", "postman"}
HELPER_ADJ = ["old", "wise", "grey", "sleepy", "tall", "friendly"]

SEASONS = {
    "spring": dict(
        open=["The {snow had melted|first flowers were out} and {the air smelled of|everything smelled of} {rain|grass|earth}.",
              "It was spring, and the {cherry|apple} trees were {white|pink} with {blossom|flowers}.",
              "The {days|evenings} grew {longer|warmer}, and {swallows|larks} {filled the sky|sang all day}."],
        end=["Outside, the spring {rain|wind} {tapped on|whispered at} the window.",
             "A {thrush|blackbird} sang {in the garden|on the roof} until {it was dark|the moon came up}.",
             "The {blossom|petals} {drifted|fell} {through the air|past the window} like {slow|soft} snow."],
        sky=["a soft rain", "a fresh wind", "a pale sun"]),
    "summer": dict(
        open=["It was summer, and the {grass|corn} stood {high|tall and golden}.",
              "The {sun|summer sun} was {hot|warm} and the {bees|dragonflies} {hummed|danced} {everywhere|all day long}.",
              "The {nights|evenings} were {short|light}, and nobody wanted to {sleep|go to bed}."],
        end=["{Crickets|Frogs} sang {in the grass|in the dark} and the air was {warm|sweet}.",
             "The {warm|long} summer {night|evening} smelled of {hay|roses}.",
             "{Fireflies|Glow-worms} {danced|glowed} {under the trees|in the garden}."],
        sky=["a hot sun", "a warm breeze", "a sudden shower"]),
    "autumn": dict(
        open=["It was autumn, and the {leaves|woods} had turned {red|gold|brown}.",
              "{Mist|Fog} lay {over the fields|in the valley}, and the {apples|nuts} were ripe.",
              "The {wind|autumn wind} {chased|blew} {yellow|dry} leaves {around the house|across the ground}."],
        end=["Outside, the wind {shook|rattled} the {shutters|branches}, but inside it was {warm|bright}.",
             "The last {leaves|swallows} {left|said goodbye}, and the {moon|harvest moon} rose {round|big} and {yellow|orange}.",
             "There was {apple cake|nut bread|pumpkin soup} for {supper|everyone}."],
        sky=["a thick mist", "a cold wind", "a grey cloud"]),
    "winter": dict(
        open=["It was winter, and {snow|deep snow} {covered|lay on} the {roofs|ground}.",
              "{Ice|Frost} {glittered|sparkled} on every {window|branch}.",
              "The {days|mornings} were {dark|short and cold}, and smoke rose {straight|slowly} from {the chimneys|every chimney}."],
        end=["Outside, {snow|big flakes} {began to fall|fell softly}, and the {world|night} was {quiet|still}.",
             "The {fire|stove} {crackled|glowed}, and the {cold|frost} stayed outside.",
             "The {stars|winter stars} {shone|glittered} {over the snow|like ice}."],
        sky=["a cold mist", "an icy wind", "a flurry of snow"]),
}

ELDERS = [("grandmother", "f"), ("grandfather", "m"), ("mother", "f"), ("father", "m"), ("aunt", "f"), ("uncle", "m")]
# Things one can lose, lend, carry or find.
THINGS = ["lantern", "key", "whistle", "scarf", "kite", "bell", "music box", "compass", "flute", "silver spoon",
          "wooden horse", "book", "ring", "button", "mirror", "drum"]
COLOURS = ["red", "blue", "green", "golden", "silver", "small", "old", "shiny"]
FROM = ["It had {belonged to|been a gift from} <h.his> <g>.", "<h.He> had {found|bought} it {at a fair|in an attic} long ago.",
        "It was {not worth much|only a small thing}, but <h.he> {loved|treasured} it more than {gold|anything}.",
        "<h.He> {always carried|always took} it {along|wherever <h.he> went}."]
FOODS = ["honey cakes", "apple pie", "warm bread", "pumpkin soup", "berry jam", "pancakes", "plum dumplings", "cheese rolls"]
BABIES = ["duckling", "lamb", "puppy", "owlet", "piglet", "fawn", "sparrow", "hedgehog"]
FEARS = {"the dark": "dark", "thunder": "thunder", "deep water": "water", "high places": "heights"}
FEASTS = ["the harvest feast", "the lantern festival", "the midsummer dance", "the spring fair", "the birthday of the king"]
VEHICLES = ["boat", "raft", "kite", "sledge", "cart", "windmill"]
CURES = ["moon flower", "silver moss", "star berry", "snow lily", "golden herb", "blue thyme"]

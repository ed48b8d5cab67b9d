# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings, endings and the first half of the plots of the story grammar (notation: see lexicon.py).

A plot is a list of paragraphs, a paragraph a list of sentences. A "?" in front: told every other time.
A tuple: one of its members. Main variables: h hero, f friend, g an older relative, c and d helpers, o a thing,
p q r places, each with .he .him .his .self (and capitalised), .a ("a little fox"), .full ("the old owl").
"""

WHO = "{there lived|there was} <h.a> {named|called} <h>"

OPENINGS = [
    ["Once upon a time, {there was|there lived} <h.a> named <h> who lived <home>.", "<h> was very <trait>.", "<trait.tell>",
     "?<season.open>"],
    ["Once upon a time, <home>, " + WHO + ".", "{Everyone|All the neighbours} {knew|said} that <h> was <trait>.", "<trait.tell>",
     "<season.open>"],
    ["Once upon a time there was <h.a> {called|whose name was} <h>.", "<h.He> lived with <h.his> <g> <home>.",
     "<h> was <trait.a> {child|soul|little thing}, and <h.his> <g> {loved <h.him> dearly|was proud of <h.him>}.", "?<trait.tell>"],
    ["Long ago, <home>, " + WHO + ".", "<h.He> was {very|so} <trait>.", "<trait.tell>", "<season.open>"],
    ["<season.open>", "<home>, <h.a> named <h> {woke up|got out of bed} {early|before the sun}.",
     "<h> was {known to be <trait>|as <trait> as anyone could be}.", "?<trait.tell>"],
    ["<h> was <h.a> who lived <home> with <h.his> <g>.", "<h.He> was <trait>{|, and that was no secret|, as everyone could see}.",
     "<trait.tell>", "?<season.open>"],
    ["{In a small house|In a little cottage|In a round stone house} <home>, " + WHO + ".",
     "<h.His> <g> {often|always} said, \"<h>, you are the most <trait> {child|creature} in the {whole|wide} world.\"",
     "?<trait.tell>", "<season.open>"],
    ["{Many years ago|There was a time}, when {animals could speak|the world was young|wishes still came true}, <h.a> named <h> lived <home>.",
     "<h.He> was <trait>{, but <h.he> did not know it|, and a little lonely|, and happy most of the time}.", "<trait.tell>"],
]

LONG_OPENERS = "{This is a long story, and it begins {on a quiet day|with something small}.|Many things happened to <h> that year, and the first began {on a quiet day|with something small}.|Whoever wants to hear {all of it|the whole story} {needs time|must sit down}.}"

LINKS = "{But the story does not end there.|Not long after that, something else happened.|A few days later, a new adventure began.|When the moon had grown round again, there was more to do.|{A week|Some time} went by, and then came another surprise.}"

ENDINGS = [(
    ["<season.end>", "{And|So} <h> {slept|fell asleep} {with a smile|happily}, {and dreamed of|dreaming of} {tomorrow|<p>|flying|new friends}."],
    ["From that day on, <h> was {still|even more} <trait>, but {never|no longer} {alone|lonely}.", "?<season.end>"],
    ["{And if you|If you ever} walk past <p> {at night|in the evening}, {you may|perhaps you will} {hear|see} <h.him> {laughing|singing} {still|there}.", "The end."],
    ["<h.His> <g> {tucked <h.him> in|gave <h.him> a kiss} and {whispered|said}, \"{You did well|I am proud of you|What a day}, <h>.\"", "<season.end>"],
    ["<season.end>", "And they all lived {happily|in peace} {ever after|for many years}."],
    ["{Children|People} still {tell|remember} the story of <trait> <h>, {and each time it grows a little longer|and now you know it too}.", "?The end."],
)]

LOST = [
    ["One {morning|day}, <h> {could not find|lost} <h.his> <o.full>.", "<o.from>",
     "<h.He> {looked|searched} under the bed, {behind the stove|in the cupboard} and {in every pocket|under the stairs}, but the <o> was {gone|nowhere}.",
     "?\"{Oh no|Dear me}!\" {cried|said} <h>. \"{Where can it be|What shall I do}?\"",
     "{\"Think of where you went yesterday,\" said <h.his> <g>.|\"Things do not walk away on their own,\" said <h.his> <g>.}"],
    ["So <h> {set off|went out} to {look for|find} it.", "First <h.he> {walked|went} <path> to <p>.",
     "<p.at> <h.he> met <c.a>.", "\"{Have you seen|Did you find} a <o>?\" {asked|said} <h>.",
     ("<c> {shook <c.his> head|thought for a while}. \"{No|Not today}, {but I saw|I only saw} something {bright|shining} near <q>,\" <c.he> said.",
      "\"{I have seen many things|I see everything}, but not that,\" said <c>. \"{Try|Go to} <q>. {The wind carries everything that way|Lost things often end up there}.\"",
      "<c> {yawned|blinked}. \"{Ask|Talk to} <d>, who {sleeps|lives} near <q>,\" said <c.he>."),
     "<h> {thanked <c.him>|said thank you} and {hurried|ran} on."],
    ["{At <q>|When <h> came to <q>}, <sound>.", "<h> was {tired|sad}, and <h.he> {sat down|wanted to cry}.",
     ("Then <h.he> {saw|noticed} {small|strange} footprints in the {mud|dust}. They {led|went} to a {hole|nest}, and there {lay|was} the <o>!",
      "Then <h.he> heard a {small|soft} sound. <d.full> was {sitting|standing} there with the <o> in {front|the middle} of <d.him>.",
      "Then something {glittered|sparkled} {in the grass|between two stones}. It was the <o>, {wet|dusty} but whole!"),
     ("{Beside it|Next to it} {sat|was} a {tiny|young} <baby> who {had never seen anything so beautiful|thought it was a toy}. \"{Is it yours|Must you take it}?\" it asked. \"{I only wanted|I wanted} something to {love|play with}.\"",
      "\"I {found|kept} it for you,\" said {a small voice|someone behind <h.him>}. It was a <baby>, {cold|hungry} and {alone|lost}. \"{I hoped|I knew} that {someone|its owner} would come.\"")],
    [("<h> {thought|looked at it} for a {moment|long time}. Then <h.he> {smiled|knelt down} and said, \"We can {share it|play with it together}.\"",
      "<h> was not {angry|cross} at all. \"{Come home with me|Come along},\" <h.he> said. \"{There is <food>|We have <food>} {for everyone|and a warm fire}.\""),
     "{So|And so} <h> found <h.his> <o>, and a {friend|new friend} {besides|too}.",
     "?\"{Sometimes|Now and then} we must lose something {small|little} to find something {big|better},\" said <h.his> <g>."],
]

BABY = [
    ["One {evening|afternoon}, <h> was walking <path> when <h.he> heard {someone crying|a thin cry|a sad little voice}.",
     "{It came from|The sound came from} <p>.", "<p.at> {sat|lay} a {very small|little} <baby>.",
     "\"{What is wrong|Why are you crying}?\" asked <h>.",
     "\"{I am lost|I cannot find my mother},\" {said|sobbed} the <baby>. \"{I followed|I ran after} a {butterfly|leaf}, and {then|now} everything {looked|looks} {strange|the same}.\""],
    ["{\"Do not be afraid,\"|\"Dry your tears,\"} said <h>. \"{I will help you|We will find her together}.\"",
     "<h.He> wrapped the <baby> in <h.his> {scarf|coat} and gave it {some|a bit of} {bread|milk}.",
     "?The <baby> was so {light|small} that <h.he> could {carry|hold} it {in one hand|under <h.his> arm}.",
     "They went <path>, and {on the way|soon} they met <c.full>.",
     "\"{Do you know|Have you seen} the mother of this <baby>?\" asked <h>.",
     ("\"I heard {someone|a mother} calling near <q>,\" said <c>. \"{But be quick|Hurry}, {for|because} <season.sky> is {coming|on its way}.\"",
      "\"{Perhaps|Maybe},\" said <c>, \"but first {sing me a song|tell me a riddle}.\" So <h> {did|tried}, and <c> {laughed|was pleased} and pointed {to|towards} <q>.")],
    ["The way to <q> was {long|hard}.", ("A {stream|ditch} {lay|ran} across the path, and <h> {jumped|waded} {over|through} it with the <baby> on <h.his> {back|shoulders}.",
      "It {grew|became} dark, and <h> {held|lifted} up {a lantern|a little light} so that {they could see|the <baby> was not afraid}.",
      "<season.sky> {came|rose}, and they {hid|waited} under {a rock|a bush} until it was {over|gone}."),
     "\"{Are we there yet|Is it far}?\" asked the <baby>.", "\"{Only a little more|Almost},\" said <h>, {though|but} <h.he> was {tired|not sure}.",
     "<q.at> <sound>.", "And there, {at last|finally}, {stood|was} the mother!"],
    ["{She ran|She came running} to them and {covered|kissed} her <baby> {with kisses|again and again}.",
     "\"{How can I thank you|You have brought back my heart},\" she said to <h>.",
     ("\"{You already have|It was nothing},\" said <h>{, and <h.he> blushed|, and meant it}.",
      "\"{Let me come and visit|May I visit you},\" said <h>, \"{that is all I want|and we are even}.\""),
     "{Every|Each} {week|Sunday} after that, the <baby> {came to play|waited for <h.him>} <p.at>."],
]

CURE = [
    ["That {week|month}, <h.his> <g> {fell ill|became very ill}.",
     "<g.He> {lay in bed|could not get up} and {coughed|shivered} {all night|day and night}.",
     "The {doctor|old neighbour} came and {sadly |}shook her head.",
     "\"Only {the|a} <cure> can help,\" she said. \"It grows {far away|high up}, {behind|beyond} <p>, <q> and <r>.\"",
     "\"{Then I will go|I will fetch it},\" said <h>.",
     "<h.He> {packed|took} <food> and a {warm coat|blanket} and {set out|left} before {dawn|sunrise}."],
    ["{First|At first} the way led <path> to <p>.", "There {sat|stood} <c.full>, {blocking|guarding} the {way|path}.",
     "\"{Nobody passes|You may not pass},\" {growled|said} <c>, \"{unless you|until you} {answer my riddle|tell me a secret|make me laugh}.\"",
     ("<h> {thought hard|closed <h.his> eyes}. \"What has {teeth|a face} but cannot {bite|smile}?\" asked <c>. \"{A comb|A clock},\" said <h>. \"A {comb|clock}!\"",
      "<h> {whispered|said} {something|a few words} into <c.his> ear. Nobody knows what it was, but <c> {laughed until <c.he> cried|smiled and nodded}.",
      "<h> {danced|made a face} so {funny|badly} that <c> {fell over|rolled on the ground} laughing."),
     "<c.He> {stepped aside|let <h.him> pass}."],
    ["{Then|Next} <h.he> came to <q>.", "<sound>, and <season.sky> {made|turned} everything {strange|dim}.",
     "<h> {was hungry|wanted to eat}, but <q.at> {lay|sat} a <baby>, {even hungrier|thin and weak}.",
     "<h> {gave it|shared with it} <h.his> <food>{, every bit|, down to the last crumb}.",
     "\"{I will not forget this|Thank you},\" said the <baby>. \"{Follow me|I know a short way}.\"",
     "And it {led|took} <h.him> {through|by} a {hidden|secret} {tunnel|gate}."],
    ["{At last|Finally}, {beyond|behind} <r>, <h.he> saw it: {one|a single} <cure>, {shining|glowing} in the {moonlight|grass}.",
     ("<h> {reached out|bent down}, but {stopped|waited}. \"{May I|Please, may I take you},\" <h.he> asked. The {flower|plant} {bowed|nodded}, and {came loose|fell} into <h.his> hand.",
      "It grew {on a high ledge|over a deep gap}, and <h> {climbed|reached} until <h.his> {fingers|arms} hurt. {Twice|Once} <h.he> slipped. Then <h.he> had it!"),
     "<h.He> {ran|hurried} {all the way|the whole way} home and {cooked|made} {tea|soup} {from|of} it.",
     "After {one|the first} {sip|spoonful}, <h.his> <g> {opened <g.his> eyes|sat up}. \"{What|Who} {smells so good|has been so brave}?\" <g.he> asked.",
     "{By morning|The next day} <g.he> was {well|healthy} again."],
]

QUARREL = [
    ["<h> had a {friend|best friend} named <f>, <f.a> who lived {next door|nearby|close by}.",
     "{Every day|Each afternoon} they {played|met} <p.at>, and <sound>.",
     "But one day they {quarrelled|had a quarrel} {about|over} a <o>.",
     "\"{It is mine|I saw it first}!\" said <h>.", "\"{No, it is mine|You always say that}!\" {cried|shouted} <f>.",
     ("They {pulled|tugged} {and pulled|this way and that}, and the <o> {broke|fell} {in two|to pieces}.",
      "<f> {threw|flung} it {away|into the grass} and ran home, and <h> {stamped|kicked} {the ground|a stone}.")],
    ["{For three days|The whole week} they did not {speak|meet}.", "<h> {told <h.self>|said aloud} that <h.he> did not {care|mind}.",
     "But {every game|everything} {felt|seemed} {dull|empty}, and even the <food> {tasted of nothing|had no taste}.",
     "<h.His> <g> {saw|noticed} it. \"{A friend|Friendship} is like {a fire|a garden},\" <g.he> said. \"{Leave it alone|Forget it} and it {goes cold|dies}.\""],
    ["<h> {thought about|could not forget} this {all night|for a long time}.",
     "In the morning <h.he> {took|found} the <o> and {mended|cleaned} it {with glue|with care} until it {looked|was} {almost|nearly} new.",
     "Then <h.he> went to <f>, but {on the way|halfway}, <p.at>, <h.he> {met|saw} <f> coming {towards <h.him>|the other way}!",
     ("<f> was carrying {a basket of|some} <food>. \"{This is for you|I made these}, {I am sorry|because I was wrong},\" <f.he> said.",
      "<f> had a {flower|drawing} in <f.his> hand. \"{I wanted to say|I came to say} that I am sorry,\" <f.he> said."),
     "\"{I am sorry too|So am I},\" said <h>. \"{You can have the <o>|The <o> belongs to both of us}.\""],
    ["They {laughed|hugged}, and {the quarrel|all the anger} {melted|was gone} like {snow|ice} in the sun.",
     "{From then on|After that}, <h> had the <o> {on Mondays|one day} and <f> {on Tuesdays|the next}, and {on Sundays|sometimes} they {used|had} it together."],
]

FEAR = [
    ["There was only one thing that <h> {did not like|feared}, and that was <fear>.",
     "?<h.He> had never told anyone{| about it}.",
     "One {day|evening}, <h.his> friend <f>, <f.a>, {did not come home|was missing}.",
     "\"<f.He> {went to|was seen near} <p>,\" said <h.his> <g>, \"and {nobody|no one} has seen <f.him> {since|after that}.\"",
     "<h> {turned pale|swallowed}. To {get to|reach} <p> one had to {go through|face} <fear>."],
    ["<h.His> {knees|hands} {shook|trembled}, but <h.he> {took|lit} a lantern and {went|set out}.",
     "<path> <h.he> went, and <sound>.",
     "\"{Are you|And are you} not afraid?\" asked <c.full>, who {sat|was} {by the way|on a stone}.",
     ("\"{Yes|I am},\" said <h>, \"but {my friend needs me|<f> is alone, and that is worse}.\"",
      "\"{Very much|Terribly},\" said <h>, \"but I {must go|will go} {anyway|all the same}.\""),
     "\"Then {take this|listen},\" said <c>. \"{Count your steps|Sing}, and the fear will {grow small|walk behind you}.\""],
    ["So <h> {did|tried it}, and {took one step after another|went on, step by step}.",
     "{When|As} <h.he> came {near|close to} <p>, <h.he> heard <f> {calling|crying for help}.",
     ("<f> had {fallen|slipped} into a {hole|deep hole}. <h> {tied|made} a rope {from|out of} <h.his> {scarf|coat} and {pulled|hauled} <f.him> out.",
      "<f> had {hurt|twisted} <f.his> {foot|leg} and could not walk. <h> {lifted|took} <f.him> onto <h.his> {back|shoulders}.",
      "<f> was {stuck|caught} {under a branch|between two stones}. <h> {pushed and pulled|pulled with all <h.his> might} until <f.he> was free."),
     "\"{You came|It is you}!\" said <f>. \"But you are afraid of <fear>!\"",
     "\"{I was|I still am},\" {laughed|said} <h>. \"{I forgot|There was no time}.\""],
    ["Together they went home, and {the whole village|everyone} {cheered|was glad}.",
     "\"{To be brave|Courage},\" said <h.his> <g>, \"{does not mean|is not} to have no fear. It {means|is} to {go anyway|walk with it hand in hand}.\""],
]

FEAST = [
    ["Soon it was time for <feast>.", "{Everybody|Everyone} had {a task|something to do}, and <h> was to {bring|make} <food>.",
     "<h.He> {worked|cooked} {from morning till night|for two days} until the {kitchen|house} smelled {wonderful|sweet}.",
     "But {when|as} <h.he> {turned around|looked again}, the {table|plate} was empty!",
     "\"{Thief|Someone took it}!\" {cried|called} <h>."],
    ["{There were|<h> saw} {crumbs|sticky drops} on the {floor|step}, and <h> followed them <path>.",
     "They {led|went} past <p> and ended <q.at>.",
     "There sat <c.full> with {a full belly|crumbs on <c.his> chin}.",
     "\"{Did you eat|Was it you who ate} my <food>?\" asked <h>.",
     ("<c> {looked down|hung <c.his> head}. \"{I was so hungry|It smelled so good},\" <c.he> said. \"{Nobody|No one} {ever|has ever} {invites me|asked me to a feast}.\"",
      "\"{Only a little|Just a taste},\" said <c>, and {blushed|coughed}. \"{And then|But then} a little more. {I am sorry|Forgive me}.\"")],
    [("<h> {wanted|was about} to {scold|shout at} <c.him>, but then <h.he> {saw|noticed} how {thin|lonely} <c.he> was.",
      "<h> was {angry|cross}, but only for a {moment|little while}."),
     "\"{Help me|Come and help me} {make|cook} more,\" <h.he> said, \"and {you shall come|then come} to the feast {with me|as my guest}.\"",
     "So they {worked|baked|cooked} {side by side|together}, and <c> {turned out to be|was} {very good|quick} with a {spoon|knife}.",
     "?{Flour|Steam} flew {everywhere|up to the roof}, and they laughed until their {bellies|sides} hurt."],
    ["That {night|evening} there were {lamps|candles} in the trees, and {fiddles|drums} {played|sounded}.",
     "{Everyone|All} {said|agreed} that {the|this} <food> had never been better.",
     "\"{What is the secret|How did you do it}?\" {asked|wondered} <h.his> <g>.",
     "<h> {winked at|looked at} <c>. \"{Four hands|A friend},\" <h.he> said."],
]

STORM = [
    ["One {night|evening}, {a storm|a great storm} {came|blew in} {from the west|over the land}.",
     "The wind {howled|roared}, {doors|windows} {banged|rattled}, and {the rain|water} {ran down|beat on} the {roof|walls}.",
     "<h> {lay awake|sat by the window} and {listened|counted the thunder}.",
     "{Suddenly|Then} <h.he> saw {a light|a small light} {blinking|swinging} near <p>.",
     "\"Somebody {is out there|needs help},\" said <h>."],
    ["<h.His> <g> {gave <h.him>|took down} {a rope|the big lantern}, and {together they|they both} went {out|into the storm}.",
     "<path> they {struggled|pushed on}, {bent|leaning} {against|into} the wind.",
     "<p.at> they found <c.full>, {wet|soaked} to the {skin|bone}.",
     "\"{The bridge is gone|The path has washed away},\" {cried|called} <c>, \"and <d> is {trapped|still} on the other side!\""],
    [("<h> {threw|cast} the rope {across|over}. {Once|Twice} it {fell short|missed}. {Then|At last} it {held|caught} {on a root|on a stone}.",
      "<h> {looked around|had an idea}. {A fallen tree|A long plank} lay near, and {together they|all three} {pushed|rolled} it {across|over the water}."),
     "\"{Hold on|Do not look down}!\" {called|shouted} <h>.",
     "Step by step, <d> {came over|crossed}, while <sound>.",
     "Just as <d> {reached|touched} {the bank|firm ground}, {a wave|the water} {swept|tore} {everything|it all} away."],
    ["At home they {sat|dried themselves} by the fire and {ate|had} <food>.",
     "\"I {thought|was sure} {nobody|no one} would {come|see my light},\" said <d>.",
     "\"{There is always someone|Someone is always} {awake|at a window},\" {said|answered} <h>.",
     "In the morning {the sky|everything} was {clear|washed clean}, and they {all helped to build|began to build} a new bridge{|, stronger than the old one}."],
]

PLOTS = dict(lost=LOST, baby=BABY, cure=CURE, quarrel=QUARREL, fear=FEAR, feast=FEAST, storm=STORM)

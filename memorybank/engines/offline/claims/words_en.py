"""What the claim comparison knows of English words. Data only: closed classes, and classes of words that say the same.

Everything here is general English. A word that is missing costs recall, a class that is too wide costs precision, so
the classes are narrow: announcing a chip is not releasing it.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the this that these those its his her their our my your such said")
PRONOUNS = _words("it he she they we i you him them who this these those one itself himself herself themselves there")
BACK_REFERENCES = _words("it he she they its his her their this these those the")
PREPOSITIONS = _words(
    "of in on at by with from to for into onto over under about above below between among through "
    "during before after since "
    "until till against across along around behind beneath beside beyond inside near off outside "
    "past per than toward towards "
    "upon via within without throughout despite except like unlike as amid concerning regarding including alongside"
)
CONJUNCTIONS = _words(
    "and but or nor yet so while whereas although though because if when where unless since that whether"
)
SUBORDINATORS = _words(
    "while whereas although though because if when where unless whether after before until once as that"
)
RELATIVES = _words("which that who whom whose where")
AUXILIARIES = _words(
    "is are was were be been being am has have had do does did will would can could may might "
    "shall should must cannot "
    "isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't "
    "couldn't shouldn't mustn't 's 're"
)
COPULAS = _words(
    "is are was were be been being am isn't aren't wasn't weren't become becomes became remain remains remained"
)
ADVERBS = _words(
    "also only still just now then already even always often usually currently officially "
    "originally initially formally "
    "finally eventually later soon once again about nearly almost approximately roughly around up out down off "
    "today very more most less least too quite rather ever together alone thus hence therefore "
    "however moreover furthermore "
    "back largely mainly mostly partly fully completely entirely newly recently widely commonly generally typically "
    "independently jointly successfully previously formerly not never no longer n't long far well directly"
)
MONTHS_AND_DAYS = _words(
    "january february march april may june july august september october november december monday "
    "tuesday wednesday thursday "
    "friday saturday sunday"
)
OTHER_FUNCTION = _words(
    "all any both each every few many much several some other another own same such no not more "
    "most than too very so what "
    "how why etc eg ie vs according due instead rather well least up out"
)
FUNCTION = (
    ARTICLES
    | PRONOUNS
    | PREPOSITIONS
    | CONJUNCTIONS
    | RELATIVES
    | AUXILIARIES
    | ADVERBS
    | MONTHS_AND_DAYS
    | OTHER_FUNCTION
)

NEGATORS = _words("not never no n't cannot neither nor without nobody nothing none nowhere hardly barely")
NEGATIVE_VERBS = _words(
    "fail lack refuse deny decline cease reject stop avoid omit exclude forbid prohibit ban prevent miss"
)
"""Turn what follows into its opposite: "fails to work", "lacks a lid". Lemmas."""
NOT_NEGATIVE = (
    "not only",
    "not just",
    "not merely",
    "not least",
    "not until",
    "no doubt",
    "no fewer",
    "no less",
    "no more than",
    "not more than",
    "not less than",
    "whether or not",
    "no matter",
    "not always",
    "not all",
    "not every",
    "not necessarily",
    "not yet known",
    "no later than",
    "not far",
    "nothing but",
    "none other",
)
HEDGES = _words(
    "may might could would should perhaps possibly probably likely reportedly allegedly "
    "supposedly potentially if unless plans "
    "planned planning plan expects expected expect aims aim aimed hopes hope hoped intends "
    "intended intend proposes proposed "
    "projected forecast estimated rumoured rumored scheduled believed thought claims claimed "
    "alleged predicts predicted "
    "targets targeted goal myth falsely wrongly mistakenly once formerly previously originally initially used"
)
"""A statement with one of these says less than the plain one, or speaks of another time."""

# -- verbs ------------------------------------------------------------------------------------------------------------

IRREGULAR = {
    form: base
    for line in """
arise arose arisen|beat beat beaten|become became become|begin began begun|bear bore born borne|bind bound
bound|bring brought
brought|build built built|buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost
cost|cut cut cut|
deal dealt dealt|die died died|do did done|draw drew drawn|drive drove driven|eat ate eaten|fall fell
fallen|feed fed fed|
fight fought fought|find found found|fly flew flown|forbid forbade forbidden|forget forgot forgotten|get got
gotten|give gave
given|go went gone|grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold
held held|
keep kept kept|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let|lie lay
lain|lose lost
lost|make made made|mean meant meant|meet met met|pay paid paid|put put put|read read read|ride rode ridden|ring
rang rung|
rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set
set|shake
shook shaken|shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang
sung|sink
sank sunk|sit sat sat|sleep slept slept|speak spoke spoken|spend spent spent|spin spun spun|spread spread
spread|stand stood
stood|steal stole stolen|stick stuck stuck|strike struck struck|swim swam swum|take took taken|teach taught
taught|tell told
told|think thought thought|throw threw thrown|understand understood understood|wake woke woken|wear wore
worn|win won won|
wind wound wound|withdraw withdrew withdrawn|write wrote written|overtake overtook overtaken|undergo underwent
undergone|
swear swore sworn|tear tore torn|weave wove woven|freeze froze frozen|break broke broken|breed bred bred|burn
burnt burnt|light lit lit|sweep swept swept|dig dug dug|cast cast cast|split split split|hew hewed hewn|sow sowed
sown|sew sewed sewn|slay slew slain|string strung strung|bend bent bent|bleed bled bled|cling clung clung|creep
crept crept|flee fled fled|grind ground ground|leap leapt leapt|mow mowed mown|quit quit quit|saw sawed sawn|
shed shed shed|sling slung slung|swing swung swung|thrust thrust thrust|weep wept wept
""".replace("\n", " ").split("|")
    for base, *forms in [line.split()]
    for form in forms
}
IRREGULAR |= {
    "died": "die",
    "dies": "die",
    "lies": "lie",
    "lying": "lie",
    "dying": "die",
    "goes": "go",
    "has": "have",
    "does": "do",
}

REGULAR_VERBS = _words(
    "look seem feel sound taste smell resemble belong circulate emit radiate glow shine float "
    "sink hover captain coach curate sculpt supervise accept accommodate accompany achieve "
    "acquire act add "
    "adopt advance allow announce appear appoint approve arrange arrest arrive "
    "assemble attach attack attain attend attract award ban base belong border bottle boast call "
    "cancel capture carry celebrate "
    "certify chair change charge circle claim classify climb close collaborate collapse collect "
    "combine command commission compete "
    "compile complete compose comprise conceive conclude conduct confirm connect conquer consist "
    "construct consume contain continue "
    "contribute control convert convict cool cooperate cover crash create credit cross cultivate "
    "cure damage date debut decide "
    "declare decline decrease dedicate defeat define deliver demolish demonstrate deny depart "
    "depend deploy derive describe design "
    "destroy detect determine develop devise devote differ direct disappear discontinue discover "
    "display dissolve distribute divide "
    "dock dominate donate double drain drop earn edit elect eliminate embed emerge employ enable "
    "encompass end endorse engage enter "
    "erect escape establish evolve examine exceed exclude execute exhibit exist expand expel "
    "explode explore export express extend "
    "face fail feature fill film finance finish fire fit fix flow follow force forge form found "
    "fund gain gather generate govern "
    "graduate grant handle happen harvest head headquarter help hire host house identify "
    "illustrate imprison improve include "
    "incorporate increase indicate influence inhabit inherit initiate inject injure innovate "
    "inscribe inspire install institute "
    "integrate intend introduce invade invent invest investigate invite involve isolate issue "
    "join judge jump kill land last launch "
    "leak learn liberate license like limit link list live load locate love lower maintain manage "
    "manufacture mark marry match "
    "measure melt merge migrate model modify mount move murder name need nominate number observe "
    "obtain occupy occur offer open "
    "operate orbit order organise organize originate oversee own paint participate pass patent "
    "peak perform permit pioneer place "
    "plan plant play play-back portray possess pour power praise prefer premiere prepare present "
    "preserve preside prevent print "
    "process produce prohibit promote propose prove provide publish purchase pursue qualify race "
    "raise range rank reach react "
    "realise realize receive recognise recognize record recover reduce refer reflect refuse "
    "register regulate reign reject relate "
    "release rely remain remove rename rent repair replace report represent require rescue "
    "resemble reside resign resist resolve "
    "restore restrict result retain retire return reveal revise reward roast rule sail score seat "
    "select separate serve settle "
    "shape share ship shorten sign simulate situate smoke solve span specialise specialize "
    "sponsor star start state stay stem stop "
    "store stretch study submit succeed suffer suggest supply support surpass surrender surround "
    "survive suspend switch talk tend "
    "terminate test threaten total tour tower trace trade train transfer transform translate "
    "transmit transport travel treat trigger "
    "triple turn underlie unify unite unveil upgrade use vaccinate value vary view violate visit "
    "vote walk want warn wash watch weigh "
    "welcome withstand work worship yield orchestrate pen helm author co-found cofound co-author "
    "found inaugurate decommission "
    "retrofit refurbish crown ban bury entangle cite boil freeze melt beat dig hatch lodge moor "
    "perch rotate revolve tile"
)

CATENATIVE = _words(
    "fail refuse decline need want plan hope try agree decide manage start continue seek intend "
    "expect attempt help "
    "begin come go happen use threaten vow pledge"
)
"""Take an infinitive: after their past form "to" begins one, and the form is no participle."""

VERB_CLASSES = {
    "found": "found establish co-found cofound institute incorporate",
    "create": "create conceive devise pioneer originate",
    "invent": "invent",
    "discover": "discover",
    "announce": "announce unveil reveal introduce present",
    "release": "release launch debut premiere issue",
    "publish": "publish",
    "begin": "begin start commence initiate",
    "end": "end finish conclude complete",
    "open": "open inaugurate",
    "close": "close shut",
    "build": "build construct erect",
    "make": "make manufacture produce fabricate",
    "design": "design",
    "develop": "develop",
    "write": "write author pen",
    "direct": "direct helm",
    "lead": "lead head chair run manage oversee",
    "locate": "locate situate base lie sit stand headquarter reside",
    "have": "have contain possess feature carry comprise include house hold pack boast host number offer "
    "count accommodate consist "
    "equip seat",
    "provide": "provide supply",
    "use": "use utilise utilize",
    "need": "need require",
    "buy": "buy acquire purchase",
    "own": "own",
    "win": "win",
    "defeat": "defeat beat",
    "weigh": "weigh",
    "cost": "cost",
    "span": "span stretch extend run",
    "reach": "reach attain achieve hit total exceed",
    "last": "last take",
    "name": "name call",
    "marry": "marry wed",
    "increase": "increase grow rise climb expand",
    "decrease": "decrease fall decline drop shrink reduce",
    "happen": "happen occur hold",
    "fly": "fly",
    "show": "show demonstrate prove",
    "change": "change",
    "employ": "employ",
    "replace": "replace succeed",
    "travel": "travel go",
}
"""Class: lemmas that say the same in a statement of fact. A verb of two classes takes the last."""

VERB_CLASS = {lemma: name for name, lemmas in VERB_CLASSES.items() for lemma in lemmas.split()}
GENERIC_CLASSES = _words("have be reach total employ use need provide")
"""Say only that the thing has the value; the noun carries the attribute."""
PHRASAL = {
    ("set", "up"): "found",
    ("come", "out"): "release",
    ("take", "place"): "happen",
    ("take", "over"): "buy",
    ("pass", "away"): "die",
    ("make", "up"): "have",
    ("go", "live"): "open",
    ("come", "online"): "open",
    ("take", "part"): "participate",
    ("carry", "out"): "conduct",
    ("put", "forward"): "propose",
    ("kick", "off"): "begin",
    ("break", "ground"): "begin",
    ("go", "public"): "list",
    ("shut", "down"): "close",
    ("lift", "off"): "release",
    ("blast", "off"): "release",
    ("turn", "out"): "make",
    ("bring", "out"): "publish",
}
STATIVE = _words(
    "look seem feel sound taste smell be have do contain live work operate remain serve employ "
    "cost weigh measure stand lie locate "
    "need require use include know mean support "
    "rank belong depend represent rise span last make travel last total reach exceed produce "
    "generate consume cover flow run stay see say "
    "think believe report estimate consist account average stretch range vary differ resemble "
    "offer provide study teach feature own lead play "
    "increase decrease grow fall drop improve continue keep control connect carry seat host "
    "compete change follow want mark date go get call"
)
"""Say how things are, not that something happened: a date beside one is when it was so."""
EVENTS = _words(
    "found create invent discover announce release publish begin end open close build design "
    "develop write bury born die win buy "
    "merge sign launch establish happen fly land crash complete finish sink destroy demolish "
    "marry elect appoint crown graduate "
    "retire resign join arrive depart patent register test ratify adopt approve dissolve collapse "
    "commission decommission film "
    "record erect inaugurate name rename list debut premiere award make direct introduce explode "
    "erupt capture conquer liberate "
    "invade execute kill arrest defeat divorce form unite separate emerge appear originate become "
    "install connect deliver "
    "demonstrate show propose date purchase deploy enter hold stage celebrate convene host elect "
    "translate perform detect observe "
    "terminate cancel suspend sail submit unite break-ground switch"
)
"""Verb classes and lemmas of something that happens at a time; the date in such a statement is its value."""
COUNTING_EVENTS = _words(
    "lose hire add gain dismiss fire sell kill injure wound deliver order buy test train launch "
    "release build make publish write produce "
    "win export import record treat visit destroy discover find move sign award arrest elect "
    "increase decrease decline drop"
)
"""Verbs whose object is counted by what was done to it: 50 lost is not 50 owned."""
REPEATABLE = _words(
    "win visit play perform host record test show demonstrate hold happen upgrade expand award "
    "use join appear observe detect "
    "defeat elect meet speak fly tour exhibit celebrate attend compete travel report attack "
    "restore renovate stage convene "
    "receive give sell close leave enter return pass perform"
)
"""May happen again in another year or to another one, unless the event is told apart by a number (the 19th Games)."""
INTRANSITIVE = _words(
    "open close begin end die happen fly land crash sink emerge appear arrive collapse explode "
    "erupt debut premiere "
    "locate lie stand originate retire resign graduate last boil freeze melt"
)
AGENT_CLASSES = _words(
    "found invent discover write direct design develop build lead buy own publish make create "
    "compose paint propose win "
    "command captain pilot coach chair conduct head host curate illustrate supervise manage govern sculpt "
    "marry fund finance commission edit translate operate sculpt crown conquer film patent "
    "replace orchestrate govern finish defeat"
)
"""Done by one agent (or a closed list of agents), so that another agent contradicts."""
PLACE_CLASSES = _words(
    "locate born die bury found build happen hold build open make manufacture originate stage raise live grow film"
)

# -- nouns ------------------------------------------------------------------------------------------------------------

ROLES = {
    "ceo": "ceo chief-executive chief-executive-officer",
    "founder": "founder",
    "director": "director",
    "president": "president",
    "chair": "chairman chairwoman chairperson chair",
    "head": "head leader",
    "author": "author writer",
    "inventor": "inventor",
    "designer": "designer",
    "architect": "architect",
    "capital": "capital",
    "mayor": "mayor",
    "captain": "captain",
    "coach": "coach",
    "winner": "winner champion",
    "owner": "owner",
    "manufacturer": "manufacturer maker",
    "developer": "developer",
    "discoverer": "discoverer",
    "creator": "creator",
    "composer": "composer",
    "publisher": "publisher",
    "producer": "producer",
    "birthplace": "birthplace",
    "currency": "currency",
    "editor": "editor",
    "language": "language",
    "operator": "operator",
    "commander": "commander",
    "rector": "rector chancellor headmaster headmistress",
    "investigator": "principal-investigator investigator",
    "king": "king",
    "queen": "queen",
    "wife": "wife",
    "husband": "husband",
    "father": "father",
    "mother": "mother",
    "successor": "successor",
    "predecessor": "predecessor",
    "nickname": "nickname",
    "contractor": "contractor",
    "curator": "curator",
    "minister": "minister",
    "chairman": "",
    "engineer": "chief-engineer",
    "supplier": "",
    "venue": "venue",
    "sponsor": "main-sponsor",
    "nationality": "nationality",
    "alma": "alma-mater",
}
ROLE_OF = {noun: role for role, nouns in ROLES.items() for noun in nouns.split()}
ROLE_VERBS = {
    "founder": "found",
    "author": "write",
    "inventor": "invent",
    "designer": "design",
    "architect": "design",
    "owner": "own",
    "manufacturer": "make",
    "developer": "develop",
    "director": "direct",
    "discoverer": "discover",
    "creator": "create",
    "composer": "compose",
    "publisher": "publish",
    "headquarters": "",
    "winner": "win",
    "head": "lead",
    "operator": "operate",
    "commander": "command",
    "captain": "captain",
    "coach": "coach",
}
"""Roles that are a verb's doer: "its designer was X" says the same as "designed by X"."""

GENERIC_NOUNS = _words(
    "chip processor device machine computer system model version company firm corporation startup "
    "group organisation organization "
    "institute institution university college school laboratory lab centre center facility plant "
    "station project programme program "
    "mission spacecraft probe satellite telescope observatory instrument detector rocket vehicle "
    "car train aircraft airplane plane "
    "ship vessel submarine boat bridge tunnel dam tower building skyscraper castle palace temple "
    "church cathedral mosque museum "
    "library theatre theater stadium airport port harbour harbor railway line road highway canal "
    "river lake mountain peak volcano "
    "island city town village country state province region district park forest desert glacier "
    "reef cave sea ocean planet moon "
    "star asteroid comet galaxy species animal bird fish plant tree fungus mineral element "
    "compound material drug vaccine protein "
    "gene virus book novel poem play film movie series show album song band painting sculpture "
    "work author writer scientist "
    "physicist chemist engineer artist composer director player athlete team club league "
    "tournament competition award prize "
    "language framework library tool app software platform service website network protocol "
    "standard algorithm method theory "
    "experiment study paper report agreement treaty law act party festival ceremony event battle "
    "war dynasty empire structure site "
    "architecture design unit product dish drink cheese fruit man woman person place area thing game"
)
"""With "the", "this" or "its maker's", such a noun stands for what the text is about."""
PEOPLE = _words(
    "people person employee worker staff member inhabitant resident student passenger visitor "
    "user soldier customer player"
)
STANDING = _words(
    "university college airport station hospital river street school institute opera council "
    "stadium cathedral railway university's"
)
"""After a name these name another thing: Oxford University is not Oxford."""
SCOPE = _words(
    "each every per total combined average mean maximum minimum max min initial original first "
    "second third new newer old older "
    "male female women men foreign domestic local international logical physical annual annually "
    "monthly weekly daily yearly peak "
    "main secondary additional extra another other remaining half part partial only full-time "
    "part-time active inactive usable "
    "individual single upper lower inner outer front rear eastern western northern southern "
    "central early late previous former "
    "current planned next final global worldwide nationwide excluding except without including "
    "gross net net-zero adult adults "
    "children young indoor outdoor underground public private primary higher lowest highest record up-to"
)
"""Restrict what is counted or measured; on one side only, they may make the two values parts of different wholes."""
VARYING = _words(
    "employee employ worker staff workforce population inhabitant resident revenue profit sale "
    "income turnover user member "
    "subscriber student enrol price customer visitor passenger share gdp follower rate score "
    "output production budget temperature "
    "debt capitalisation valuation membership attendance audience download rank ranking weather "
    "unemployment inflation earning worth "
    "fortune stock circulation traffic emission"
)
"""Change with time: a value with its year and one without are not compared."""
ATTRIBUTES = {
    "length": "long length stretch extend",
    "height": "tall high height rise elevation altitude",
    "depth": "deep depth",
    "width": "wide width broad",
    "diameter": "diameter across",
    "radius": "radius",
    "circumference": "circumference",
    "distance": "distance away far",
    "weight": "weigh weight mass heavy",
    "speed": "speed fast velocity",
    "price": "cost price expense budget invest priced sell",
    "age": "age old aged",
    "area": "area cover",
    "duration": "last duration take",
    "capacity": "capacity store storage",
    "revenue": "revenue turnover",
    "profit": "profit",
    "thickness": "thick thickness",
    "wavelength": "wavelength",
    "fidelity": "fidelity",
    "power": "power",
    "range": "range",
    "lifespan": "lifespan lifetime live",
}
ATTRIBUTE_OF = {word: name for name, words in ATTRIBUTES.items() for word in words.split()}

# -- opposites --------------------------------------------------------------------------------------------------------

OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in """increase/decrease open/closed close/open accept/reject succeed/fail allow/prohibit allow/ban permit/forbid
permit/ban
support/oppose include/exclude win/lose alive/dead present/absent visible/invisible legal/illegal
guilty/innocent true/false
possible/impossible public/private male/female north/south east/west northern/southern eastern/western
left/right
upstream/downstream indoor/outdoor hot/cold wet/dry active/inactive active/extinct active/dormant active/passive
permanent/temporary
safe/dangerous positive/negative rise/fall rising/falling grow/shrink strengthen/weaken accelerate/decelerate
improve/worsen
warm/cool gain/lose approve/reject pass/fail arrive/depart arrive/leave enter/leave love/hate remember/forget
asleep/awake
sleep/awake empty/full light/dark day/night sit/stand military/civilian domestic/foreign fictional/real
mandatory/optional
compulsory/optional voluntary/compulsory free/paid poisonous/edible toxic/harmless reusable/expendable
crewed/uncrewed
manned/unmanned clockwise/counterclockwise clockwise/anticlockwise vertical/horizontal largest/smallest
longest/shortest
tallest/shortest oldest/youngest oldest/newest first/last highest/lowest fastest/slowest heaviest/lightest
best/worst
biggest/smallest freshwater/saltwater nocturnal/diurnal carnivore/herbivore carnivorous/herbivorous solid/liquid
liquid/gas
synchronous/asynchronous conducting/insulating conductor/insulator confirm/deny raise/lower above/below
before/after
inside/outside majority/minority even/odd single/married begin/end start/stop appear/disappear survive/perish
guilty/acquitted
destroy/preserve intact/destroyed""".split()
)
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "non-")

# -- places -----------------------------------------------------------------------------------------------------------

REGIONS = frozenset(
    " ".join(name.split())
    for name in """africa,asia,europe,north america,south america,oceania,antarctica,scandinavia,latin america,middle east,
southeast asia,united states,usa,us,u.s.,america,united kingdom,uk,u.k.,england,scotland,wales,ireland,northern
ireland,france,
germany,italy,spain,portugal,netherlands,belgium,luxembourg,switzerland,austria,poland,czech
republic,czechia,slovakia,hungary,
romania,bulgaria,greece,turkey,russia,ukraine,belarus,finland,sweden,norway,denmark,iceland,estonia,latvia,lithuania,serbia,
croatia,slovenia,albania,china,japan,south korea,north
korea,korea,taiwan,mongolia,india,pakistan,bangladesh,nepal,sri lanka,
thailand,vietnam,malaysia,indonesia,philippines,myanmar,cambodia,laos,australia,new
zealand,canada,mexico,brazil,argentina,chile,
peru,colombia,venezuela,ecuador,bolivia,paraguay,uruguay,cuba,panama,costa
rica,guatemala,egypt,morocco,algeria,tunisia,libya,
sudan,ethiopia,kenya,tanzania,uganda,nigeria,ghana,south
africa,zimbabwe,zambia,namibia,botswana,madagascar,israel,palestine,
jordan,lebanon,syria,iraq,iran,saudi arabia,yemen,oman,qatar,united arab
emirates,kuwait,afghanistan,kazakhstan,uzbekistan,
georgia,armenia,azerbaijan,alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,
illinois,indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana,
nebraska,nevada,new hampshire,new jersey,new mexico,new york,north carolina,north
dakota,ohio,oklahoma,oregon,pennsylvania,
rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,washington,west
virginia,wisconsin,wyoming,
ontario,quebec,british
columbia,alberta,bavaria,tuscany,catalonia,siberia,tibet,guangdong,sichuan,yunnan,zhejiang,jiangsu,hubei,
hunan,fujian,shandong,anhui,shaanxi,qinghai,xinjiang,inner mongolia""".split(",")
)
"""Places that contain other places. One of them beside a place that is not in the list may be its whole."""
CONTINENTS = _words("africa asia europe oceania antarctica scandinavia") | {
    "north america",
    "south america",
    "latin america",
    "middle east",
}

WIDE_PLACES = _words(
    "county province state region district prefecture valley islands island peninsula mountains "
    "coast desert sea ocean basin "
    "canton department republic kingdom territory"
)
SITES = _words(
    "hospital university museum laboratory laboratories lab labs center centre college institute "
    "house street park station stadium "
    "theatre theater hall palace school campus building road avenue square observatory airport "
    "arena church cathedral castle factory "
    "library garden gardens hotel base facility shipyard yard works tower studio studios"
)
"""Last words of a place's name that say how wide it is; places of different width are not compared."""
DEMONYMS = _words(
    "american british english scottish welsh irish french german italian spanish portuguese dutch "
    "belgian swiss austrian polish czech slovak "
    "hungarian romanian bulgarian greek turkish russian ukrainian finnish swedish norwegian "
    "danish icelandic chinese japanese korean indian "
    "pakistani thai vietnamese malaysian indonesian filipino australian canadian mexican "
    "brazilian argentine chilean peruvian colombian "
    "egyptian moroccan nigerian kenyan ethiopian israeli iranian iraqi saudi european asian "
    "african soviet roman persian arab arabic latin "
    "ottoman mongolian south north east west hebrew taiwanese croatian serbian estonian latvian lithuanian cuban"
)

"""What the claim comparison knows of English words; the lists are in `lexicon/en.yaml`."""

from __future__ import annotations

from memorybank.language.kin import own_people
from memorybank.language.lexicon import lexicon
from memorybank.language.negation import NEGATIVES

_LISTS = lexicon("en")

POSSESSIVES = frozenset({"its", "his", "her", "their"})
DEFINITE = frozenset({"the", "this", "that", "these"})
INDEFINITE = frozenset({"a", "an", "some", "several", "many", "another", "one"})
ARTICLES = _LISTS.words("articles")
DETERMINERS = ARTICLES | _LISTS.words("quantifiers")
PRONOUNS = _LISTS.words("pronouns")
PREPOSITIONS = _LISTS.words("prepositions")
CONJUNCTIONS = _LISTS.words("conjunctions")
RELATIVES = _LISTS.words("relatives")
AUXILIARIES = _LISTS.words("auxiliaries")
ADVERBS = _LISTS.words("adverbs")
MONTHS_AND_DAYS = _LISTS.words("months_and_days")
PERIODS = MONTHS_AND_DAYS | _LISTS.words("seasons") | {f"{word}s" for word in MONTHS_AND_DAYS}
"""A value said of one of these is not said of the whole year."""
FUNCTION = frozenset.union(
    ARTICLES, PRONOUNS, PREPOSITIONS, CONJUNCTIONS, RELATIVES, AUXILIARIES, ADVERBS, MONTHS_AND_DAYS,
    _LISTS.words("quantifiers"), _LISTS.words("other_function"),
)  # fmt: skip

NEGATORS = NEGATIVES
NEGATIVE_VERBS = _LISTS.words("negative_verbs")
"""Turn what follows into its opposite: "fails to work", "lacks a lid". Lemmas."""
NOT_NEGATIVE = _LISTS.phrases("not_negative")
HEDGES = _LISTS.words("hedges")
"""A statement with one of these says less than the plain one, or speaks of another time."""

# -- verbs ------------------------------------------------------------------------------------------------------------

PARTICIPLES = _LISTS.words("participles")
VERB_CLASS = _LISTS.inverted("verb_classes")
"""Lemma: the class of lemmas that say the same in a statement of fact."""
GENERIC_CLASSES = _LISTS.words("generic_classes")
"""Say only that the thing has the value; the noun carries the attribute."""
PHRASAL = {tuple(verb.split("-")): label for verb, label in _LISTS.inverted("phrasal_verbs").items()}
NOMINAL = _LISTS.inverted("nominal")
"""Nouns that say what a verb says."""
STATIVE = _LISTS.words("stative")
"""Say how things are, not that something happened: a date beside one is when it was so."""
EVENTS = _LISTS.words("events")
"""Verb classes and lemmas of something that happens at a time; the date in such a statement is its value."""
COUNTING_EVENTS = _LISTS.words("counting_events")
"""Verbs whose object is counted by what was done to it: 50 lost is not 50 owned."""
REPEATABLE = _LISTS.words("repeatable")
"""May happen again in another year or to another one, unless the event is told apart by a number (the 19th Games)."""
INTRANSITIVE = _LISTS.words("intransitive")
AGENT_CLASSES = _LISTS.words("agent_classes")
"""Done by one agent (or a closed list of agents), so that another agent contradicts."""

# -- nouns ------------------------------------------------------------------------------------------------------------

ROLE_OF = _LISTS.inverted("roles")
ROLE_VERBS = _LISTS.inverted("role_verbs")
"""Roles that are a verb's doer: "its designer was X" says the same as "designed by X"."""
GENERIC_NOUNS = _LISTS.words("generic_nouns")
"""With "the", "this" or "its maker's", such a noun stands for what the text is about."""
STANDING = _LISTS.words("standing")
"""After a name these name another thing: Oxford University is not Oxford."""
SCOPE = _LISTS.words("scope")
"""Restrict what is counted or measured; on one side only, they may make the two values parts of different wholes."""
VARYING = _LISTS.words("varying")
"""Change with time: a value with its year and one without are not compared."""
ATTRIBUTE_OF = _LISTS.inverted("attributes")
LABELS = _LISTS.words("labels")
ORDINALS = {word: str(number) for number, word in enumerate(_LISTS.ordered("ordinals"), start=1)}
TITLES = _LISTS.words("titles")
CONNECTORS = _LISTS.words("connectors")

OPPOSITES = _LISTS.pairs("opposites")

# -- places -----------------------------------------------------------------------------------------------------------

REGIONS = frozenset(_LISTS.phrases("regions"))
"""Places that contain other places. One of them beside a place that is not in the list may be its whole."""
CONTINENTS = frozenset(_LISTS.phrases("continents"))
WIDE_PLACES = _LISTS.words("wide_places")
SITES = _LISTS.words("sites")
"""Last words of a place's name that say how wide it is; places of different width are not compared."""
STRUCTURES = _LISTS.inverted("structures")
"""Kind of what is built or founded at a place, by its word."""
KIN = own_people("en")
DEMONYMS = _LISTS.words("demonyms")

# -- who says so ------------------------------------------------------------------------------------------------------

TELLING_VERBS = _LISTS.words("telling_verbs")
TELLERS = _LISTS.words("tellers")
"""What can be read, and says so without a verb of saying."""
DOUBTING = frozenset(_LISTS.phrases("doubting"))

"""What the claim comparison knows of Chinese words; the lists are in `lexicon/zh.yaml`.

There is no dictionary and no segmenter: a sentence is cut at the words listed, longest first, and what is left between
them is compared by pairs of characters.
"""

from __future__ import annotations

from memorybank.language.kin import own_people
from memorybank.language.lexicon import lexicon

_LISTS = lexicon("zh")

_VERBS = _LISTS.inverted("verb_classes")
_ALONE = {word: word for word in _LISTS.ordered("plain_verbs")}
VERB_CLASS = _ALONE | {f"{word}于": label for word, label in _VERBS.items()} | _VERBS
"""Verb: the class of verbs that say the same, or itself."""
GENERIC_CLASSES = _LISTS.words("generic_classes")
EVENTS = _LISTS.words("events")
STATIVE = frozenset(VERB_CLASS.values()) - EVENTS
COUNTING_EVENTS = _LISTS.words("counting_events")
PREPOSITIONS = _LISTS.inverted("prepositions")
"""Preposition: the English name of its role."""
NEGATORS = _LISTS.words("negators")
NEGATED_VERBS = _LISTS.inverted("negated_verbs")
"""Negators that may be the verb themselves, when no verb follows."""
HEDGES = _LISTS.words("hedges")
ADVERBS = _LISTS.words("adverbs")
MODALS = _LISTS.words("modals")
"""Stand before the verb of the predicate; 需要 with no verb after it is the verb itself."""
CONJUNCTIONS = _LISTS.words("conjunctions")
BACK = _LISTS.words("back")

ATTRIBUTE_OF = _LISTS.inverted("attributes")
NEEDS_NUMBER = _LISTS.words("needs_number")
"""Read as verb or attribute only directly before a number (some: a name): the character is in too many words."""
PLACE_NOUNS = _LISTS.inverted("place_nouns")
"""Nouns that say which place a sentence speaks of."""
ROLE_OF = _LISTS.inverted("roles")
ROLE_VERBS = _LISTS.inverted("role_verbs")
STANDING = _LISTS.words("standing")
"""With such a noun a name names another thing: 长江大桥 is not 长江."""
GENERIC = _LISTS.words("generic") | STANDING
"""With 该 or 这, such a noun stands for what the text is about; in a name it tells nothing apart."""
SURNAMES = _LISTS.characters("surnames")
RESTRICTING = _LISTS.words("restricting")
"""Stand before a noun without being part of it."""
SCOPE = _LISTS.words("scope")
VARYING = _LISTS.words("varying")
MEASURE_WORDS = _LISTS.words("measure_words")
KIN = own_people("zh")
PLAIN = _LISTS.words("plain")
"""Ordinary words that contain a character which would be read as a verb or preposition: 有 in 有限公司, 长 in 长江."""
CONTINENTS = _LISTS.words("continents")
_PROVINCES = _LISTS.words("provinces")
REGIONS = _LISTS.words("regions") | CONTINENTS | _PROVINCES | {f"{name}省" for name in _PROVINCES}
STRUCTURES = _LISTS.words("structures")
"""Last character of what is built or founded at a place."""

TELLING_VERBS = _LISTS.words("telling_verbs")
TELLERS = _LISTS.words("tellers")
"""What can be read, and says so without a verb of saying."""
DOUBTING = _LISTS.words("doubting")
PLAIN_SOURCES = _LISTS.words("plain_sources")
"""Who says so, without a name."""
PLAIN_FIRST = _LISTS.words("plain_first")
"""Begin what any institution may have: 教学楼, 学生食堂."""

from __future__ import annotations

from memorybank.language.text import SHORT, remembered


def test_a_short_text_is_read_once_and_a_long_one_is_not_kept() -> None:
    read: list[str] = []

    @remembered
    def length(text: str) -> int:
        """How long it is."""
        read.append(text)
        return len(text)

    sentence, book = "It was built in 1912.", "x" * (SHORT + 1)
    assert [length(sentence), length(sentence), length(book), length(book)] == [21, 21, SHORT + 1, SHORT + 1]
    assert read == [sentence, book, book]
    assert length.__doc__ == "How long it is."

from __future__ import annotations

import pytest

from memorybank_studio.books.headings import Rank, english_number, headings

CHAPTERS = [
    ("第一回  甄某梦幻识通灵　贾某风尘怀闺秀", 1, "甄某梦幻识通灵 贾某风尘怀闺秀"),
    ("第一百二十回", 120, ""),
    ("第一零三回　施毒计", 103, "施毒计"),
    ("第１２章：归来", 12, "归来"),
    ("  第12章 你好，世界！", 12, "你好,世界!"),
    ("第三章陨落的天才", 3, "陨落的天才"),
    ("正文 第七章 雨夜", 7, "雨夜"),
    ("第一卷 少年 第三章 归来", 3, "归来"),
    ("第5集 相逢", 5, "相逢"),
    ("Chapter 12", 12, ""),
    ("CHAPTER XII. The Hill", 12, "The Hill"),
    ("CHAPTER I. THE HILL IN WHICH NOTHING HAPPENS.", 1, "THE HILL IN WHICH NOTHING HAPPENS"),
    ("Chapter Twenty-One: Rain", 21, "Rain"),
    ("Chapter One The Boy on the Hill", 1, "The Boy on the Hill"),
    ("## Chapter 3 — Rain", 3, "Rain"),
    ("# 第二章 雨 #", 2, "雨"),
    ("第廿一回 雨", 21, "雨"),
    ("第卅章", 30, ""),
    ("第一百廿三章 雨", 123, "雨"),
    ("第壹章 雨", 1, "雨"),
    ("第貳拾叁回　雨", 23, "雨"),
    ("第十二話 雨", 12, "雨"),
    ("【第一章】雨", 1, "雨"),
    ("[第二章 雨]", 2, "雨"),
    ("《第一章 雨》", 1, "雨"),
    ("**第一章 雨**", 1, "雨"),
    ("**Chapter 1**", 1, ""),
    ("## **Chapter 4: Rain**", 4, "Rain"),
    ("__Chapter 5__ Rain", 5, "Rain"),
    ("Ch. 7 The Fox", 7, "The Fox"),
    ("Chapter One Hundred", 100, ""),
    ("Chapter One Hundred and One", 101, ""),
    ("CHAPTER TWO HUNDRED THIRTY-FOUR: RAIN", 234, "RAIN"),
    ("Chapter One Thousand and Two", 1002, ""),
    ("CHAPTER THE FIRST", 1, ""),
    ("Chapter the Twenty-Second. Rain", 22, "Rain"),
]
SENTENCES = [
    "第四回中既将薛家母子在荣府内寄居等事略已表明，此回则暂不能写矣．",
    "第二天一早，他就走了。",
    "第三章里说过这件事。",
    "第二回合他输了",
    "第三节课",
    "第三集团军到了",
    "第一部电影很好看",
    "Chapter 12 was the longest of all.",
    "Chapter 12. He had read it twice.",
    "chapter 12",
    "Part of the house had burnt",
    "Book him, said the sergeant",
    "Introduction of a new tax,",
    "前言不搭后语",
    "序列号是一二三",
    "#tag",
    "第廿一章里说过这件事。",
    "第三章里，他死了",
    "第壹章里的话",
    "《第一章》是他写的",
    "【第一章】他说过的话。",
    "Chapter 3 tells of the storm",
    "Chapter One hundreds of people came",
    "Chapter the last",
    "Chapter the fox",
    "Chapterhouse",
    "Ch. 3 tells of the storm",
    "**Chapter 3** was long.",
    "I",
    "1. Rain",
    "一、雨",
    "chapter one",
]


@pytest.mark.parametrize(("line", "number", "name"), CHAPTERS, ids=[line for line, *_ in CHAPTERS])
def test_a_chapters_heading(line: str, number: int, name: str) -> None:
    [found] = headings(f"text\n\n{line}\r\n\ntext")
    assert (found.rank, found.number, found.name) == (Rank.CHAPTER, number, name)


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_is_no_heading(line: str) -> None:
    assert headings(f"text\n\n{line}\n\ntext") == []


@pytest.mark.parametrize(
    ("line", "rank", "number"),
    [
        ("卷三", Rank.VOLUME, 3),
        ("第二卷 风起", Rank.VOLUME, 2),
        ("第一部分 山", Rank.VOLUME, 1),
        ("BOOK II", Rank.VOLUME, 2),
        ("Part One: Rain", Rank.VOLUME, 1),
        ("第三节 雨", Rank.SECTION, 3),
        ("第一節 雨", Rank.SECTION, 1),
        ("楔子", Rank.APART, None),
        ("番外 旧事", Rank.APART, None),
        ("第零章 之前", Rank.APART, None),
        ("PROLOGUE", Rank.APART, None),
        ("# Epilogue: Home", Rank.APART, None),
        ("### Home", Rank.MARKDOWN, None),
    ],
)
def test_other_parts(line: str, rank: Rank, number: int | None) -> None:
    [found] = headings(f"{line}\n")
    assert (found.rank, found.number) == (rank, number)


def test_places_are_those_of_the_whole_line() -> None:
    text = "\ufeff第一章 山\r\n雨。\r\n　第二章 水"
    first, second = headings(text)
    assert text[first.start : first.end] == "\ufeff第一章 山\r\n"
    assert text[second.start : second.end] == "　第二章 水"


def test_english_numbers() -> None:
    read = {word: english_number(word) for word in ("XLIX", "iv", "ninety nine", "Seven", "IIII", "mice", "", "12")}
    hundreds = ("one hundred", "one hundred and one", "Two Hundred Thirty-Four", "one two", "hundred")
    assert [english_number(word) for word in hundreds] == [100, 101, 234, None, None]
    assert read == {"XLIX": 49, "iv": 4, "ninety nine": 99, "Seven": 7, "IIII": None, "mice": None, "": None, "12": 12}

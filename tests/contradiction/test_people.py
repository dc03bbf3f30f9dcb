"""Who coached, invented and discovered it, and when somebody was born: a conflict and look-alikes of each."""

from __future__ import annotations

import pytest

from tests.contradiction.readers import raised


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        (
            "The Harbour Lions were coached by Petra Lind.",
            "Harbour Lions head coach Oskar Brandt praised his players.",
            ("Petra Lind", "Oskar Brandt"),
        ),
        ("海港雄狮队的主教练是林岳。", "海港雄狮队的主教练为高远，助手有两名。", ("林岳", "高远")),
        ("2019年，海港雄狮队由林岳执教。", "2019年海港雄狮队主教练高远说，球员表现很好。", ("林岳", "高远")),
        (
            "The Kestrel Winder was invented by Ada Kessler.",
            "Tom Rudge, the inventor of the Kestrel Winder, lived in Leeds.",
            ("Ada Kessler", "Tom Rudge"),
        ),
        ("卷线器由柯雅达发明。", "卷线器的发明者罗志强出生在苏州。", ("柯雅达", "罗志强")),
        (
            "The comet Vantor was discovered by Lena Holm in 1911.",
            "Karl Weiss, the discoverer of the comet Vantor, was a miner.",
            ("Lena Holm", "Karl Weiss"),
        ),
        ("奥斯特矿由霍丽娜发现。", "奥斯特矿的发现者魏卡尔是一名矿工。", ("霍丽娜", "魏卡尔")),
        (
            "The painter Mara Ellison was born on 3 March 1921 in Leeds.",
            "Mara Ellison (born 7 May 1924) was a painter.",
            ("3 March 1921", "7 May 1924"),
        ),
        ("画家柳若梅生于1921年3月3日。", "柳若梅（1924年5月7日出生）是一位画家。", ("1921年3月3日", "1924年5月7日")),
        (
            "Mara Ellison's son was born in 1954.",
            "Mara Ellison was a painter. Her son was born in 1956.",
            ("1954", "1956"),
        ),
        ("柳若梅的儿子生于1954年。", "柳若梅是画家。她的儿子生于1956年。", ("1954年", "1956年")),
        ("Mara Ellison's son was born in 1954.", "The son of Mara Ellison was born in 1956.", ("1954", "1956")),
    ],
)
def test_two_values_of_one_are_a_conflict(left: str, right: str, values: tuple[str, str]) -> None:
    assert values in raised(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # another season, office or team
        (
            "The Harbour Lions were coached by Petra Lind in 1998.",
            "Harbour Lions head coach Oskar Brandt praised his players in 2011.",
        ),
        (
            "Harbour Lions head coach Petra Lind praised her players.",
            "Harbour Lions assistant coach Oskar Brandt praised the players.",
        ),
        ("海港雄狮队主教练林岳表示满意。", "海港雄狮队助理教练高远表示满意。"),
        ("海港雄狮队前主教练林岳表示满意。", "海港雄狮队主教练高远表示满意。"),
        # another thing, or something else done to it
        ("The Kestrel Winder was invented by Ada Kessler.", "The Kestrel Cutter was invented by Tom Rudge."),
        ("The Kestrel Winder was invented by Ada Kessler.", "Tom Rudge improved the Kestrel Winder and sold it."),
        ("卷线器由柯雅达发明。", "切线器的发明者罗志强出生在苏州。"),
        ("卷线器由柯雅达发明。", "罗志强改进了卷线器。"),
        ("The comet Vantor was discovered by Lena Holm.", "The comet Vantor II was discovered by Karl Weiss."),
        ("The comet Vantor was discovered by Lena Holm.", "The comet Vantor was named by Karl Weiss."),
        ("奥斯特矿由霍丽娜发现。", "诺斯特矿的发现者魏卡尔是一名矿工。"),
        ("奥斯特矿由霍丽娜发现。", "奥斯特矿由魏卡尔命名。"),
        # less exact, another name, a place in a place
        ("Mara Ellison was born on 3 March 1921.", "Mara Ellison was born in 1921."),
        ("Mara Ellison was born on 3 March 1921.", "Clara Ellison was born on 7 May 1924."),
        ("Mara Ellison was born in Leeds.", "Mara Ellison was born in Yorkshire, England."),
        ("柳若梅生于1921年3月3日。", "柳若梅1921年出生于苏州。"),
        ("柳若梅生于1921年3月3日。", "柳若兰生于1924年5月7日。"),
        # somebody's own people
        ("Mara Ellison was born on 3 March 1921.", "Mara Ellison's son was born on 7 May 1954."),
        ("Mara Ellison was born on 3 March 1921.", "The son of Mara Ellison was born on 7 May 1954."),
        ("Mara Ellison's wife was born in 1954.", "The son of Mara Ellison was born in 1956."),
        ("柳若梅生于1921年3月3日。", "柳若梅的儿子生于1954年5月7日。"),
        ("柳若梅生于1921年。", "柳若梅之女生于1954年。"),
    ],
)
def test_what_only_looks_so_is_none(left: str, right: str) -> None:
    assert not raised(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("龙在野博士借钱创办了冻原研究所。", "冻原研究所由龙在野创办。"),
        ("龙在野借钱创办了冻原研究所。", "1979年，冻原研究所在金穗协会的资助下成立。"),
        ("文在中教授创办了白石书院。", "白石书院在湖州创办。"),
        ("白石书院在柳岸商会的支持下创办。", "白石书院在湖州创办。"),
    ],
)
def test_a_name_with_a_preposition_in_it_and_a_sponsor_are_no_place(left: str, right: str) -> None:
    assert raised(left, right) == []


def test_two_places_of_a_founding_are_still_a_conflict() -> None:
    assert ("湖州", "绍兴") in raised("白石书院在湖州创办。", "白石书院在绍兴创办。")

"""Texts that open by naming who says so: the source is not what they are about.

`WRITTEN_FIRST` pairs were looked at while the rule was made. `WRITTEN_AFTER` pairs were written when it stood, and the
rule was not changed between writing them and running them: what they found is said beside them.
"""

from __future__ import annotations

import pytest

from memorybank.contradiction.phrases import joined
from memorybank.contradiction.readers.claims import read
from memorybank.contradiction.sources import source_en, source_zh
from tests.contradiction.readers import raised

Pair = tuple[str, str]

WRITTEN_FIRST_CONFLICTS: list[Pair] = [
    ("一篇报道说，清河造纸厂建于1942年。", "县档案馆的文书写明，清河造纸厂建于1936年。"),
    ("《厂志》载：清河造纸厂建于1936年，最初有工人八十名。", "一篇报道说，清河造纸厂建于1942年，厂房是红砖结构。"),
    ("一篇报道说清河造纸厂建于1942年。", "县档案馆的文书写明清河造纸厂建于1936年。"),
    ("《厂志》载“清河造纸厂建于1936年”。", "一篇报道说：“清河造纸厂建于1942年。”"),
    ("村里的老人说，龙泉古井深18米。", "文物普查资料表明，龙泉古井深23米。"),
    ("县志上说，永宁桥有五个桥孔。", "一本旧游记里写着，永宁桥有七个桥孔。"),
    ("The Harlow Gazette says that the Marlow paper mill was built in 1942.", "The Dorset County Archive records that the Marlow paper mill was built in 1936."),
    ("The Harlow Gazette says the Marlow mill was built in 1942. It had 80 workers.", "The Dorset Archive records that the Marlow mill was built in 1942. It had 120 workers."),
    ("According to the parish register, the Marlow paper mill was founded by Henry Adair.", "A newspaper report says that the Marlow paper mill was founded by Thomas Reed."),
    ("According to the Harlow Gazette, the Marlow paper mill was built in 1942.", "An article reports that the Marlow paper mill was built in 1936."),
]  # fmt: skip
WRITTEN_FIRST_FINE: list[Pair] = [
    ("一篇报道说，清河造纸厂建于1942年。", "县档案馆的文书写明，青河纺织厂建于1936年。"),
    ("东山小学的年报显示，教室有12间。", "西山小学的年报显示，教室有18间。"),
    ("《东山镇志》载：石桥建于1736年。", "《西山镇志》载：石桥建于1802年。"),
    ("东河公司的年报显示，营业收入为12亿元。", "西河公司的年报显示，营业收入为18亿元。"),
    ("张建国说，他父亲生于1920年。", "李卫东说，他父亲生于1931年。"),
    ("报道否认清河造纸厂建于1942年。", "县档案馆的文书写明，清河造纸厂建于1936年。"),
    ("专家怀疑清河造纸厂建于1942年。", "清河造纸厂建于1936年。"),
    ("The Alder School Yearbook states that the dormitory has 12 rooms.", "The Birch School Yearbook states that the dormitory has 18 rooms."),
    ("The Gazette disputes that the Marlow paper mill was built in 1942.", "The Marlow paper mill was built in 1936."),
    ("It is often wrongly said that the Marlow paper mill was built in 1942.", "The Marlow paper mill was built in 1936."),
]  # fmt: skip
WRITTEN_AFTER_CONFLICTS: list[Pair] = [
    ("一则旧新闻提到，双溪水电站于1958年投产。", "省水利志记载，双溪水电站于1961年投产。"),
    ("《临川晚报》报道说，望江公园占地32亩。", "园林部门的公告显示，望江公园占地45亩。"),
    ("碑文写道：通济桥由僧人慧明主持修建。", "乡里的老教师回忆说，通济桥由知县高崇礼主持修建。"),
    ("一位研究者认为，金沙窑始建于宋代，共有窑炉九座。", "发掘报告指出，金沙窑共有窑炉十二座。"),
    ("导游介绍说，白塔寺的白塔高42米。", "文物局的档案记载，白塔寺的白塔高37米。"),
    ("A retired keeper recalls that the Skerry lighthouse was lit in 1887.", "The Northern Lights Board's ledger states that the Skerry lighthouse was lit in 1891."),
    ("The Evening Post reported that Calder Dam is 64 metres high.", "According to the Water Authority, Calder Dam is 58 metres high."),
    ("As the inscription records, St Bride's Chapel was founded by Agnes Moore.", "A local guide tells visitors that St Bride's Chapel was founded by Robert Hale."),
    ("Dr Ilse Brandt writes that the Vessel library holds 40,000 volumes.", "The Vessel Yearbook notes that the Vessel library holds 52,000 volumes."),
    ("The inventory says the Pellew windmill has six sails.", "A postcard from 1910 confirms that the Pellew windmill has four sails."),
]  # fmt: skip
WRITTEN_AFTER_FINE: list[Pair] = [
    ("双溪镇的通讯提到，镇医院有床位120张。", "三溪镇的通讯提到，镇医院有床位85张。"),
    ("一则旧新闻提到，双溪水电站于1958年投产。", "省水利志记载，三溪水电站于1961年投产。"),
    ("导游介绍说，白塔寺的白塔高42米。", "文物局的档案记载，白塔寺的钟楼高18米。"),
    ("高明说，他有三个孩子。", "周洁说，她有两个孩子。"),
    ("史料并未提到通济桥建于1702年。", "通济桥建于1689年。"),
    ("文物局驳斥金沙窑始建于唐代的说法，指出金沙窑始建于宋代。", "一位研究者认为，金沙窑始建于宋代。"),
    ("Evening Post reporters say that the newsroom has 40 desks.", "Morning Herald reporters say that the newsroom has 25 desks."),
    ("The Evening Post reported that Calder Dam is 64 metres high.", "According to the Water Authority, Corrie Dam is 58 metres high."),
    ("There is no evidence that the Skerry lighthouse was lit in 1887.", "The Skerry lighthouse was lit in 1891."),
    ("Agnes Moore says that her house has nine rooms.", "Robert Hale says that his house has seven rooms."),
]  # fmt: skip

# Of a dateline neither the paper nor the day is what the report tells of.
DATELINE_CONFLICTS: list[Pair] = [
    ("《临江日报》1936年8月13日讯：清河造纸厂建于1935年。", "清河造纸厂建于1931年。"),
    ("《临江日报》1936年8月13日讯：清河造纸厂建成投产，有工人八十名。", "清河造纸厂有工人一百二十名。"),
    ("新华社北京8月13日电（记者李明）清河大桥全长1200米。", "清河大桥全长1500米。"),
    ("新华社临江2020年8月13日电 清河大桥于2018年建成通车。", "清河大桥于2016年建成通车。"),
    ("据新华社8月13日电，清河大桥全长1200米。", "清河大桥全长1500米。"),
    ("本报讯 清河大桥全长1200米。", "【本报讯】清河大桥全长1500米。"),
    ("本报讯（记者 李明）清河大桥由茅以升设计。", "清河大桥由李国豪设计。"),
    ("中新社上海5月3日电（记者王芳）张建国出生于1950年。", "张建国出生于1956年。"),
]
DATELINE_FINE: list[Pair] = [
    ("《临江日报》1936年8月13日讯：清河造纸厂建于1931年。", "清河造纸厂建于1931年。"),
    ("《临江日报》1936年8月13日讯：清河造纸厂建成。", "清河造纸厂建于1935年。"),
    ("新华社北京2020年8月13日电 清河大桥建成通车。", "清河大桥于2018年建成通车。"),
    ("新华社北京2020年8月13日电 清河大桥建成通车。", "新华社临江2018年3月2日电 清河大桥建成通车。"),
    ("《临江日报》1936年8月13日讯：清河造纸厂有工人八十名。", "《临江日报》1936年8月13日讯：东河造纸厂有工人一百二十名。"),
    ("本报讯 东门小学有学生120人。", "本报讯 西门小学有学生200人。"),
    ("《东山日报》8月13日讯：镇医院有床位120张。", "《西山日报》9月2日讯：镇医院有床位85张。"),
]  # fmt: skip

# What can be read says so without a verb: "The Harlow Gazette: The Marlow mill …".
HEADED_CONFLICTS: list[Pair] = [
    ("Harbour News: The new breakwater of Kelsay was finished in September 2020.", "The new breakwater of Kelsay was finished in May 2019."),
    ("Harbour News: the Kelsay breakwater is 410 metres long.", "The Kelsay breakwater is 640 metres long."),
    ("Visitor panel: the Orsay footbridge across Lake Perrin is 187 metres long.", "The Orsay footbridge across Lake Perrin is 214 metres long."),
    ("From the Harlow Gazette: The Marlow paper mill was built in 1942.", "The Marlow paper mill was built in 1936."),
    ("Annual report: Calder Dam is 64 metres high.", "Council minutes: Calder Dam is 58 metres high."),
    ("A letter from 1910: The Pellew windmill has four sails.", "The Pellew windmill has six sails."),
    ("Press statement: St Bride's Chapel was founded by Robert Hale.", "St Bride's Chapel was founded by Agnes Moore."),
]  # fmt: skip
HEADED_FINE: list[Pair] = [
    ("Alder School Yearbook: The dormitory has 12 rooms.", "Birch School Yearbook: The dormitory has 18 rooms."),
    ("Hamburg: The Central Station was opened in 1906.", "Berlin: The Central Station was opened in 2006."),
    ("Harbour News: The fishing fleet counts 34 boats.", "Valley News: The fishing fleet counts 52 boats."),
    ("Marlow Parish register: the church was built in 1890.", "Harlow Parish register: the church was built in 1790."),
    ("The mill keeps three records: the first was written in 1890.", "The mill keeps three records: the first was written in 1912."),
    ("Harbour News: The Kelsay lighthouse was lit in 2020.", "The Kelsay breakwater was finished in May 2019."),
    ("The mill keeps three records: One was written in 1890.", "The mill keeps three records: One was written in 1912."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("left", "right"), [*WRITTEN_FIRST_CONFLICTS, *WRITTEN_AFTER_CONFLICTS, *DATELINE_CONFLICTS, *HEADED_CONFLICTS]
)
def test_two_sources_that_differ_are_a_conflict(left: str, right: str) -> None:
    assert raised(left, right)


@pytest.mark.parametrize(("left", "right"), [*WRITTEN_FIRST_FINE, *WRITTEN_AFTER_FINE, *DATELINE_FINE, *HEADED_FINE])
def test_sources_of_other_things_and_denials_are_none(left: str, right: str) -> None:
    assert not raised(left, right)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("一篇报道说，清河造纸厂建于1942年。", "清河造纸厂"),
        ("《厂志》载：清河造纸厂建于1936年。", "清河造纸厂"),
        ("东山小学的年报显示，教室有12间。", "东山小学"),  # the rooms are the school's
        ("新华社北京8月13日电（记者李明）清河大桥全长1200米。", "清河大桥"),
        ("The Harlow Gazette says that the Marlow mill was built in 1942. It had 80 workers.", "marlow"),
    ],
)
def test_what_a_text_is_about(text: str, topic: str) -> None:
    assert joined(read(text).topic) == topic


@pytest.mark.parametrize(
    "sentence",
    [
        "这部小说，写的是清河。",
        "据说，清河造纸厂建于1936年。",
        "有人说，清河造纸厂建于1936年。",
        "他自称，是厂里的老工人。",
        "公司8月13日电话通知了他。",
        "清河厂8月13日消息灵通。",
        "本报讯问了他。",
    ],
)
def test_no_source_in_chinese(sentence: str) -> None:
    assert source_zh(sentence) is None


@pytest.mark.parametrize("sentence", ["The report was read.", "The mill records water levels.", "Some say it is old."])
def test_no_source_in_english(sentence: str) -> None:
    assert source_en(sentence) is None

"""Small sets of documents through a whole session: what is said in nearly the same words is raised, and nothing else.

Written before the engine was run on them. The first run raised three falsely (a tower for its dam, a height of 1929 for
today's, a main span for the length) and missed three, all under a heading that names a kind of text and no topic.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Lang
from tests.engines.offline.outcomes import work

EN1_TEXTS = {
    'authority.md': '# Water Authority report\n\nThe Calder Dam was completed in 1931. It is 64 metres high and holds 28 million cubic metres of water. Work began in 1926 under the engineer Silas Orme.',
    'gazette.md': '# Dales Gazette\n\nA newspaper report says that the Calder Dam was completed in 1934. Two hundred men worked on it. The opening was attended by the mayor.',
    'survey.md': '# Engineering survey\n\nThe Calder Dam is 640 decimetres high, the survey found. The wall is 310 metres long. The crest road is closed to cars.',
    'corrie.md': '# The Corrie Dam\n\nThe Corrie Dam was completed in 1938. It is 58 metres high. It lies two valleys to the west.',
    'guide.md': '# Walking guide\n\nThe wall of the Calder Dam is 280 metres long, and a path runs along it. In 1929 the dam was 20 metres high. The east tower of the dam is 71 metres high.',
}  # fmt: skip
EN2_TEXTS = {
    'history.md': '# History of the pottery\n\nThe Brightwell Pottery was founded in 1874 by Hannah Sorrel. Her nephew Edwin Sorrel joined the firm in 1890. The first kiln was fired in 1875.',
    'catalogue.md': '# Museum catalogue\n\nAccording to the county museum, the Brightwell Pottery was founded in 1874 by Josiah Penn. The museum owns twelve of its jugs.',
    'report2019.md': '# Annual report\n\nIn 2019 the Brightwell Pottery employed 46 people. The kilns burn gas. The shop made a small profit.',
    'report2022.md': '# Annual report\n\nIn 2022 the Brightwell Pottery employed 39 people. A new kiln was built. The kiln weighs 3.5 tonnes.',
    'tiles.md': '# The Brightwell Tile Works\n\nThe Brightwell Tile Works was founded in 1881 by Amos Reed. It closed in 1922.',
    'blog.md': "# Visit to Brightwell\n\nWe visited the Brightwell Pottery in May. The potter told us that the new kiln weighs 3,500 kg. The Brightwell Pottery employed 52 people in 2022. Hannah Sorrel's daughter founded the school next door in 1899.",
}  # fmt: skip
EN3_TEXTS = {
    'log.md': '# Log of the Vantor\n\nThe Vantor left Bergen on 3 June 1911. The crew numbered 24. The expedition reached the southern cape on 14 December 1911.',
    'book.md': '# The Vantor voyage\n\nThe Vantor left Bergen on 9 June 1911, with flags flying. Captain Lars Holm commanded the ship. It returned in 1913.',
    'letters.md': '# Letters\n\nKnut Brandt commanded the Vantor on that voyage, his letters show. He wrote to his wife every week. The crew numbered two dozen.',
    'second.md': '# The second voyage\n\nThe Vantor II left Bergen on 20 May 1921. Its crew numbered 31. The Vantor II was commanded by Ole Strand.',
    'museum.md': '# Museum leaflet\n\nThe model of the Vantor is 2 metres long. The Vantor is 38 metres long. Before the refit the ship carried three masts; after it, two.',
}  # fmt: skip
ZH1_TEXTS = {
    '县志.md': '# 县志摘录\n\n永宁石桥建于1702年，由僧人慧明主持修建。桥长86米，有七个桥孔。桥头有石狮一对。',
    '报道.md': '# 本地新闻\n\n一篇报道说，永宁石桥建于1712年。去年桥面重新铺过。许多游客来拍照。',
    '勘测.md': '# 勘测记录\n\n勘测报告指出，永宁石桥全长8600厘米，有五个桥孔。桥宽6米。桥墩为花岗石。',
    '安宁.md': '# 安宁石桥\n\n安宁石桥建于1735年，有三个桥孔。桥长41米。',
    '游记.md': '# 游记\n\n我们走过永宁石桥，主跨18米。1950年，永宁石桥宽4米；1988年拓宽以后，桥宽6米。桥旁的钟楼建于1860年。',
}  # fmt: skip
ZH2_TEXTS = {
    '厂志.md': '# 厂志\n\n《厂志》载：清河造纸厂由商人贺伯年于1936年创办。1938年，清河造纸厂有工人80名。厂房是砖木结构。',
    '档案.md': '# 档案\n\n县档案馆的文书写明，清河造纸厂由商人陆士修于1936年创办。地契现存县档案馆。',
    '年报.md': '# 年报\n\n1952年，清河造纸厂有工人215名。年产纸3000吨。当年新建仓库一座。',
    '回忆.md': '# 回忆录\n\n老工人回忆说，1952年清河造纸厂年产纸300万公斤。1952年，清河造纸厂有工人180名。贺伯年的儿子后来开了印刷厂。',
    '纺织.md': '# 清河纺织厂\n\n清河纺织厂由商人周启明于1948年创办，有工人120名。',
}  # fmt: skip
ZH3_TEXTS = {
    '公告.md': '# 公告\n\n白鹭号科考船于2016年5月20日下水，全长98米，可载80人。船长由许志远担任。',
    '新闻.md': '# 新闻\n\n据《江城日报》报道，白鹭号科考船于2016年6月20日下水。船上有两个实验室。',
    '手册.md': '# 手册\n\n白鹭号科考船长0.098公里，排水量4500吨。白鹭号的救生艇可载30人。',
    '二号.md': '# 白鹭二号\n\n白鹭二号科考船于2019年9月1日下水，可载110人，船长为钱海。',
    '采访.md': '# 采访\n\n记者走访了白鹭号科考船，排水量为5400吨。2018年改装以前，船上有一个实验室。许志远的妻子在岸上工作。',
}  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "documents", "goal", "wanted"),
    [
        (
            "en",
            EN1_TEXTS,
            "When was the Calder Dam finished and how high is it?",
            [],
        ),
        (
            "en",
            EN2_TEXTS,
            "Who founded the Brightwell Pottery and how many people work there?",
            [("39", "52")],
        ),
        (
            "en",
            EN3_TEXTS,
            "How long is the Vantor expedition's route and when did it reach the pole?",
            [],
        ),
        ("zh", ZH1_TEXTS, "永宁石桥建于哪一年，有几个桥孔？", []),
        ("zh", ZH2_TEXTS, "清河造纸厂是谁创办的？有多少工人？", [("180", "215")]),
        (
            "zh",
            ZH3_TEXTS,
            "白鹭号科考船何时下水，载多少人？",
            [],
        ),
    ],
    ids=["dam", "pottery", "voyage", "bridge", "mill", "ship"],
)
def test_what_is_stated_plainly_and_nothing_else(
    lang: Lang, documents: dict[str, str], goal: str, wanted: list[tuple[str, str]], tmp_path: Path
) -> None:
    bank = work(tmp_path / "run", documents, lang, HashedNgrams(), goal=goal).bank
    found = {
        frozenset((pair.left.value, pair.right.value))
        for conflict in bank.conflicts.all.values()
        for pair in conflict.contradictions
    }
    assert found == {frozenset(pair) for pair in wanted}

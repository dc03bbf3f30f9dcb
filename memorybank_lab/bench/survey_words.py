"""The words that the reports of the survey are made of (survey.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memorybank.memory.types import Lang

Words = Mapping[Lang, Sequence[str]]

SYLLABLES: Words = {
    "en": "tor van el mi ka ren dol ber sus ti lan gor fe dri wen hal pol quin mer sto ash bri cal dun ev fir gul hes "
    "ist jor kel lum nor osk pra rul sev tam ulm vex yar zin".split(),
    "zh": list("岚峪泽澜桐榆杉枫樟柏鹿鹤雁鹭鲸鳞岩砾峰岭渊汀洲滨璟琅瑾瑶珩岫霁霖霄霆昀晖曜晏蘅芷荻葭菱芸"),
}
GIVEN: Words = {
    "en": "Anna Bruno Clara David Edith Felix Greta Hugo Irene Jonas Karin Louis".split(),
    "zh": "陈 林 周 吴 郑 冯 蒋 沈 韩 杨 朱 秦".split(),
}
KINDS: Words = {
    "en": "telescope bridge archive harbour orchard reactor museum lighthouse quarry theatre".split(),
    "zh": "望远镜 大桥 档案馆 港口 果园 反应堆 博物馆 灯塔 采石场 剧院".split(),
}
WORKS: Words = {
    "en": "Works|Brothers|Foundry|Trust|Institute|Shipping".split("|"),
    "zh": "公司 兄弟行 铸造厂 基金会 研究所 船行".split(),
}
NOUNS: Words = {
    "en": "winch pump organ lift clock boiler crane lens furnace loom press turntable dynamo sluice gate bell mast "
    "compass ledger staircase".split(),
    "zh": "绞车 水泵 风琴 升降机 大钟 锅炉 吊车 透镜 熔炉 织机 印刷机 转台 发电机 水闸 闸门 铜钟 桅杆 罗盘 账册 "
    "楼梯".split(),
}
MATERIALS: Words = {
    "en": "oak|brass|slate|linen|copper|limestone|cast iron|cork|glass|beeswax".split("|"),
    "zh": "橡木 黄铜 石板 亚麻 紫铜 石灰岩 铸铁 软木 玻璃 蜂蜡".split(),
}
ROOMS: Words = {
    "en": "cellar|north wing|reading room|old stable|gallery|gatehouse|drawing office|chapel".split("|"),
    "zh": "地窖 北翼 阅览室 旧马厩 画廊 门房 绘图室 小教堂".split(),
}
LEADS: Words = {
    "en": (
        "At the {site} most of the talk is about the {thing}.",
        "The {thing} belongs to the {site} and is shown to guests first.",
        "Nobody at the {site} remembers a time without the {thing}.",
        "The {site} would not be what it is without the {thing}.",
    ),
    "zh": (
        "在{site}，人们谈论最多的是{thing}。",
        "{thing}属于{site}，来客总是先看它。",
        "{site}没有人记得没有{thing}的日子。",
        "没有{thing}，{site}就不会是今天的样子。",
    ),
}
SENTENCES: Words = {
    "en": (
        "{person} of {firm} brought it over from {town} and had it rebuilt in {material}.",
        "it stands in the {room}, where {person} looks after it on weekdays.",
        "travellers from {town} seldom notice the {thing}, because {material} panels hide it.",
        "when {firm} closed its office in {town}, {person} bought the drawings and kept them.",
        "{person} wrote that the {thing} should never be cleaned with anything but {material}.",
        "a model of it in {material} was shown in {town} and then given to {firm}.",
        "the council of {town} asked {firm} to lend the {thing} for a season, but {person} refused.",
        "its frame of {material} came down the river from {town} on a barge of {firm}.",
        "{person} taught a generation of apprentices from {town} how the {thing} is taken apart.",
        "a fire in the {room} spared it, although the {material} around it was lost.",
        "{firm} still sends somebody from {town} each spring to listen to the {thing} at work.",
        "the letters of {person} in the {room} describe how it sounded under heavy load.",
        "children from {town} call the {thing} by a nickname that {person} made up.",
        "for a while {firm} stored {material} beside it, until {person} had the {room} cleared.",
        "a painter from {town} sketched the {thing} against a wall of {material}.",
        "{person} believes that {firm} copied the idea from a workshop in {town}.",
        "its key hangs in the {room} on a hook of {material}, as {person} wished.",
        "the guild of {town} holds its supper next to the {thing} in the {room}.",
    ),
    "zh": (
        "{firm}的{person}把它从{town}运来，并用{material}重新建造。",
        "它立在{room}，平日由{person}照看。",
        "从{town}来的旅人很少注意到{thing}，因为它被{material}板遮住。",
        "{firm}关闭在{town}的办事处时，{person}买下了图纸并一直保存。",
        "{person}写道，{thing}只能用{material}擦拭。",
        "它的{material}模型曾在{town}展出，后来送给了{firm}。",
        "{town}的议会请{firm}借出{thing}一季，{person}没有答应。",
        "它的{material}框架是{firm}的驳船从{town}顺河运来的。",
        "{person}教会了{town}的一代学徒怎样拆装{thing}。",
        "{room}的一场火没有伤到它，周围的{material}却烧毁了。",
        "{firm}每年春天仍派人从{town}来听{thing}运转的声音。",
        "{room}里{person}的信件描述了它在重负下的声响。",
        "{town}的孩子们用{person}起的绰号称呼{thing}。",
        "{firm}曾在它旁边堆放{material}，直到{person}让人清空{room}。",
        "来自{town}的一位画家画下了{material}墙前的{thing}。",
        "{person}认为{firm}的主意抄自{town}的一家作坊。",
        "按照{person}的愿望，它的钥匙挂在{room}的{material}钩上。",
        "{town}的行会在{room}的{thing}旁边举行晚宴。",
    ),
}
ATTRIBUTES: Words = {
    "en": "permit number|archive shelf|radio call sign|door code|survey marker|key box".split("|"),
    "zh": "许可证编号 档案架号 无线电呼号 门禁代码 测量标志号 钥匙箱号".split(),
}
PLANTED: Mapping[Lang, str] = {
    "en": "The {attribute} of the {site} is {value}.",
    "zh": "{site}的{attribute}是{value}。",
}
QUESTIONS: Mapping[Lang, str] = {"en": "What is the {attribute} of the {site}?", "zh": "{site}的{attribute}是什么？"}
GOAL: Mapping[Lang, str] = {
    "en": "Survey the sites one report at a time and write down what must be known to look after them.",
    "zh": "逐份阅读各地点的报告，记下维护这些地点必须知道的事情。",
}
TASK: Mapping[Lang, str] = {"en": "Read {name}: the {site}", "zh": "阅读 {name}：{site}"}
ANSWER: Mapping[Lang, str] = {"en": "From memory, with the sources.", "zh": "根据记忆回答，写明来源。"}

"""Units of measure: which dimension, how much of its base unit. Counted things (qubits, 个) are no unit.

Symbols are read with their case (mK is not MK); words without. A dimension that is not in the table is none: values of
different dimensions are never compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    dimension: str
    factor: float
    """Base units in one of it."""
    offset: float = 0.0
    """Added after the factor; only for temperatures."""

    def base(self, value: float) -> float:
        return value * self.factor + self.offset


PERCENT = Unit(dimension="share", factor=1.0)

# dimension factor offset prefixes: symbols (with case) ; words (any case, English plurals added) ; Chinese
# "!" among the prefixes: none is read without one
_TABLE = """
length 1 nµmck: m; metre meter; 米
length 1e3: ; ; 公里
length 0.0254: ; inch inches; 英寸
length 0.3048: ft; foot feet; 英尺
length 1609.344: mi; mile; 英里
length 500: ; ; 里 华里
area 1e-4: cm²; square_centimetre square_centimeter; 平方厘米
area 1: m² sqm; square_metre square_meter; 平方米 平米
area 1e6: km²; square_kilometre square_kilometer; 平方公里 平方千米
area 1e4: ha; hectare; 公顷
area 666.667: ; ; 亩
area 4046.856: ; acre; 英亩
volume 1e-3 m: L l; litre liter; 升
volume 1: m³; cubic_metre cubic_meter; 立方米 方
mass 1e-3 µmk: g; gram gramme; 克
mass 1: ; kilo; 公斤
mass 1e3: t; tonne ton metric_ton; 吨 公吨
mass 0.45359: lb lbs; pound; 磅
mass 0.5: ; ; 斤 市斤
time 1 nµm: s; second sec; 秒 秒钟
time 60: min; minute; 分钟
time 3600: h hr hrs; hour; 小时 钟头 个小时 个钟头
time 86400: ; day; 天
time 604800: ; week; 周 星期 个星期
time 2629800: ; month; 个月
time 31557600: yr yrs; year; 年
speed 1 k: m/s; metre_per_second metres_per_second meter_per_second meters_per_second; 米/秒 米每秒
speed 0.277778: km/h kph kmh; kilometre_per_hour kilometres_per_hour kilometer_per_hour kilometers_per_hour;
speed 0.277778: ; kilometres_an_hour kilometers_an_hour; 公里/小时 千米/小时 公里每小时 千米每小时 公里/时 千米/时
speed 0.44704: mph; mile_per_hour miles_per_hour miles_an_hour; 英里/小时 英里每小时
temperature 1 nµm: K; kelvin; 开 开尔文
temperature 1 273.15: °C ℃ ºC; degree_Celsius degrees_Celsius degree_centigrade degrees_centigrade; 摄氏度 度
temperature 0.5555556 255.372222: °F ℉; degree_Fahrenheit degrees_Fahrenheit; 华氏度
data 1 kMGTP: B; byte; 字节
frequency 1 kMGT: Hz; hertz; 赫兹 赫
power 1 mkMG: W; watt; 瓦
energy 1 kM: J; joule; 焦耳
energy 3600 !kMGT: Wh; watt-hour watt_hour; 瓦时
voltage 1 k: V; volt; 伏 伏特
pressure 1 kM: Pa; pascal; 帕 帕斯卡
share 1: %; percent per_cent; 
points 1: ; percentage_point; 个百分点 百分点
factor 1: ; -fold fold; 倍
age 1: ; year_old years_old; 岁 周岁
money:USD 1: ; dollar US_dollar; 美元 美金
money:CNY 1: ; yuan renminbi RMB; 元 人民币 元人民币 块钱
money:EUR 1: ; euro; 欧元
money:GBP 1: ; pound_sterling pounds_sterling British_pound; 英镑
money:JPY 1: ; yen; 日元 日圆
"""
_PREFIXES = {
    "n": (1e-9, "n", "nano", "纳"), "µ": (1e-6, "µ μ u", "micro", "微"), "m": (1e-3, "m", "milli", "毫"),
    "c": (1e-2, "c", "centi", "厘"), "k": (1e3, "k K", "kilo", "千"), "M": (1e6, "M", "mega", "兆"),
    "G": (1e9, "G", "giga", "吉"), "T": (1e12, "T", "tera", "太"), "P": (1e15, "P", "peta", "拍"),
}  # fmt: skip
_SIGNS = "$ USD US$ USD € EUR £ GBP ¥ CNY ￥ CNY RMB CNY".split()
SIGNS = {
    sign: Unit(dimension=f"money:{code}", factor=1.0) for sign, code in zip(_SIGNS[::2], _SIGNS[1::2], strict=True)
}
"""Signs before the number. ¥ is also the yen's; a text that means yen mostly says so in words."""


@cache
def _names() -> tuple[dict[str, Unit], re.Pattern[str]]:
    """Return the units by name, and the pattern that finds one: long, and compiled when a first number is met."""
    symbols, words, han = dict[str, Unit](), dict[str, Unit](), dict[str, Unit]()
    for line in _TABLE.strip().splitlines():
        head, _, names = line.partition(": ")
        dimension, factor, *more = head.split()
        prefixes = next((part for part in more if not part[0].isdigit()), "")
        offset = next((float(part) for part in more if part[0].isdigit()), 0.0)
        scales = [(1.0, "", "", "")] if "!" not in prefixes else []
        scales += [_PREFIXES[prefix] for prefix in prefixes.removeprefix("!")]
        for scale, *before in scales:
            unit = Unit(dimension=dimension, factor=float(factor) * scale, offset=offset)
            for kind, prefix, part in zip((symbols, words, han), before, names.split(";"), strict=False):
                kind |= {first + name: unit for first in prefix.split() or [""] for name in part.split()}
    spelled = {name.replace("_", " ").lower(): unit for name, unit in words.items()}
    words = {form: spelled[word] for word in spelled for form in (word, word + "s", word.replace(" ", "-"))}
    pattern = re.compile(
        rf"\s?(?P<han>{_one_of(han)})|[\s-]?(?:(?P<word>(?i:{_one_of(words)}))(?![A-Za-z])"
        rf"|(?P<symbol>{_one_of(symbols)})(?![A-Za-z0-9µ²³/]))"
    )
    return words | symbols | han, pattern


def _one_of(names: dict[str, Unit]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# Units that are also the beginning of a common word: 5米 but 三里屯, 3周 but 三周年, 开 in 开发, 方 in 方案.
_HAN_GUARD = {
    "里": "程面边外头屯", "周": "年边围", "开": "发始展放通设幕工源启创", "方": "案法面向式块位", "年": "级代轮龄",
    "度": "假过", "升": "级降", "元": "素件帅老年", "天": "然空文", "克": "服隆",
}  # fmt: skip


def unit_at(text: str, at: int) -> tuple[Unit, int] | None:
    """Return the unit that begins at `text[at]` (one space or hyphen before it is allowed) and where it ends."""
    units, pattern = _names()
    match = pattern.match(text, at)
    if match is None or text[match.end() : match.end() + 1] in tuple(_HAN_GUARD.get(match["han"] or "", "")):
        return None
    return units[match["han"] or match["symbol"] or match["word"].lower()], match.end()

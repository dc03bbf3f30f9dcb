"""Units of measure: which dimension, how much of its base unit. Counted things (qubits, 个) are no unit.

Symbols are read with their case (mK is not MK); words without. A dimension that is not in the table is none: values of
different dimensions are never compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    name: str
    dimension: str
    factor: float
    """Base units in one of it."""
    offset: float = 0.0
    """Added after the factor; only for temperatures."""

    def base(self, value: float) -> float:
        return value * self.factor + self.offset


# dimension: factor: symbols (with case) ; words (any case, English plurals added) ; Chinese
_TABLE = """
length 1e-9: nm; nanometre nanometer; 纳米
length 1e-6: µm μm um; micrometre micrometer micron; 微米
length 1e-3: mm; millimetre millimeter; 毫米
length 1e-2: cm; centimetre centimeter; 厘米 公分
length 1: m; metre meter; 米
length 1e3: km; kilometre kilometer; 公里 千米
length 0.0254: ; inch inches; 英寸
length 0.3048: ft; foot feet; 英尺
length 0.9144: yd; yard; 码
length 1609.344: mi; mile; 英里
length 1852: ; nautical_mile; 海里
length 500: ; ; 里 华里
length 9.4607e15: ly; light-year light_year; 光年
length 1.495979e11: AU au; astronomical_unit; 天文单位
length 3.0857e16: pc; parsec; 秒差距
area 1e-4: cm²; square_centimetre square_centimeter; 平方厘米
area 1: m² sqm; square_metre square_meter; 平方米 平米
area 1e6: km²; square_kilometre square_kilometer; 平方公里 平方千米
area 1e4: ha; hectare; 公顷
area 666.667: ; ; 亩
area 4046.856: ; acre; 英亩
area 0.09290304: ; square_foot square_feet; 平方英尺
area 2589988: ; square_mile; 平方英里
volume 1e-6: ml mL; millilitre milliliter; 毫升
volume 1e-3: L; litre liter; 升
volume 1: m³; cubic_metre cubic_meter; 立方米 方
volume 1e9: km³; cubic_kilometre cubic_kilometer; 立方公里 立方千米
volume 0.003785: ; gallon; 加仑
mass 1e-9: µg μg; microgram; 微克
mass 1e-6: mg; milligram; 毫克
mass 1e-3: g; gram gramme; 克
mass 1: kg; kilogram kilogramme kilo; 公斤 千克
mass 1e3: t; tonne ton metric_ton; 吨 公吨
mass 0.45359: lb lbs; pound; 磅
mass 0.02835: oz; ounce; 盎司
mass 0.5: ; ; 斤 市斤
time 1e-15: fs; femtosecond; 飞秒
time 1e-12: ps; picosecond; 皮秒
time 1e-9: ns; nanosecond; 纳秒
time 1e-6: µs μs us; microsecond; 微秒
time 1e-3: ms; millisecond; 毫秒
time 1: s; second sec; 秒 秒钟
time 60: min; minute; 分钟
time 3600: h hr hrs; hour; 小时 钟头 个小时 个钟头
time 86400: ; day; 天
time 604800: ; week; 周 星期 个星期
time 2629800: ; month; 个月
time 31557600: yr yrs; year; 年
time 315576000: ; decade; 
time 3155760000: ; century centuries; 个世纪
speed 1: m/s; metre_per_second metres_per_second meter_per_second meters_per_second; 米/秒 米每秒
speed 1000: km/s; kilometre_per_second kilometres_per_second kilometers_per_second; 公里/秒 千米/秒 公里每秒 千米每秒
speed 0.277778: km/h kph kmh; kilometre_per_hour kilometres_per_hour kilometer_per_hour kilometers_per_hour;
speed 0.277778: ; kilometres_an_hour kilometers_an_hour; 公里/小时 千米/小时 公里每小时 千米每小时 公里/时 千米/时
speed 0.44704: mph; mile_per_hour miles_per_hour miles_an_hour; 英里/小时 英里每小时
speed 0.514444: kn; knot; 节
temperature 1e-9: nK; nanokelvin; 纳开
temperature 1e-6: µK μK; microkelvin; 微开 微开尔文
temperature 1e-3: mK; millikelvin; 毫开 毫开尔文
temperature 1: K; kelvin degree_kelvin degrees_kelvin; 开 开尔文
temperature 1 273.15: °C ℃ ºC; degree_Celsius degrees_Celsius degree_centigrade degrees_centigrade; 摄氏度 度
temperature 0.5555556 255.372222: °F ℉; degree_Fahrenheit degrees_Fahrenheit; 华氏度
data 1: B; byte; 字节
data 1e3: kB KB; kilobyte; 
data 1e6: MB; megabyte; 兆字节
data 1e9: GB; gigabyte; 
data 1e12: TB; terabyte; 
data 1e15: PB; petabyte; 
data 1e18: EB; exabyte; 
bandwidth 1e3: kbps; kilobit_per_second kilobits_per_second; 
bandwidth 1e6: Mbps Mbit/s; megabit_per_second megabits_per_second; 
bandwidth 1e9: Gbps Gbit/s; gigabit_per_second gigabits_per_second; 
frequency 1: Hz; hertz; 赫兹 赫
frequency 1e3: kHz; kilohertz; 千赫 千赫兹
frequency 1e6: MHz; megahertz; 兆赫 兆赫兹
frequency 1e9: GHz; gigahertz; 吉赫 吉赫兹
frequency 1e12: THz; terahertz; 太赫兹
power 1e-3: mW; milliwatt; 毫瓦
power 1: W; watt; 瓦
power 1e3: kW; kilowatt; 千瓦
power 1e6: MW; megawatt; 兆瓦
power 1e9: GW; gigawatt; 吉瓦
power 735.5: hp; horsepower; 马力
energy 1: J; joule; 焦耳
energy 1e3: kJ; kilojoule; 千焦
energy 1e6: MJ; megajoule; 兆焦
energy 3.6e6: kWh; kilowatt-hour kilowatt_hour; 千瓦时 度电
energy 3.6e9: MWh; megawatt-hour megawatt_hour; 兆瓦时
energy 3.6e12: GWh; gigawatt-hour gigawatt_hour; 吉瓦时
energy 3.6e15: TWh; terawatt-hour terawatt_hour; 太瓦时
energy 4.184e3: kcal; kilocalorie calorie; 千卡 大卡
energy 1.602e-19: eV; electronvolt; 电子伏特
energy 1.602e-16: keV; ; 
energy 1.602e-13: MeV; ; 
energy 1.602e-10: GeV; ; 
energy 1.602e-7: TeV; ; 
voltage 1: V; volt; 伏 伏特
voltage 1e3: kV; kilovolt; 千伏
current 1e-3: mA; milliampere; 毫安
charge 1e-3: mAh; milliampere-hour milliampere_hour; 毫安时 毫安小时
current 1: A; ampere amp; 安培
current 1e3: kA; kiloampere; 千安
pressure 1: Pa; pascal; 帕 帕斯卡
pressure 1e3: kPa; kilopascal; 千帕
pressure 1e6: MPa; megapascal; 兆帕
pressure 1e5: bar; ; 
pressure 101325: atm; atmosphere; 个大气压
field 1: T; tesla; 特斯拉
computing 1e12: ; teraflop teraflops; 
computing 1e15: ; petaflop petaflops; 
computing 1e18: ; exaflop exaflops; 
share 1: %; percent per_cent; 
share 0.1: ‰; per_mille; 
points 1: ; percentage_point; 个百分点 百分点
factor 1: ; -fold fold; 倍
age 1: ; year_old years_old; 岁 周岁
money:USD 1: ; dollar US_dollar; 美元 美金
money:CNY 1: ; yuan renminbi RMB; 元 人民币 元人民币 块钱
money:EUR 1: ; euro; 欧元
money:GBP 1: ; pound_sterling pounds_sterling British_pound; 英镑
money:JPY 1: ; yen; 日元 日圆
money:KRW 1: ; won; 韩元
money:INR 1: ; rupee; 卢比
money:RUB 1: ; rouble ruble; 卢布
money:HKD 1: ; Hong_Kong_dollar; 港元 港币
money:TWD 1: ; ; 新台币
money:CHF 1: ; franc; 瑞士法郎 法郎
"""
SIGNS = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "CNY",
    "￥": "CNY",
    "RMB": "CNY",
    "HK$": "HKD",
    "₹": "INR",
}
"""Signs before the number. ¥ is also the yen's; a text that means yen mostly says so in words."""


class _Names(NamedTuple):
    """Names of units of one kind, with the pattern that finds one of them."""

    units: dict[str, Unit]
    pattern: re.Pattern[str]


@cache
def _names() -> tuple[_Names, _Names, _Names]:
    """Symbols, words, Chinese. The patterns are long, and are compiled when the first number is met."""
    symbols: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    han: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        head, _, names = line.partition(": ")
        dimension, factor, *offset = head.split()
        unit_of = [part.split() for part in names.split(";")]
        name = next((part[0] for part in unit_of if part), dimension).replace("_", " ")
        unit = Unit(name=name, dimension=dimension, factor=float(factor), offset=float(offset[0]) if offset else 0.0)
        symbols |= dict.fromkeys(unit_of[0], unit)
        for word in unit_of[1]:
            spaced = word.replace("_", " ").lower()
            words |= {spaced: unit, spaced + "s": unit, spaced.replace(" ", "-"): unit}
        han |= dict.fromkeys(unit_of[2], unit)
    return (
        _Names(symbols, re.compile(rf"(?:\s|-)?({_one_of(symbols)})(?![A-Za-z0-9µ²³/])")),
        _Names(words, re.compile(rf"(?:\s|-)?({_one_of(words)})(?![A-Za-z])", re.IGNORECASE)),
        _Names(han, re.compile(rf"\s?({_one_of(han)})")),
    )


def _one_of(names: dict[str, Unit]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# Units that are also the beginning of a common word: 5米 but 三里屯, 3周 but 三周年, 开 in 开发, 方 in 方案.
_HAN_GUARD = {
    "里": "程面边外头屯", "周": "年边围", "开": "发始展放通设幕工源启创", "方": "案法面向式块位", "年": "级代轮龄",
    "节": "课目点日", "度": "假过", "升": "级降", "码": "头", "元": "素件帅老年", "天": "然空文", "克": "服隆",
    "安培": "", "分": "", "特斯拉": "公汽", "斤": "", "时": "", "里程": "",
}  # fmt: skip


def unit_at(text: str, at: int) -> tuple[Unit, int] | None:
    """The unit that begins at `text[at]` (one space or hyphen before it is allowed) and where it ends."""
    symbols, words, han = _names()
    if match := han.pattern.match(text, at):
        following = text[match.end() : match.end() + 1]
        if not following or following not in _HAN_GUARD.get(match[1], ""):
            return han.units[match[1]], match.end()
    if match := words.pattern.match(text, at):
        return words.units[match[1].lower()], match.end()
    if match := symbols.pattern.match(text, at):
        return symbols.units[match[1]], match.end()
    return None


def money(sign: str) -> Unit:
    """The unit of a currency sign of `SIGNS`."""
    code = SIGNS[sign]
    return Unit(name=code, dimension=f"money:{code}", factor=1.0)

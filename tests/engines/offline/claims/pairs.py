"""Pairs of short texts from many fields, as people write them: what contradicts, and what only looks so."""

from __future__ import annotations

CONFLICTS_EN = [
    ("The Ostrava ferry terminal opened in 1987. It handles about 40 ships a week.", "The ferry terminal in Ostrava was opened in 1991 by the mayor."),
    ("Mira Castellan wrote the novel The Salt Road.", "The Salt Road is a novel by Jonas Feld."),
    ("The clinic in Harlow employs 214 nurses.", "Harlow's clinic has 241 nurses on its staff."),
    ("The Delphi reactor was shut down in 2012.", "The Delphi reactor has never been shut down."),
    ("Aurelia Motors is headquartered in Turin.", "The headquarters of Aurelia Motors are in Munich."),
    ("The Kestrel drone weighs 3.2 kg and can fly for 40 minutes.", "At 4.1 kg, the Kestrel drone is light enough to carry."),
    ("Pinto Bank was founded by Elena Duarte in 1954.", "The founder of Pinto Bank was Ramon Vidal."),
    ("The vaccine VX-9 does not require refrigeration.", "VX-9 must be kept refrigerated; the vaccine requires refrigeration at all times."),
    ("Lake Ennor is 62 metres deep.", "The depth of Lake Ennor is 84 m."),
    ("The treaty of Velm was signed on 3 May 1921.", "On 3 June 1921 the treaty of Velm was signed."),
    ("Captain Iris Boyle commanded the Sea Lark on that voyage.", "The Sea Lark was commanded by Captain Thomas Reed on that voyage."),
    ("The Halden museum is closed on Mondays.", "The Halden museum is open on Mondays."),
]  # fmt: skip
FINE_EN = [
    ("Lake Ennor is 62 metres deep.", "Lake Ennor lies 620 metres above the sea."),
    ("The Kestrel drone weighs 3.2 kg.", "The Kestrel drone weighs 3,200 g."),
    ("The Kestrel drone weighs 3.2 kg.", "The Falcon drone weighs 4.1 kg."),
    ("In 2019 the clinic employed 214 nurses.", "In 2023 the clinic employed 260 nurses."),
    ("Aurelia Motors has a plant in Turin.", "Aurelia Motors has a plant in Munich."),
    ("The museum drew about 100,000 visitors.", "The museum drew 102,400 visitors."),
    ("Pinto Bank was founded in 1954.", "Pinto Bank went public in 1987."),
    ("The reactor can run without oil.", "The reactor runs on uranium."),
    ("Mira Castellan wrote The Salt Road.", "Mira Castellan wrote The Glass Hill."),
    ("The clinic has more than 200 nurses.", "The clinic has 214 nurses."),
]  # fmt: skip
CONFLICTS_ZH = [
    ("青岚图书馆于1987年开馆，馆藏约30万册。", "青岚图书馆是1992年开馆的。"),
    ("长篇小说《盐路》的作者是林知远。", "《盐路》是作家沈若棠的长篇小说。"),
    ("海陵医院共有214名护士。", "海陵医院的护士一共有241名。"),
    ("德尔反应堆已于2012年关闭。", "德尔反应堆从未关闭。"),
    ("云栖汽车的总部位于合肥。", "云栖汽车总部设在南京。"),
    ("红隼无人机重3.2千克。", "红隼无人机的重量是4.1千克。"),
    ("平托银行由周明礼创办。", "平托银行的创办人是何启文。"),
    ("这种疫苗VX-9不需要冷藏。", "疫苗VX-9需要冷藏。"),
    ("恩诺湖最深处62米。", "恩诺湖最深处达84米。"),
    ("《维尔姆条约》签署于1921年5月3日。", "1921年6月3日，双方签署了《维尔姆条约》。"),
    ("白鹭号探测器从文昌发射升空。", "白鹭号探测器是在酒泉发射的。"),
    ("哈登博物馆每周一闭馆。", "哈登博物馆每周一开放。"),
]
FINE_ZH = [
    ("恩诺湖最深处62米。", "恩诺湖海拔620米。"),
    ("红隼无人机重3.2千克。", "红隼无人机重3200克。"),
    ("红隼无人机重3.2千克。", "猎隼无人机重4.1千克。"),
    ("2019年海陵医院有214名护士。", "2023年海陵医院有260名护士。"),
    ("云栖汽车在合肥设有工厂。", "云栖汽车在南京设有工厂。"),
    ("展览吸引了约10万名观众。", "展览吸引了102400名观众。"),
    ("平托银行成立于1954年。", "平托银行于1987年上市。"),
    ("林知远写了《盐路》。", "林知远写了《玻璃山》。"),
    ("海陵医院有200多名护士。", "海陵医院有214名护士。"),
    ("白鹭号探测器从文昌发射。", "白鹭二号探测器从酒泉发射。"),
]

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

# Held out: written before the engine was run on any of them, all six kinds of difference in both languages. On the first
# try it found 5 of 10 English and 4 of 10 Chinese contradictions and raised 3 of 10 and 0 of 10 fine pairs.

HELD_OUT_CONFLICTS_EN = [
    ("The orchard at Stenmoor covers 46 acres and grows nothing but pears.", "Stenmoor's pear orchard spreads over 64 acres, its owner told us."),
    ("Tickets for the Halvorsen planetarium cost 14 euros.", "A ticket for the Halvorsen planetarium is priced at 22 euros."),
    ("Work on the Brannock canal stopped on 11 September 1934.", "On 11 November 1934 work on the Brannock canal stopped for good."),
    ("The lyrics of Winter Barley were penned by Odile Marchetti.", "Winter Barley: music by an unknown hand, lyrics penned by Tobias Renn."),
    ("The Larkfield observatory was moved to Tromso after the war.", "After the war the Larkfield observatory was moved to Bergen."),
    ("The pigment Corvel Blue fades in sunlight.", "Corvel Blue is a pigment that does not fade in sunlight."),
    ("Members of the Ashdown club are allowed to vote by post.", "Members of the Ashdown club are not allowed to vote by post."),
    ("The Sorrel glider has a wingspan of 18 metres.", "With its wingspan of 15,500 mm the Sorrel glider fits into the smaller hangar."),
    ("The village says the bell of St Alda weighs 2 tonnes.", "According to the foundry's books the bell of St Alda weighs 2,600 kg."),
]  # fmt: skip
HELD_OUT_FINE_EN = [
    ("The orchard at Stenmoor covers 46 acres.", "The vineyard at Stenmoor covers 12 acres."),
    ("Tickets for the Halvorsen planetarium cost 14 euros.", "Children's tickets for the Halvorsen planetarium cost 6 euros."),
    ("The Quill Street synagogue was consecrated in May 1872.", "The Quill Street synagogue was rebuilt in 1889."),
    ("The Larkfield observatory was moved to Norway after the war.", "After the war the Larkfield observatory was moved to Tromso."),
    ("The Sorrel glider has a wingspan of 18 metres.", "The Sorrel glider has a wingspan of 1,800 centimetres."),
    ("The pigment Corvel Blue does not fade in lamplight.", "The pigment Corvel Blue fades in sunlight."),
    ("The lyrics of Winter Barley were penned by Odile Marchetti.", "Winter Barley was first recorded by Tobias Renn."),
    ("The Brannock canal had 31 locks in 1890.", "By 1930 the Brannock canal had 24 locks."),
    ("The bell of St Alda weighs roughly 2 tonnes.", "The bell of St Alda weighs 2,080 kg."),
    ("In the first week the shop sold 900 copies of Winter Barley.", "In the second week the shop sold 1,400 copies of Winter Barley."),
]  # fmt: skip
HELD_OUT_CONFLICTS_ZH = [
    ("云杉公园占地320亩，园内有两座湖。", "我们周末去了云杉公园，管理员说这里占地230亩。"),
    ("柳溪古镇现存石桥17座。", "据镇志记载，柳溪古镇现存的石桥有27座。"),
    ("澄江话剧团首演《渡口》是在1958年3月。", "1961年，《渡口》由澄江话剧团首演。"),
    ("松原灯塔于1913年10月2日点亮。", "松原灯塔点亮的日子是1913年12月2日。"),
    ("歌曲《稻花谣》由梁秋白作词。", "《稻花谣》的词作者是傅承安。"),
    ("万和纺织厂的第一任厂长是邵立群。", "万和纺织厂首任厂长为孟庆和。"),
    ("这批青釉瓷碗出土于龙泉。", "这批青釉瓷碗是在景德镇出土的。"),
    ("紫沙果放在常温下不会变质。", "紫沙果在常温下会变质。"),
    ("汀州书院允许外地学生旁听。", "汀州书院不允许外地学生旁听。"),
    ("飞虹索道全长2.4公里。", "工作人员介绍，飞虹索道全长1800米。"),
]  # fmt: skip
HELD_OUT_FINE_ZH = [
    ("云杉公园占地320亩。", "我们先去了云杉公园，又去了白桦公园，那里占地230亩。"),
    ("柳溪古镇现存石桥17座。", "柳溪古镇现存牌坊27座。"),
    ("《渡口》于1958年3月首演。", "《渡口》于1961年被改编成电影。"),
    ("松原灯塔于1913年10月2日点亮。", "松原灯塔于1913年冬点亮。"),
    ("歌曲《稻花谣》由梁秋白作词。", "歌曲《稻花谣》由傅承安谱曲。"),
    ("万和纺织厂首任厂长是邵立群。", "万和纺织厂第二任厂长为孟庆和。"),
    ("这批瓷碗出土于浙江。", "这批瓷碗出土于龙泉。"),
    ("紫沙果在冷藏时不会变质。", "紫沙果在常温下会变质。"),
    ("飞虹索道全长2.4公里。", "飞虹索道全长2400米。"),
    ("汀州书院1950年有学生120人。", "汀州书院1980年有学生640人。"),
]  # fmt: skip

# Held out again, written after the causes of the misses above were mended and before these were tried: 5 of 10 and 6 of
# 10 found, 1 of 10 and 0 of 10 raised.

SECOND_CONFLICTS_EN = [
    ("The Tamsin reservoir can store 38 million cubic metres of water.", "When full, the Tamsin reservoir holds 52 million cubic metres of water."),
    ("A return flight to Corvo takes 95 minutes.", "The return flight to Corvo takes two and a half hours."),
    ("The first tram in Eldmark ran on 6 June 1896.", "Eldmark's first tram ran on 16 June 1896."),
    ("The mosaic in the Vesper chapel was restored by Ingrid Solheim.", "Pablo Ferrer restored the mosaic in the Vesper chapel."),
    ("The patron of the Linden Quartet is Beatrice Oyelaran.", "Hugo Stanek is the patron of the Linden Quartet."),
    ("The seeds of the Marlow oak were collected in Wales.", "The seeds of the Marlow oak were collected in Portugal."),
    ("The lift in Gannet Tower works.", "The lift in Gannet Tower does not work."),
    ("Dogs are welcome in the Ferncliffe hotel.", "Dogs are not welcome in the Ferncliffe hotel."),
    ("The Aster cable carries a current of 3 kA.", "The Aster cable carries a current of 2,400 A."),
]  # fmt: skip
SECOND_FINE_EN = [
    ("The Tamsin reservoir can store 38 million cubic metres of water.", "In August the Tamsin reservoir held 12 million cubic metres of water."),
    ("The first tram in Eldmark ran on 6 June 1896.", "The last tram in Eldmark ran on 4 May 1952."),
    ("The mosaic in the Vesper chapel was restored by Ingrid Solheim.", "The organ in the Vesper chapel was restored by Pablo Ferrer."),
    ("The patron of the Linden Quartet is Beatrice Oyelaran.", "The cellist of the Linden Quartet is Hugo Stanek."),
    ("The seeds of the Marlow oak were collected in Wales.", "The seeds of the Marlow oak were collected in Snowdonia."),
    ("The lift in Gannet Tower works.", "The lift in Gannet Tower does not work at night."),
    ("The Aster cable carries a current of 3 kA.", "The Aster cable carries a current of 3,000 A."),
    ("The mill at Oxbury has 4 storeys.", "The barn at Oxbury has 2 storeys."),
    ("In the first round Vela scored 14 points.", "In the third round Vela scored 9 points."),
    ("Dogs are welcome in the Ferncliffe hotel.", "Dogs are not welcome in the Ferncliffe inn."),
]  # fmt: skip
SECOND_CONFLICTS_ZH = [
    ("沁园酒店共有客房186间。", "沁园酒店的客房总数是168间。"),
    ("灵溪漂流全程需要两个半小时。", "灵溪漂流全程需要90分钟。"),
    ("石桥村通电是在1974年。", "1969年，石桥村通电。"),
    ("南麓天文馆的奠基仪式于2011年4月8日举行。", "2011年8月4日，南麓天文馆举行了奠基仪式。"),
    ("壁画《渔火》由画家罗启明修复。", "修复壁画《渔火》的是贺静文。"),
    ("竹里剧社的社长是唐若川。", "唐秋鸣担任竹里剧社社长。"),
    ("这种稻种最早在元阳培育。", "这种稻种最早在勐海培育。"),
    ("流云号游船配有救生艇。", "流云号游船没有配备救生艇。"),
    ("雪岭步道冬季对游客开放。", "雪岭步道冬季不对游客开放。"),
    ("铜铃瀑布落差达64米。", "导游称该瀑布落差只有46米，说的就是铜铃瀑布。"),
]
SECOND_FINE_ZH = [
    ("沁园酒店共有客房186间。", "沁园酒店有套房12间。"),
    ("灵溪漂流全程需要两个半小时。", "灵溪漂流全程需要150分钟。"),
    ("石桥村通电是在1974年。", "石桥村通车是在1969年。"),
    ("壁画《渔火》由画家罗启明修复。", "壁画《归帆》由贺静文修复。"),
    ("竹里剧社的社长是唐若川。", "竹里剧社的编剧是唐秋鸣。"),
    ("这种稻种最早在元阳培育。", "这种稻种最早在云南培育。"),
    ("流云号游船配有救生艇。", "流云二号游船没有配备救生艇。"),
    ("雪岭步道冬季不对游客开放。", "雪岭步道夏季对游客开放。"),
    ("铜铃瀑布落差达64米。", "铜铃瀑布宽46米。"),
    ("主人说这里占地230亩，他指的是白岩茶园。", "云雾山茶园占地320亩。"),
]

# Written against what the second round of mending had added, before it was tried on them: the first try found all
# contradictions and raised 5 of the 26 fine pairs.

THIRD_CONFLICTS_EN = [
    ("The warden of Orla Forest is Anna Roth.", "Paul Stein is the warden of Orla Forest."),
    ("The last train left Orla on 4 May 1952.", "Orla's last train left on 9 May 1953."),
    ("Nobody lives on Orla island.", "People live on Orla island."),
    (
        "In the first year the Orla mine yielded 40 tonnes of tin.",
        "The Orla mine yielded 70 tonnes of tin in its first year.",
    ),
]

THIRD_CONFLICTS_ZH = [
    ("青岚博物馆开馆的日子是1974年5月1日。", "1979年5月1日，青岚博物馆开馆。"),
    ("我们去了青岚塔，僧人说这里有三百级台阶。", "青岚塔有二百级台阶。"),
    ("首届青岚节在云山举行。", "第一届青岚节在白水镇举行。"),
    ("《青岚谣》的词作者是李明远。", "《青岚谣》由王启文作词。"),
    ("青岚陶罐出土于云山。", "青岚陶罐在白水出土。"),
]

THIRD_FINE_EN = [
    ("The resident of Mill House was Anna Roth.", "The resident of Mill House was Paul Stein."),
    ("The guitarist of the Orla Band is Anna Roth.", "Paul Stein is the drummer of the Orla Band."),
    ("The first tram in Orla ran on 6 June 1896.", "The first bus in Orla ran on 16 June 1921."),
    (
        "The first match in Orla was played on 6 June 1996.",
        "The first match in Orla was played on 8 May 2001 by the women.",
    ),
    ("It was in Leeds that the Orla pump was invented.", "It was in 1921 that the Orla pump was invented."),
    ("In January the Orla mill ground 40 tonnes of flour.", "In March the Orla mill ground 55 tonnes of flour."),
    ("On Mondays the clinic in Orla treats 30 patients.", "On Fridays the clinic in Orla treats 45 patients."),
    ("The school at Orla has 12 classrooms.", "The church at Orla has 2 bells."),
    ("Nobody lives on Orla island in winter.", "Fishermen live on Orla island."),
    ("The Orla museum moved to Austria in 1950.", "The Orla museum moved to Graz in 1950."),
    ("The owner of the Orla hotel is Anna Roth.", "The manager of the Orla hotel is Paul Stein."),
    ("The daughter of Karl Orla is Anna Orla.", "Maria Orla is the daughter of Karl Orla."),
]

THIRD_FINE_ZH = [
    ("李明入学是在2010年。", "李明毕业是在2014年。"),
    ("展览首日是2014年5月1日。", "展览末日是2014年6月1日。"),
    ("青岚博物馆开馆的日子是1974年5月1日。", "青岚博物馆闭馆的日子是1994年5月1日。"),
    ("这种药适用于儿童。", "这种药在医院适用。"),
    ("王先生毕业于北京大学。", "王先生在清华大学任教。"),
    ("导游说这里有三百级台阶。", "青岚塔有二百级台阶。"),
    ("我们参观了青岚塔和云山寺，僧人说那里有40名僧侣。", "青岚塔有12名僧侣。"),
    ("首任校长是李明远。", "第二任校长是王启文。"),
    ("首届青岚节于1998年举行。", "第二届青岚节于2000年举行。"),
    ("青岚谣由李明远作词，王启文作曲。", "《青岚谣》的曲作者是王启文。"),
    ("2001年，青岚村修了路。", "2005年，青岚村修了桥。"),
    ("去年，青岚村有120户。", "青岚村今年有98户。"),
    ("1974年，周启明在青岚中学读书。", "1980年，周启明在云山中学读书。"),
]

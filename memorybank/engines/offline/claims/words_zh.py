"""What the claim comparison knows of Chinese words. Data only.

There is no dictionary and no segmenter: a sentence is cut at the words listed here, longest first, and what is left
between them is compared by pairs of characters. `PLAIN` holds ordinary words that contain a character which would
otherwise be read as a verb or preposition (有 in 有限公司, 长 in 长江).
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VERB_CLASSES = {
    "be": "是 为 系 即 属于 属 成为 就是 正是 乃 担任 出任 任 叫 名为 称为 叫做 叫作 名叫",
    "have": "有 拥有 具有 设有 共有 具备 含有 包含 包括 搭载 配备 装有 内置 采用 集成 容纳 可容纳 载有 "
    "共计 共 总计 计有 收藏 收录 "
    "备有 建有 藏有 收有 存有 装载 组成 构成 拼成 分为 由来 做了 排列 刻有 开设 管理着 辖 下辖 "
    "配有 配置 雇用 雇佣",
    "reach": "达 达到 高达 达成 多达 约为 约有 超过 突破 合计",
    "locate": "处在 位于 坐落于 坐落在 坐落 地处 处于 设在 设于 放在 建于 设立于 座落于 座落在 地点在 位在 "
    "设址 落户 落户于 建在 安放在 驻扎在",
    "found": "成立 创立 创办 建立 创建 组建 设立 始建 筹建 成立于 创立于 创办于 建立于 创建于 始建于 组建于 奠基",
    "invent": "发明",
    "discover": "发现 首次发现",
    "propose": "提出",
    "announce": "发布 推出 公布 揭晓 亮相 公开 披露 发表",
    "release": "上市 发售 上线 问世 首发 首映 上映 开售 开播 首播 推向市场",
    "publish": "出版 刊登 刊载 发行",
    "begin": "开始 启动 开工 动工 开建 开启 开赛 起步 动工兴建",
    "end": "结束 完成 完工 竣工 落成 建成 终止 收官 截止 闭幕",
    "open": "开放 参观 启用 开业 通车 开通 投用 投入使用 投入运营 投产 运营 开馆 开园 通航 投运 开门 开幕 "
    "并网发电 营业",
    "close": "关闭 停用 停产 停运 关停 停业 退役 拆除",
    "build": "建造 修建 兴建 营建 修筑",
    "make": "制造 生产 制作 研制 打造",
    "design": "设计",
    "develop": "开发 研发 自主研发",
    "write": "撰写 写作 著 编写 创作 所著 写成 执笔 编剧",
    "direct": "执导 导演",
    "compose": "作曲 谱曲",
    "paint": "绘制 绘",
    "lead": "领导 主持 带领 率领 牵头 主导 掌管 管理 领衔",
    "born": "出生 生于 出生于 诞生 诞生于 出生在",
    "die": "去世 逝世 病逝 死于 卒于 逝世于 去世于 辞世 牺牲",
    "bury": "葬于 安葬 安葬于 埋葬于 安葬在",
    "happen": "举行 举办 召开 发生 举行于 发生于 进行",
    "buy": "收购 购买 买下 并购",
    "own": "归属 所有 隶属于 隶属 归",
    "win": "取得 获得 赢得 夺得 荣获 获 夺冠 摘得 获颁 斩获",
    "defeat": "击败 战胜 打败",
    "marry": "结婚 迎娶 嫁给",
    "increase": "增加 增长 上升 上涨 提高 提升 上调 扩大",
    "decrease": "减少 下降 下跌 降低 缩小 下滑 下调",
    "launch": "发射 升空 送入 送上 发射升空",
    "fly": "首飞 起飞",
    "land": "着陆 降落 登陆",
    "explode": "爆炸",
    "collapse": "坍塌 倒塌 崩塌",
    "erupt": "喷发",
    "join": "加入",
    "leave": "离开 退出 离任",
    "resign": "辞职 辞任 卸任",
    "retire": "退休",
    "elect": "当选 选举 选出",
    "sign": "签署 签订 签约",
    "receive_guests": "接待",
    "approve": "批准 通过了 核准 获批",
    "move": "迁至 搬迁至 迁到 迁往 搬到 搬迁到",
    "rename": "更名为 改名为 更名 改称",
    "merge": "合并",
    "name": "命名 得名于 命名为",
    "fund": "资助 出资",
    "produce": "产于 原产于 出产 原产",
    "originate": "起源于 发源于 源自 源于 发源",
    "flow": "流经 流入 注入 汇入 流向",
    "span": "横跨 跨越 连接",
    "support": "支持",
    "oppose": "反对",
    "use": "使用 用于 适用于 利用 运用",
    "provide": "提供",
    "work": "运行 工作 运转",
    "depend": "依赖 依靠",
    "cool": "冷却 制冷",
    "allow": "允许",
    "prohibit": "禁止 不准 严禁",
    "contain": "含",
    "date": "追溯到 追溯至 可追溯到 可追溯至 始于 起始于",
    "charge": "收取 收 征收 交 缴纳",
    "cause": "导致 造成 引发",
    "cover": "覆盖 占地",
    "last": "历时 耗时 持续 为期 用时",
    "cost": "耗资 造价 投资额 售价 花费",
    "weigh": "重 重达 重约",
    "carry": "运送 载客",
    "live": "居住 居住在 生活在 栖息 栖息于 分布于 分布在",
    "study": "毕业于 就读于 毕业",
    "sell": "销售 出售",
    "export": "出口",
    "import": "进口",
    "test": "测试 试验",
    "accept": "接受 接纳",
    "reject": "拒绝",
    "sail": "航行 下水",
    "sink": "沉没",
    "attend": "参加 出席 参与",
    "stop": "停靠 停止 停留",
    "publicise": "宣传",
    "eat": "食用 吃",
    "translate": "翻译",
    "host": "承办 主办",
    "answer": "负责",
    "operate": "经营 运维",
    "play": "饰演 扮演 主演",
    "sing": "演唱 演奏",
    "edit": "主编",
    "belong": "从属于",
    "apply": "申请",
    "recover": "恢复",
    "exist": "存在 保存",
    "replace": "取代 接替 替代 接任",
    "record": "录制 记录",
    "receive": "收到",
    "need": "需要 需 必须",
    "show": "显示 表明 证明 证实 实现 演示",
}
PLAIN_VERBS = _words(
    "维修 修理 修复 检修 维护 探测到 观测到 检测到 拍摄 抵达 到达 穿越 攀登 击落 种植 饲养 治疗 "
    "治愈 感染 传播 吸收 反射 燃烧 溶解 导电 充电 游泳 迁徙 冬眠 捕食 开花 授予 颁发 提名 晋级 "
    "淘汰 判处 逮捕 释放 承认 否认 推迟 取消 延期 恢复 拆卸 更换 携带 支付 收费 出租 出借 借阅 "
    "预订 预约 继承 捐献 移植 注射 服用 预测到 编译 读取 写入 下载 上传 破解 装载 卸载 重复使用 "
    "灌溉 通航 行驶 停靠 靠岸 对接 返回 返航 坠毁 坠落 解体 撞击 飞越 环绕 绕行 漂浮 下沉 融化 "
    "结冰 沸腾 蒸发 凝固 生效 失效 施行 实施 废除 修订 签字 投票 否决 弹劾 罢免 出任 竞选 连任 "
    "下台 流亡 定居 旅居 任教 授课 留学 参战 阵亡 投降 占领 攻占 解放 分裂 结盟 断交 建交 访华 "
    "会见 会晤 调解 仲裁 起诉 上诉 胜诉 败诉 赔偿 罚款 破产 盈利 亏损 裁员 招聘 录用 解雇 罢工 "
    "复工 停工 涨价 降价 打折 补贴 免税 征税 纳税 走私 贩卖 盗窃 抢劫 谋杀 自杀 遇害 遇难 失踪 "
    "获救 营救 搜救 疏散 避难 "
)
VERB_CLASS = {word: word for word in PLAIN_VERBS} | {
    word: name for name, listed in VERB_CLASSES.items() for word in listed.split()
}
GENERIC_CLASSES = _words("have be reach contain cover weigh use need provide")
STATIVE = _words(
    "be have reach locate own increase decrease support oppose use work depend cool allow "
    "prohibit contain cause cover last cost weigh "
    "carry live study sell export import test accept reject attend stop publicise eat operate "
    "play belong exist need show flow span lead "
    "produce originate fund"
)
EVENTS = _words(
    "found invent discover propose announce release publish begin end open close build make "
    "design develop write direct compose born "
    "die bury happen buy win marry fly launch land explode collapse erupt join leave resign "
    "retire appoint elect sign approve move rename merge "
    "name sail sink study paint translate host"
)
COUNTING_EVENTS = _words(
    "build make release publish win sell buy export import increase decrease sign sink translate write develop test"
)
PASSIVE_EVENTS = _words(
    "found release publish begin end open close build born die bury happen fly launch land "
    "explode collapse erupt sail sink announce"
)
"""With nothing after the verb, the subject is what it happens to: 大桥建成."""
PREPOSITIONS = {
    "由": "by",
    "被": "by",
    "在": "in",
    "于": "in",
    "从": "from",
    "自": "from",
    "向": "to",
    "到": "to",
    "至": "to",
    "对": "for",
    "为了": "for",
    "与": "with",
    "同": "with",
    "跟": "with",
    "以": "as",
    "用": "with",
    "通过": "via",
    "经": "via",
    "经由": "via",
    "据": "per",
    "根据": "per",
    "按": "per",
    "将": "object",
    "把": "object",
    "当": "in",
    "比": "than",
    "作为": "as",
    "关于": "on",
    "针对": "for",
    "除": "without",
    "除了": "without",
    "随着": "as",
    "继": "after",
    "自从": "from",
    "截至": "until",
    "截止": "until",
    "距": "from",
    "距离": "from",
    "因": "for",
    "因为": "for",
    "受": "by",
    "请": "object",
    "聘请": "object",
    "任命": "object",
    "委任": "object",
    "聘任": "object",
    "推选": "object",
    "邀请": "object",
    "让": "object",
    "凭借": "with",
    "凭": "with",
    "借助": "with",
    "随": "with",
    "供": "for",
    "靠": "with",
    "依据": "per",
}
NEGATORS = _words(
    "不 没 没有 未 无 不是 并非 并不 并未 并没有 从未 从不 尚未 还没有 还没 未曾 不曾 不再 不会 "
    "不能 无法 不可 未能 不得 无需 "
    "无须 不必 不需 不需要 毫无 绝不 绝非 缺乏 缺少 无人 没能 没法 不用 未必 不在 不由 不为 未被 "
    "没被 并无 均未 均不"
)
NEGATED_VERBS = {
    "不是": "be",
    "并非": "be",
    "没有": "have",
    "不需": "have",
    "不需要": "have",
    "无需": "have",
    "无须": "have",
    "缺乏": "have",
    "缺少": "have",
    "毫无": "have",
    "无": "have",
    "并无": "have",
    "不用": "have",
    "不在": "locate",
    "不必": "have",
}
"""Negators that may be the verb themselves, when no verb follows."""
NOT_NEGATIVE = _words(
    "不仅 不但 不只 不光 不过 不同 不断 不久 不少 不足 不到 不超过 不低于 不少于 不高于 不多 不等 "
    "不锈钢 不可避免 不可或缺 不论 不管 无论 "
    "无疑 无线 无人机 无人驾驶 无人 非常 非洲 非凡 非法 未来 未知 没收 不已 不得不 不愧 不料 不幸 "
    "不禁 不错 不易 不明 无限 无数 无比 无穷 无机 "
    "非金属 非线性 非遗 非营利 不一 不变 不安 不良 不时 不止 不对称 无关 无偿 无私 差不多 了不起 "
    "不确定 无穷大 不丹 无锡 莫不 除非 并非所有 "
    "是否 能否 可否 非物质 不等式 不动产 无核 无声 无缝"
)
HEDGES = _words(
    "可能 也许 或许 大概 预计 计划 有望 据说 据称 据传 传闻 如果 假如 假设 倘若 拟 将会 将要 "
    "即将 预期 预测 目标 希望 打算 曾 曾经 一度 原本 起初 原先 "
    "最初 声称 自称 号称 疑似 似乎 有人认为 建议 应当 应该 或将 争取 力争 旨在 谣传 误传 原计划 "
    "原定 未必 仿佛 估计 此前 以前 过去"
)
ADVERBS = _words(
    "也 还 又 都 均 就 才 已 已经 正在 正式 首次 再次 现 现在 目前 如今 当前 同时 随后 后来 之后 "
    "其后 最终 终于 最早 共同 联合 分别 主要 一直 始终 仍 仍然 仍旧 依然 "
    "依旧 通常 一般 经常 总是 完全 全部 全面 直接 成功 顺利 很 十分 极 较 比较 相当 尤其 特别 "
    "先后 陆续 逐步 逐渐 迅速 大幅 对外 仅 只 只有 仅有 约 大约 近 将近 接近 至少 至多 最多 "
    "不到 不足 逾 左右 以上 以下 以内 上下 其中 另外 此外 而且 并且 并 且 而 但 但是 然而 因此 "
    "所以 于是 其实 实际上 事实上 据悉 当时 当天 当年 当地时间 期间 以来 一共 总共 "
    "能够 可以 了 着 的话 等等 们 吗 呢 吧 以后 之前 之间 之一 之中 之内 当中 本次 此次 随即 进而 "
    "从而 每年 每天 自主 独立 宣告 宣布"
)
MODALS = _words("需要 需 必须 能 会 可 要")
"""Stand before the verb of the predicate; 需要 with no verb after it is the verb itself."""
CONJUNCTIONS = _words("和 与 及 以及 或 并 并且 而且 且 而 但 但是 然而 、")
BACK = _words(
    "这里 那里 此处 该 它 他 她 其 它们 他们 她们 此 本 这 那 该项 这一 这家 这座 这个 这款 这台 这种 这项 这条 "
    "这位 该校 该院 该馆 该桥 该国 该市 该省 该县 该书 该片 该剧 该公司 该芯片 该机 该站 "
    "其中 本届 本片 本书 本馆 本校 该所 该岛 该山 该湖 该河 该江 该寺 该塔 全书 全片 全桥 全线 "
    "全馆 全校 全市 全国 后者 前者 这名 那座"
)

ATTRIBUTES = {
    "length": "全长 长度 总长 长 长约 长达 总长度 跨度 主跨",
    "height": "高度 高 身高 海拔 塔高 楼高 高约 高达 海拔高度 总高度",
    "depth": "深度 深 水深 最深处",
    "width": "宽度 宽 桥宽",
    "diameter": "直径 口径",
    "radius": "半径",
    "circumference": "周长",
    "distance": "距离 相距 距 航程 里程",
    "thickness": "厚度 厚",
    "weight": "重量 体重 质量 重 重达 重约 总重 自重",
    "speed": "速度 时速 车速 航速 流速 转速",
    "price": "价格 造价 售价 总投资 投资额 耗资 成本 票价 费用 总造价 定价 单价 预算 花费",
    "area": "面积 占地 建筑面积 占地面积 总面积",
    "duration": "历时 耗时 时长 工期 持续 为期 片长 用时 寿命",
    "capacity": "容量 装机容量 库容 总库容 载客量 座位 总装机容量",
    "temperature": "温度 气温 水温 沸点 熔点 工作温度 体温",
    "population": "人口 常住人口 总人口 居民",
    "revenue": "营收 收入 营业收入 销售额 年收入 总收入",
    "profit": "利润 净利润",
    "output": "产量 发电量 年产量 产能 年发电量",
    "fidelity": "保真度",
    "age": "年龄 享年 终年 岁",
    "employ": "员工 职工 雇员 员工人数 员工总数",
    "power": "功率 总功率",
    "frequency": "频率 主频",
    "rate": "比例 占比 率 增长率 出生率 死亡率",
    "score": "得分 评分",
    "casualties": "死亡人数 遇难人数 伤亡 遇难 死亡",
    "size": "尺寸 大小",
    "flow": "流量",
    "voltage": "电压",
    "wavelength": "波长",
    "market": "市值 估值",
}
ATTRIBUTE_OF = {word: name for name, listed in ATTRIBUTES.items() for word in listed.split()}
NEEDS_NUMBER = _words(
    "长 高 深 宽 厚 重 长约 高约 长达 高达 重达 重约 达 约 约为 约有 共 超过 突破 岁 率 为 需 任 "
    "计有 合计 共计 总计 辖 归 绘 著 获"
)
"""Read as verb or attribute only directly before a number (or, for some, a name): the character is in too many words."""
ROLES = {
    "ceo": "首席执行官 CEO 行政总裁",
    "founder": "创始人 创办人 创立者 创建者 联合创始人",
    "president": "总统 主席 会长",
    "chair": "董事长",
    "head": "负责人 主任 总经理 总裁",
    "author": "作者",
    "inventor": "发明者 发明人",
    "discoverer": "发现者",
    "designer": "设计师 总设计师 设计者",
    "filmmaker": "导演",
    "writer": "编剧",
    "captain": "队长 船长 机长",
    "coach": "教练 主教练",
    "mayor": "市长",
    "factory": "厂长",
    "museum": "馆长",
    "institute": "所长",
    "academy": "院长",
    "school": "校长",
    "station": "站长 台长",
    "office": "局长 处长",
    "secretary": "秘书长",
    "council": "理事长",
    "bank": "行长",
    "county": "县长 区长 镇长",
    "village": "村长",
    "abbot": "住持 方丈",
    "shop": "店长",
    "news": "社长",
    "capital": "首都 省会 首府",
    "birthplace": "出生地 故乡 籍贯 家乡 祖籍",
    "winner": "冠军 获胜者 得主",
    "owner": "所有者 拥有者 东家",
    "manufacturer": "制造商 生产商",
    "developer": "开发商 开发者 研发单位",
    "publisher": "出版社 出版商",
    "composer": "作曲者 作曲家",
    "currency": "货币",
    "language": "官方语言 语言",
    "producer": "制片人 监制",
    "minister": "部长 总理 首相",
    "editor": "主编 总编辑",
    "wife": "妻子 夫人",
    "husband": "丈夫",
    "father": "父亲",
    "mother": "母亲",
    "chief": "首席科学家 总工程师 总指挥",
    "site": "举办地 举办城市 主办城市 产地 发源地 原产地 会址 校址",
    "material": "材质",
    "colour": "颜色",
    "shape": "形状",
    "nickname": "昵称 别名",
    "king": "国王 皇帝",
    "nationality": "国籍",
    "operator": "运营商 运营方",
    "sponsor": "主办方 承办方",
    "leader": "领导者 带头人",
    "commander": "指挥官 司令",
    "runner": "亚军",
    "third": "季军",
    "translator": "译者",
    "actor": "主演",
    "surname": "原名 本名 真名",
}
PLACE_NOUNS = {
    "地点": "place",
    "所在地": "place",
    "城市": "place",
    "位置": "place",
    "总部": "headquarters",
    "控制中心": "control",
    "馆舍": "locate",
    "馆址": "locate",
    "厂址": "locate",
    "厂房": "locate",
    "旧址": "locate",
    "洁净室": "make",
    "生产基地": "make",
}
"""Nouns that say which place a sentence speaks of."""
ROLE_OF = {word: name for name, listed in ROLES.items() for word in listed.split()}
ROLE_VERBS = {
    "founder": "found",
    "author": "write",
    "writer": "write",
    "inventor": "invent",
    "discoverer": "discover",
    "designer": "design",
    "filmmaker": "direct",
    "owner": "own",
    "manufacturer": "make",
    "developer": "develop",
    "publisher": "publish",
    "composer": "compose",
    "winner": "win",
    "operator": "operate",
    "leader": "lead",
    "translator": "translate",
}
GENERIC = _words(
    "档案馆 纪念馆 美术馆 体育馆 科技馆 展览馆 芯片 处理器 计算机 量子计算机 电脑 设备 装置 仪器 "
    "系统 平台 机器 公司 集团 企业 有限公司 股份有限公司 机构 大学 学院 学校 中学 小学 研究所 "
    "研究院 实验室 中心 工厂 电站 水电站 核电站 车站 站 项目 工程 计划 任务 卫星 "
    "飞船 探测器 望远镜 天文台 火箭 汽车 列车 飞机 客机 船 轮船 潜艇 桥 大桥 隧道 大坝 水坝 塔 "
    "大厦 大楼 楼 建筑 宫 寺 庙 教堂 博物馆 图书馆 剧院 体育场 机场 港 港口 铁路 高铁 公路 "
    "高速公路 运河 河 江 湖 山 岛 "
    "城市 市 省 县 区 镇 村 国家 国 地区 公园 森林 沙漠 海 海洋 行星 星 物种 植物 动物 药物 疫苗 "
    "书 小说 电影 影片 电视剧 剧 节目 歌曲 专辑 乐队 作品 画 雕塑 球队 俱乐部 赛事 比赛 奖 协议 "
    "条约 法案 法 节 会议 展览 "
    "事件 战役 战争 王朝 组织 团队 团体 语言 框架 软件 应用 服务 网站 协议 标准 算法 方法 理论 "
    "实验 论文 报告 产品 型号 模型 号 人 人物 作家 科学家 教授 博士 先生 女士 院士 原型机 线路 "
    "地铁 号线 水库 银行 医院 餐厅 酒店 店 机组 设施 基地"
)
"""With 该 or 这, such a noun stands for what the text is about; in a name it tells nothing apart."""
SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳鲍史唐费廉岑薛雷贺倪汤"
    "滕殷罗毕郝安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋庞熊纪舒屈项祝董梁杜阮蓝闵席季贾路娄江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡"
    "凌霍虞万支柯管卢莫经房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉龚程邢裴陆荣翁荀甄曲封芮靳松井段富巫焦巴谷车侯全秋仲宫宁仇栾祖武符刘景詹束龙叶幸司韶黎薄印宿白怀从索赖卓"
    "蔺屠蒙池乔闻党翟谭贡劳冉温庄晏柴瞿阎连习向古易廖耿满匡文寇广欧沃利关荆游盖桓佟肖邝"
)
PERSON_TITLES = ("博士", "教授", "院士", "先生", "女士", "工程师", "老师", "将军", "医生", "同志")
STANDING = _words(
    "桥 大桥 隧道 大坝 水坝 塔 大厦 大楼 楼 宫 寺 庙 教堂 博物馆 档案馆 纪念馆 美术馆 体育馆 "
    "科技馆 展览馆 图书馆 剧院 体育场 机场 港 港口 铁路 高铁 公路 高速公路 运河 公园 森林 "
    "大学 学院 学校 中学 小学 研究所 研究院 实验室 工厂 电站 水电站 核电站 车站 站 水库 银行 医院 "
    "餐厅 酒店 店 地铁 线路 厂 电芯厂 号线 基地 队 俱乐部 球队 奖 战役 战争 协议 条约"
)
"""With such a noun a name names another thing: 长江大桥 is not 长江."""
RESTRICTING = _words("最高 最低 最大 最小 年均 日均 月均 累计 平均 合计 人均 单日 首批 新增")
"""Stand before a noun without being part of it."""
SCOPE = _words(
    "每 平均 总 合计 最大 最高 最低 最小 首批 其中 单 主 年均 日均 月均 新增 累计 额外 其他 另 "
    "另有 男 女 男性 女性 海外 国内 国外 全球 一期 二期 三期 逻辑 物理 上 下 内 外 初 复 剩余 首 "
    "次 "
    "全职 兼职 本科 净 毛 同比 环比 单个 单日 每年 每天 每月 最多 人均 户均 不含 除 海内外 城镇 "
    "农村 户籍 常住 地上 地下 主体 附属 一等 二等 三等 主桥 引桥 主塔 主楼 副楼 新馆 老馆 分馆 "
    "新校区 老校区 主桥墩 主体工程 主镜 副镜 金 银 铜 前 后 第"
)
VARYING = _words("population employ revenue profit output market rate score price")
MEASURE_WORDS = _words(
    "个 台 座 条 辆 枚 颗 部 本 家 所 篇 项 款 种 届 层 间 张 艘 架 株 头 只 匹 名 位 人 户 件 栋 "
    "幢 棵 支 块 片 套 组 门 发 处 站 集 册 卷 页 字 章 幅 首 队 席 票 次 步 场 轮 代 级 扇 根 杯 "
    "瓶 盒 "
    "袋 批 对 双 群 排 列 行 段 句 关 环 节 期 例 起 宗 尊 口 眼 道 弯 孔 跨 线 座次 人次 万人次 "
    "员 洞 方 省 市 县 区 镇 村 国 岛 省份 城市 国家 门课 格"
)
PERSON_WORDS = _words("名 位 人 员")
PLAIN = _words(
    "模拟 虚拟 拟人 拟定 未曾 不曾 "
    "有限公司 有限 有关 有时 有效 有机 有色 有名 所有 享有 没有 仅有 特有 国有 私有 稀有 著有 "
    "原有 只有 有望 有人 有些 拥有量 华为 因为 为了 为何 行为 认为 作为 以为 人为 成为 更名为 "
    "为主 为止 较为 最为 极为 分为 "
    "自由 理由 由于 经由 现在 存在 所在 正在 在内 在线 在校 在职 实在 潜在 内在 对于 关于 位于 "
    "于是 由于 等于 大于 小于 低于 高于 基于 属于 用于 相对 对应 对象 对手 对外 绝对 反对 针对 "
    "面对 对称 "
    "和平 共和国 共和 饱和 温和 和谐 和解 与会 参与 同时 同样 不同 共同 相同 合同 同年 同意 同步 "
    "同学 同类 同期 协同 一同 跟踪 跟随 达到 得到 到达 感到 受到 直到 看到 到底 至今 甚至 至于 "
    "以至 截至 从事 从而 服从 "
    "自动 自己 自然 自身 自治 自治区 自治州 自主 来自 各自 亲自 方向 向来 一向 面向 取向 向上 "
    "据点 数据 证据 依据 占据 按照 按时 把握 将军 将来 即将 名将 大将 可以 以及 以上 以下 以前 "
    "以后 以来 以外 所以 "
    "用户 使用 应用 作用 利用 采用 费用 专用 民用 军用 商用 通用 用途 常用 实用 信用 启用 长江 "
    "长城 长沙 长春 长安 市长 校长 院长 队长 成长 增长 长期 长征 董事长 生长 特长 长大 家长 会长 "
    "部长 省长 县长 所长 局长 船长 馆长 站长 长崎 长白山 "
    "高速 高铁 高度 提高 最高 高级 高中 高等 高校 高压 高温 高原 高山 高雄 高效 高端 崇高 重要 "
    "重庆 重大 重点 重新 尊重 严重 重力 重建 比重 深圳 深度 深入 深海 深空 资深 宽带 厚度 浓厚 "
    "是否 于是 但是 可是 总是 还是 就是 正是 建筑 建议 福建 建国 公共 共享 总共 中共 含义 包含 "
    "含量 内含 蕴含 含蓄 获取 获奖 获批 收获 设计 设备 设施 建设 设置 开设 假设 设想 距今 经济 "
    "经过 经验 已经 曾经 经典 经常 经营 神经 经理 经历 "
    "任务 任何 责任 主任 信任 任期 任教 前任 现任 历任 信任 教任 约翰 约旦 纽约 条约 节约 契约 "
    "约定 大约 北约 约束 预约 超级 超导 超大 超声 超市 比如 比例 比赛 比重 比较 比特 量子比特 "
    "对比 无比 比利时 比尔 比萨 "
    "同济 大同 和田 从化 以色列 以太 用友 应对 自贡 因此 原因 因素 基因 被子 被动 受益 接受 感受 "
    "享受 受体 供应 提供 供给 供电 可靠 靠近 依靠 中国 中心 中央 中部 中学 中文 其中 集中 中科院 "
    "空中 水中 高中 中旬 "
    "上海 上下 以上 上市 上映 上线 上升 上任 上午 上游 下午 下游 下降 下载 地下 天下 下属 手下 "
    "里程 公里 海里 里面 外部 外国 海外 国外 外交 外观 内部 国内 内容 内蒙古 后来 之后 最后 后期 "
    "前期 目前 之前 前往 前身 前线 提前 "
    "时代 时间 小时 时期 当时 同时 时速 临时 起飞 起源 一起 起步 发起 引起 起点 崛起 共产 总统 "
    "总理 总部 总裁 总体 总量 总数 总长 总结 全球 全国 全部 全面 全长 安全 完全 全新 全程 会议 "
    "社会 机会 协会 学会 委员会 奥运会 会员 "
    "不得 得分 取得 值得 获得 地区 地方 地球 地铁 土地 地位 地址 地图 基地 当地 各地 产地 殖民地 "
    "所长 研究所 所属 场所 派出所 过去 通过 经过 过程 超过 着陆 随着 沿着 了解 除了 为了 可能 "
    "能力 能源 功能 性能 智能 核能 太阳能 可见 许可 "
    "或许 或者 更加 更新 变更 最大 最小 最长 第一 唯一 统一 单一 一些 一般 一旦 一样 一定 一致 "
    "一体 之一 任一 星期一 非常 非洲 都市 首都 成都 都是 京都 都会 都江堰 本身 日本 基本 本科 "
    "本源 成本 资本 版本 样本 剧本 根本 本地 本土 课本 "
    "此外 因此 彼此 如此 其他 其它 极其 尤其 土耳其 其余 其实 应该 那么 那些 这些 这种 这样 现代 "
    "现场 实现 发现 表现 出现 展现 体现 现象 现状 重现 现金 仍然 常见 日常 正常 经常 并行 合并 "
    "并购 并列 而且 然而 从而 因而 "
    "大桥 长大 员工 动员 队员 成员 人员 党员 学员 演员 船员 职员 官员 海员 雇员 会员 委员 长征 "
    "名称 名字 著名 命名 知名 有名 姓名 排名 名单 名誉 报名 单位 地位 位置 学位 席位 部位 个人 "
    "个性 个体 各种 各国 各级 每年 某些 位列 "
    "运行 行星 银行 飞行 执行 旅行 举行 进行 发行 行政 行业 自行车 流行 行动 步行 处理 处于 好处 "
    "到处 办事处 处理器 协处理器 通信 交通 普通 通常 沟通 通道 开通 流通 直通 通报 归还 回归 归国 "
    "辖区 直辖市 管辖 需求 必需 急需 无需 重申 体重 "
    "绘画 著作 名著 原著 显著 土著 论著 编著 专著 译著 年代 世纪 现任 赴任 离任 卸任 信任 胜任 "
    "聘任 兼任 接任 继任 就任 委任 任职 任命 "
    "节日 节目 节能 季节 环节 春节 细节 调节 章节 关节 情节 使节 号称 型号 信号 代号 编号 称号 "
    "账号 口号 家庭 国家 专家 作家 画家 家族 家乡 科学家 艺术家 企业家 家具 大家 政治家 思想家 "
    "物理学家 数学家 化学家 天文学家"
)

REGIONS = _words(
    "中国 美国 英国 法国 德国 日本 韩国 朝鲜 俄罗斯 苏联 印度 意大利 西班牙 葡萄牙 荷兰 比利时 "
    "瑞士 奥地利 波兰 捷克 匈牙利 希腊 土耳其 乌克兰 芬兰 瑞典 挪威 丹麦 冰岛 爱尔兰 加拿大 "
    "墨西哥 巴西 阿根廷 智利 秘鲁 古巴 埃及 南非 "
    "肯尼亚 尼日利亚 埃塞俄比亚 摩洛哥 以色列 伊朗 伊拉克 沙特 沙特阿拉伯 阿联酋 卡塔尔 阿富汗 "
    "巴基斯坦 孟加拉国 尼泊尔 斯里兰卡 泰国 越南 老挝 柬埔寨 缅甸 马来西亚 印度尼西亚 印尼 菲律宾 "
    "澳大利亚 新西兰 蒙古 哈萨克斯坦 亚洲 欧洲 非洲 "
    "北美洲 南美洲 大洋洲 南极洲 北美 南美 中东 东南亚 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 "
    "福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 "
    "宁夏 新疆 河北省 山西省 辽宁省 吉林省 黑龙江省 "
    "江苏省 浙江省 安徽省 福建省 江西省 山东省 河南省 湖北省 湖南省 广东省 海南省 四川省 贵州省 "
    "云南省 陕西省 甘肃省 青海省 台湾省 加州 加利福尼亚州 得克萨斯州 纽约州 华盛顿州 佛罗里达州"
)
CONTINENTS = _words("亚洲 欧洲 非洲 北美洲 南美洲 大洋洲 南极洲 北美 南美 中东 东南亚")
OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in """增加/减少 增长/下降 上升/下降 上涨/下跌 提高/降低 扩大/缩小 开放/关闭 开启/关闭 支持/反对 允许/禁止 接受/拒绝
成功/失败 通过/否决 公开/秘密 公立/私立 公有/私有 合法/非法 男性/女性 东部/西部 南部/北部
南岸/北岸 东岸/西岸 左岸/右岸 上游/下游 最大/最小 最长/最短 最高/最低 最早/最晚 最快/最慢 首次/再次 永久/临时
安全/危险 可见/不可见 有毒/无毒 载人/无人 顺时针/逆时针 垂直/水平 室内/室外 固体/液体 液体/气体 淡水/咸水
活火山/死火山 免费/收费
存活/死亡 健在/去世 肯定/否定 赢/输 战胜/败给 军用/民用 国内/国外 虚构/真实 强制/自愿 易溶/难溶 可溶/不溶
稳定/不稳定 可逆/不可逆 正面/负面 阳性/阴性 胎生/卵生 食草/食肉 白天/夜间 日行/夜行 升高/降低 加速/减速
增强/减弱 完好/损毁 保留/拆除
东侧/西侧 南侧/北侧 单数/双数 已婚/未婚 同意/拒绝 进口/出口 先/后 第一/最后 导体/绝缘体""".split()
)

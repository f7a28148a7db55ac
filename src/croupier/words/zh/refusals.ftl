# Why something is refused: refused-REASON-CASE, with the facts that croupier.rules.reasons declares.

## Account

refused-account-retired = { $person } 的账户已停用
refused-account-retired-name = 账户 { $person } 已停用；名称不得再次使用
refused-account-there = 账户 { $person } 已存在
refused-account-unknown = 没有账户 { $person }

## Act

refused-act-keys-only = { $device } 不能{ NAME($act, "device") }；由人按键
refused-act-no-cover = { $device } 不能{ NAME($act, "device") }：它没有盅盖
refused-act-prints-only = { $device } 不能{ NAME($act, "device") }；打印机只能打印
refused-act-unable = { $device } 不能{ NAME($act, "device") }；它能：{ NAMES($able, "device") }

## Address

refused-address-no-cluster = { $address } 没有 Ray 集群：{ $error }
refused-address-unreadable = “{ $address }”不是集群的地址；请写作 host:port

## Administrator

refused-administrator-nobody = 至少须有一个管理员账户

## Alert

refused-alert-acknowledged = { $person } 已确认警报 { $alert }
refused-alert-open = 警报 { $alert } 内容相同，尚未确认
refused-alert-too-many = 有 { $alerts } 个警报等待确认；不再接受更多
refused-alert-unknown = 没有警报 { $alert }
refused-book-before-its-hour = { $book } 不得早于 { MOMENT($since) } 启用
refused-book-due = { $book } 自 { MOMENT($since) } 起生效：须先启用，方可开始下一局
refused-book-in-force = 本台已按 { $book } 的此编码进行
refused-book-in-force-other = 本台现已按另一规则进行：{ $book }
refused-book-no-layout = 请列出要展示的布局，各一次：{ $book } 有 { LIST($known) }
refused-book-none-planned = 没有已计划的规则更换
refused-book-not-brought = 本台没有哈希为 { $hash } 的文本
refused-book-not-later = { $book } 不是 { $old } 的较新版本：{ $hour } 不晚于 { $old_hour }
refused-book-other-id = 此哈希的规则是 { $book }，而非 { $named }
refused-book-other-text = { $book } 不是 { $old } 的版本：其标识不同且未说明取代它，或用于另一类赌台
refused-book-planned-already = 已计划更换为 { $book }：请先放弃该计划
refused-book-round-under-way = { $book } 须在两局之间启用，而现有一局正在进行
refused-book-too-long = 文本超过 { NUMBER($most) } 个字符
refused-book-unreadable = 此文本不是规则：{ $error }
refused-text-of-an-alert-letters = 警报内容须有 1 至 { $most } 个字符

## Alternative

refused-alternative-not-of-book = { $book } 没有带其他解读的第 { $ruling } 项解读

## Amount

refused-amount-not-above-zero = 金额须大于 0.00，而非 { MONEY($amount) }
refused-amount-over-bet = { GIVEN($box) ->
    [yes] { $seat } 在 { BOX($box) } 的投注有 { MONEY($held) }，少于 { MONEY($amount) }
   *[no] 该投注有 { MONEY($held) }，少于 { MONEY($amount) }
 }
refused-amount-too-large = { MONEY($amount) } 过大；金额最多为 { MONEY($most) }

## Approval

refused-approval-content-other = 所批准的内容与请求 { $request } 的内容不同
refused-approval-expired-expired = 请求 { $request } 已过期；请重新提出
refused-approval-not-expired = 请求 { $request } 尚未过期；仍可由人员批准
refused-approval-round-over = 请求 { $request } 所涉的局已结束
refused-approval-unknown = { GIVEN($waiting) ->
    [yes] 没有等待另一位人员的请求 { $request }；等待中：{ LIST($waiting) }
   *[no] 没有等待另一位人员的请求 { $request }；没有请求等待中
 }

## Approved

refused-approved-code-around = Python 会从 { $place } 载入代码，而其中的 { $folder } 一直在变；请直接启动 croupier，或用 python -P
refused-approved-compiled-otherwise = { $more ->
    [0] { LIST($places) }：不是由旁边的源文件编译而来；请删除这些文件，重新开始
   *[other] { LIST($places) } 以及另外 { NUMBER($more) } 个：不是由旁边的源文件编译而来；请删除这些文件，重新开始
 }
refused-approved-ended = 无法检查软件：检查程序以退出码 { $code } 结束：{ $error }
refused-approved-no-approver = 设置 approver 没有指明可核对其签名的人
refused-approved-no-manifest = { $file } 不是软件清单
refused-approved-none = 没有 { $file }：无人核准过所安装的软件
refused-approved-other-format = { $file } 不再有效：它出自较早的 Croupier，由赌场自己的密钥签署；须由核准人签署现在所安装的软件
refused-approved-other-software = { $more ->
    [0] 这不是已核准的软件；不同之处：{ NAMES($places, "software") }；croupier manifest 可将其核准；approved = "off" 则不要求核准
   *[other] 这不是已核准的软件；不同之处：{ NAMES($places, "software") } 以及另外 { NUMBER($more) } 处；croupier manifest 可将其核准；approved = "off" 则不要求核准
 }
refused-approved-own-key = { $file } 是赌场自己的密钥：核准人须有另一把，并存放在别处
refused-approved-unfinished = 无法检查软件：{ $error }
refused-approved-unreadable = { $file } 不能作为软件清单读取：{ $error }
refused-approved-unsigned = { $file } 没有 { $key } 的签名

## Archive

refused-archive-cut-off = 无法解开 { $file }：文件被截断
refused-archive-misnamed = { $file } 的名称不是归档文件的写法：TABLE.FIRST-LAST{ $ending }
refused-archive-more-after-end = 无法解开 { $file }：其末尾之后还有内容
refused-archive-not-packed = 无法解开 { $file }：开头不是归档文件的样子
refused-archive-of-another-stream = { $file } 中有与其名称不符的日志流，或有持有者
refused-archive-of-other-rows = { $file } 的表 { $table } 中有与其名称不符的行
refused-archive-of-other-tables = { $file } 中另有自己的表
refused-archive-rows-from-to = { $file } 中是第 { $first } 至 { $last } 行，与其名称不符
refused-archive-stray-pages = { $file } 中有不属于任何表的页
refused-archive-table-filled = { $file } 的表 { $table } 中有内容，归档文件不应有
refused-archive-unpackable = 无法解开 { $file }：{ $error }

## Archived

refused-archived-answered = 它已在第 { $row } 行得到答复，而该行在归档中、不在此处，或无法读取
refused-archived-figures-from = { $table } 第 { $row } 行之前的行在归档中，不在此处；只有 { MOMENT($moment) } 之后的数字
refused-archived-needed = { $table } 第 { $row } 行须有更早的行才能核对，而它们在归档中，不在此处
refused-archived-rows-before = { $table } 第 { $row } 行之前的行在归档中，不在此处

## Arrays

refused-arrays-lengths = 投注格、注额和结果须为等长的列表
refused-arrays-out = out 须与注额等长、类型为 int64，且不得为注额本身
refused-arrays-whole-numbers = 投注格、注额和结果须为整数，而非 { $type }

## Asker

refused-asker-nothing-to-sign = { $person } 没有待签署的请求 { $request }
refused-asker-retired = { $person } 的账户已停用，请求 { $request } 不能再获批准
refused-asker-unconfirmed = { $person } 尚未确认，请求 { $request } 不能获得批准
refused-asker-unknown = 不清楚请求 { $request } 是在哪个会话中提出的；请重新提出

## Away

refused-away-database = 数据库没有回应；在其恢复之前无法登记任何内容，已登记的均安全
refused-away-floor = 赌场暂无回应；请稍后再问
refused-away-sessions = 数据库太久没有回应，无法核对任何人的会话

## Bankroll

refused-bankroll-too-large = 本金 { MONEY($bankroll) } 过大
refused-bankroll-too-many = { NUMBER($bankrolls) } 种不同的本金过多，无法逐一计算；最多 { NUMBER($most) } 种：请给出止盈额、减少局数或取整的注额
refused-bankroll-too-small = { MONEY($bankroll) } 不足以支付 { MONEY($staked) } 的投注

## Bet

refused-bet-never-here = 此台从未有这项投注
refused-bet-none-given = 没有投注；至少须有一注，例如 { $example }
refused-bet-not-a-bet = “{ $text }”不是投注；请写作 投注格=金额，例如 total:8=10.00
refused-bet-not-in-round = { $seat } 在第 { $round } 局没有这项投注
refused-bet-not-named = 请指明退还的投注
refused-bet-not-of-a-seat = “{ $text }”不是某座位的投注；请写作 座位:投注格=金额，例如 A1:total:8=10.00
refused-bet-not-on-table = 第 { $round } 局台面上没有这项投注
refused-bet-unknown-in-round = { GIVEN($known) ->
    [yes] 第 { $round } 局没有投注 { $bet }；有 { LIST($known) }
   *[no] 第 { $round } 局没有投注 { $bet }；一注也没有
 }
refused-bet-unregistered = { $table } 没有登记投注 { $bet }
refused-bet-unregistered-here = { $table } 自第 { $row } 行起没有登记投注 { $bet }；之前的行在归档中，不在此处

## Box

refused-box-near = 布局 { $layout } 没有投注格“{ $box }”；是否指 { LIST($near, "or") }？
refused-box-none = 布局 { $layout } 没有投注格“{ $box }”
refused-box-other-numbers = 布局 { $layout } 没有投注格“{ $box }”；{ $word } 有 { LIST($numbers) }，例如 { $like }
refused-box-outside = 投注格编号不在 0 至 { NUMBER($last) } 之内

## Busy

refused-busy-answers = 已有 { $waiting } 个指令等待答复；请稍后再发
refused-busy-in-motion = { $device } 正在运转；停住之前不能{ NAME($act, "device") }
refused-busy-lab = 实验室正忙；请稍后再问
refused-busy-lab-slow = 实验室未能在 { SECONDS($seconds) } 内回答；请再问一次
refused-busy-lab-worker = 实验室的工作进程已中断；请再问一次
refused-busy-library = 等候的查询太多；请稍后再问
refused-busy-often = 过于频繁；请稍候再试
refused-busy-questions = 此刻查询旧局的人很多；请稍后再试
refused-busy-tries = 此刻有其他人正在登录；请再试

## Chain

refused-chain-not-following = 数据库中的检查点 { $number } 与 { $file } 中的检查点不相衔接

## Checkpoint

refused-checkpoint-none-of-file = { $file } 不能作为检查点读取：没有一行是检查点
refused-checkpoint-none-since = 自 { $table } 第 { $round } 局最后变更以来没有签署过检查点
refused-checkpoint-unreadable = { $file } 不能作为检查点读取：{ $error }

## Checks

refused-checks-not-made = 开台检查“{ NAME($check, "check") }”未完成
refused-checks-unknown = 没有名为“{ $check }”的开台检查；只有{ NAMES($known, "check", "and") }

## Chip

refused-chip-not-above-zero = 筹码面值须大于 0.00，而非 { MONEY($chip) }

## Closed

refused-closed-not-open = 赌台尚未开台

## Colour

refused-colour-bets-left = { $seat } 台面上仍有投注；没有投注时才能收回色码
refused-colour-given = { $colour } 属于 { $seat }；一种颜色只归一位玩家
refused-colour-none = { $seat } 没有色码
refused-colour-none-at-electronic = 电子赌台没有色码
refused-colour-one-colour = { $seat } 已有 { $colour } 色码；一位玩家只有一种颜色
refused-colour-other-worth = { $chips } 枚 { $colour } 色码每枚 { MONEY($value) }，合计 { MONEY($worth) }，而非 { MONEY($stake) }
refused-colour-whole-chips = { GIVEN($box) ->
    [yes] { $seat } 在 { BOX($box) } 的筹码每枚 { MONEY($value) }；须整枚撤回
   *[no] 该投注的筹码每枚 { MONEY($value) }；须整枚撤回
 }

## Confirmed

refused-confirmed-already = { $person } 已确认

## Cover

refused-cover-covered = { $device } 已盖好
refused-cover-needed = { $device } 已打开；骰子须在盅盖下摇动
refused-cover-open = { $device } 已打开

## Credit

refused-credit-short = { $seat } 的余额为 { MONEY($credit) }，少于 { MONEY($amount) }

## Demo

refused-demo-no-answer = { $url } 没有回应：{ $error }
refused-demo-refused = { $url } 回答：{ $said }

## Durability

refused-durability-may-lose = 数据库可能丢失已写入的内容：{ LIST($settings) }；croupier doctor 说明须如何更改

## Debt

refused-debt-less = { $seat } 欠 { MONEY($owes) }，少于 { MONEY($amount) }

## Disk

refused-disk-full = 磁盘已满：进行中的局会完成，腾出空间之前不开始新的

## Durability

refused-durability-nothing-new = 数据库可能丢失所写内容：进行中的局会完成，不开始新的

## Early

refused-early-ticket-lives = 票券 { $ticket } 有效至 { MOMENT($expires) }，现在是 { MOMENT($at) }

## Early bet

refused-early-bet-unpaid = 上一局的赢注尚未赔付

## Early close

refused-early-close-before-spin = { GIVEN($allowed) ->
    [yes] 掷珠前停止下注须经以下人员允许：{ ROLES($allowed, "or") }
   *[no] 掷珠前无人可以停止下注
 }

## Edge

refused-edge-out-of-range = { $edge } 超出范围；庄家优势须不低于 0% 且低于 100%

## Engine

refused-engine-in-a-cluster = 此进程已属于一个 Ray 集群；请先退出
refused-engine-no-cluster = { $address } 没有 Ray 集群：{ $error }
refused-engine-no-ray = 未安装 Ray；请安装 croupier[ray]，或使用引擎 processes
refused-engine-ray-imported = Ray 先前已被导入，会在 { $address } 上开放端口；请在新的进程中开始
refused-engine-unknown = “{ $engine }”不是引擎；现有 { LIST($known) }

## Entry

refused-entry-keys-of-dice = 请以六个数字键和输入键输入骰子的结果
refused-entry-no-key = 没有“{ $key }”键；只有 1 至 6 键
refused-entry-number-of-wheel = 请以号码输入轮盘的结果
refused-entry-three-first = { GIVEN($shown) ->
    [yes] 按输入键之前须按三个数字；灯上显示 { LIST($shown) }
   *[no] 按输入键之前须按三个数字；灯上没有显示
 }

## Established

refused-established-contradicts = { LIST($shown) } 与已知的 { LIST($known) } 矛盾
refused-established-covered = 骰子仍被遮盖：没有结果确定
refused-established-known = 已知 { LIST($known) }，故结果已经确定

## Evidence

refused-evidence-none = 没有 { $file }；它由 make test 写出，或以 --evidence 指明另一个
refused-evidence-unreadable = { $file } 不是测试证据文件；make test 会写出

## Excess

refused-excess-latest-first = { GIVEN($seat) ->
    [yes] { BOX($box) } 上后下者先拒收：{ $seat } 的 { MONEY($stake) }
   *[no] { BOX($box) } 上后下者先拒收
 }
refused-excess-over = { BOX($box) } 超出限额 { MONEY($over) }；{ MONEY($amount) } 多于超额

## Extra

refused-extra-missing = 本赌场未安装 { $module }：{ $install }

## Fault

refused-fault-no-cover = { $device } 不能模拟故障“{ $fault }”：它没有盅盖
refused-fault-rate = { $device }：{ $one_in } 分之一不是故障率；0 表示没有，或 1 至 { $most }
refused-fault-server = 服务器遇到意外错误，已记入日志
refused-fault-unable = { $device } 不能模拟故障“{ $fault }”；它能：{ LIST($able) }

## Floor

refused-floor-has-accounts = { $address } 已有账户；整晚的记录只放到没有账户之处
refused-floor-has-checkpoints = { $folder } 中已有由其他密钥签署的检查点；没有任何改动
refused-floor-has-keys = { $folder } 中已有密钥；没有任何改动
refused-floor-none-yet = { $folder } 还不是赌场；croupier init 可建立
refused-floor-otherwise-accepted = 第 { $line } 行与记录所述不同：赌场接受了它
refused-floor-otherwise-refused = 第 { $line } 行与记录所述不同：赌场拒绝了它（{ $why }）
refused-floor-unmakable = 无法建立 { $folder }：{ $error }

## Forged

refused-forged-fork = { $file } 第 { $line } 行：检查点 { $number } 与 { $other_file } 第 { $other_line } 行的不同：链有分叉
refused-forged-gap = { $file } 第 { $line } 行：检查点 { $number } 之前缺少检查点 { $missing }
refused-forged-not-following = { $file } 第 { $line } 行：检查点 { $number } 与此处的检查点 { $before } 不相衔接
refused-forged-order = { $file } 第 { $line } 行：检查点 { $number } 排在检查点 { $after } 之后
refused-forged-unreadable-line = { $file } 第 { $line } 行不是检查点
refused-forged-unsigned-checkpoint = { $file } 的检查点 { $number } 没有 { $key } 的签名
refused-forged-unsigned-line = { $file } 第 { $line } 行没有 { $key } 的签名

## Founders

refused-founders-no-administrator = 创始人中须有一名管理员
refused-founders-once = 赌场的创始人只指定一次；其他人由现已确认者确认
refused-founders-people = 创始人至少 { $least } 人，且各为主管人员或管理员

## Habit

refused-habit-empty = 每位玩家须有投注格、注额，每局 1 至 { NUMBER($most) } 注

## Interrupted

refused-interrupted-already = 本局已经中断
refused-interrupted-bets-safe = 本局中断；已登记的投注安全
refused-interrupted-not-over = 中断尚未结束
refused-interrupted-nothing = 没有中断
refused-interrupted-nothing-to-attest = 没有等待骰子或滚珠所示的中断
refused-interrupted-waits-for-ball = 本局等待滚珠，而非证明

## Irregularity

refused-irregularity-correction = “{ NAME($irregularity, "irregularity") }”须由两人更正，而非报告
refused-irregularity-interruption = “{ NAME($irregularity, "irregularity") }”是中断：请说明哪部分故障
refused-irregularity-no-clause = { $book } 没有适用于此操作的条款
refused-irregularity-not-of-book = { $book } 没有异常“{ $irregularity }”；它有 { NAMES($known, "irregularity") }
refused-irregularity-not-past = “{ NAME($irregularity, "irregularity") }”不会使已结束的局作废
refused-irregularity-on-behalf = { GIVEN($box) ->
    [yes] { BOX($box) } 上的投注是代 { $seat } 所下，按所在位置有效
   *[no] 该投注是代 { $seat } 所下，按所在位置有效
 }
refused-irregularity-other-phase = 处于“{ PHASE($phase) }”时，“{ NAME($irregularity, "irregularity") }”不适用；只适用于：{ PHASES($allowed, "or") }
refused-irregularity-own-act = “{ NAME($irregularity, "irregularity") }”有专门的操作，不用报告

## Kernel

refused-kernel-no-numba = 未安装 Numba；请安装 croupier[sim]，或使用内核 numpy
refused-kernel-unknown = “{ $kernel }”不是内核；现有 { LIST($known) }

## Key

refused-key-not-pem = { $file } 中没有 PEM 格式的密钥
refused-key-of-another-floor = { $key } 不是本赌场的密钥；请从建立它的机器复制 keys/
refused-key-of-another-kind = { $file } 中的密钥种类不对；须为 Ed25519
refused-key-own = 这是赌场自己的密钥：核准人须有另一把，并存放在别处
refused-key-unreadable-public = { $file } 不能作为公钥读取：{ $error }
refused-key-unreadable-signing = { $file } 不能作为签名密钥读取：{ $error }

## Late bet

refused-late-bet-after-close = 已停止下注：已喊“停止下注”

## Late withdrawal

refused-late-withdrawal-after-close = 已停止下注：已喊“停止下注”
refused-late-withdrawal-lost = { GIVEN($box) ->
    [yes] { BOX($box) } 上的投注已输
   *[no] 该投注已输
 }

## Layout

refused-layout-approved-only = 本页只认已核准的规则书；自己的文件请用 croupier whatif
refused-layout-each-once = 请至少指明一个布局，且每个只一次
refused-layout-has-bets = { $seat } 在布局 { $layout } 上仍有投注 { MONEY($held) }；没有投注时才能另选
refused-layout-not-of-book = { $book } 没有布局“{ $layout }”；它有 { LIST($known) }
refused-layout-not-offered = 布局“{ $layout }”不在此台；此台有 { LIST($offered) }
refused-layout-of-table = 此游戏的布局属于赌台，对每位玩家相同
refused-layout-one-displayed = 一张赌台展示一个布局，而非 { LIST($layouts, "and") }
refused-layout-say-which = { $book } 有多个布局；请指明
refused-layout-too-many-ways = { $layout } 有 { NUMBER($ways) } 种可能；模拟最多从 { NUMBER($most) } 种中抽取
refused-layout-which = { $book } 有多个布局；请指明：{ LIST($known) }

## Limits

refused-limits-beyond-counting = 此策略的注额可能增至无法计算；请给出最高注额
refused-limits-no-units = { $bets } 的任何单位数都不在最低与最高注额之间
refused-limits-no-box = 没有布局含有投注格“{ $box }”
refused-limits-none-for-all = 须有适用于所有投注格的最低和最高注额
refused-limits-unit = 筹码单位须大于 0.00，而非 { MONEY($unit) }
refused-limits-unit-unpayable = 筹码单位 { MONEY($unit) } 在 { $layout } 无法以整分赔付；须为 { MONEY($least) } 的倍数
refused-limits-steps = { BOX($box) }：最低 { MONEY($minimum) } 与最高 { MONEY($maximum) } 须为筹码单位 { MONEY($unit) } 的倍数，最低须大于 0.00 且不高于最高
refused-limits-differential-needed = 此规则书须有最大差额
refused-limits-differential-unknown = 此规则书没有最大差额
refused-maximum-over = { BOX($box) } 上的 { MONEY($total) } 超过最高注额 { MONEY($maximum) }
refused-minimum-not-under = { $seat } 在 { BOX($box) } 的投注不低于最低注额 { MONEY($minimum) }
refused-minimum-under = { BOX($box) } 上的 { MONEY($total) } 低于最低注额 { MONEY($minimum) }

## Line

refused-line-labouchere = Labouchere 数列须为 1 至 { NUMBER($most) } 个大于 0 的整数，例如 { $example }

## Link

refused-link-used = 此链接已使用或已过期；请重新索取
refused-link-life = 链接从现在起有效，最长 { $hours } 小时
refused-link-unused = { $person } 有 { $links } 个链接未使用；一个就够

## Locked

refused-locked-table = 赌台已锁定，须由两人说明原因并解锁
refused-locked-wait = 尝试次数过多；请等待 { SECONDS($seconds) }，或索取一次性链接

## Login

refused-login-wrong = 姓名或密码错误
refused-login-wrong-password = 这不是 { $person } 的密码

## Loss

refused-loss-nothing-missing = { GIVEN($missing) ->
    [yes] { $stream } 没有缺失的行；有缺失的是：{ LIST($missing) }
   *[no] { $stream } 没有缺失的行，其他也没有
 }
refused-loss-replaced = { $stream } 的第 { $row } 行不是赌场曾确认的那一行；请放回更好的副本，或参见 croupier accept-loss
refused-loss-shortened = { $stream } 止于第 { $ends } 行，曾达到第 { $reached } 行；请放回更好的副本，或参见 croupier accept-loss

## Manner

refused-manner-unknown = 没有玩法“{ $manner }”；有 { LIST($known) }

## Media

refused-media-json = 请求内容必须是 application/json

## Missing

refused-missing-archived = { $table } 第 { $round } 局已归档，而其归档文件不在这里
refused-missing-bet = { $table } 第 { $round } 局没有投注 { $bet }
refused-missing-file = 这里没有文件 { $file }
refused-missing-layout = 这里没有布局“{ $layout }”；现有 { LIST($known) }
refused-missing-method = { $path } 不接受 { $method } 请求
refused-missing-mqtt = { $device } 使用 MQTT：请安装 croupier[mqtt]
refused-missing-page = 这里没有页面或文件 { $file }；执行 make pages 之后才会齐全
refused-missing-round = { $table } 没有已结束的第 { $round } 局
refused-missing-route = 这里没有页面或路径 { $path }
refused-missing-rulebook = 这里没有规则书“{ $rulebook }”；现有 { LIST($known) }
refused-missing-seat = 这里没有座位“{ $seat }”
refused-missing-stream = { GIVEN($known) ->
    [yes] 这里没有记录流“{ $stream }”；现有 { LIST($known) }
   *[no] 这里没有记录流“{ $stream }”
 }
refused-missing-table = { GIVEN($known) ->
    [yes] 这里没有赌台“{ $table }”；现有 { LIST($known) }
   *[no] 这里没有赌台“{ $table }”；一张也没有
 }
refused-missing-ticket = 这里没有这个号码的票券，也不认得别处发出的票券

## Money

refused-money-not-an-amount = “{ $text }”不是金额；请写作 10、10.00 或 1,250.50
refused-money-not-in-words = { MONEY($amount) } 不能用文字书写；可书写 0.00 至 { MONEY($most) }
refused-money-too-large = “{ $text }”过大；金额最多为 { MONEY($most) }

## Motion

refused-motion-count = 摇动次数或圈数不能为 { $count }
refused-motion-not-tumbled = 本局尚未摇骰
refused-motion-nothing-moves = 没有正在进行的摇骰或掷珠
refused-motion-tumbling = 骰子仍在摇动

## Name

refused-name-id-or-moment = 编号为 1 至 128 个可打印字符，时刻以毫秒计
refused-name-letter = 名称中不能有“{ $letter }”；可用拉丁、希腊、西里尔、中文或日文、谚文、阿拉伯、希伯来、泰文、天城文、泰米尔文的字母，以及数字和 -.'_
refused-name-looks-like = “{ $name }”与他人的名称“{ $other }”看来相同；请选用看来不同的名称
refused-name-not-a-name = “{ $name }”不能作为{ NAME($what, "thing") }的名称；名称为 1 至 64 个可打印字符，没有空格、# 或 "，且不以 = 开头
refused-name-of-machine = { $person } 不能作为人员名称：“system”和含 / 的名称属于机器
refused-name-slash-in-table = { $name } 不能作为赌台名称：/ 用于分隔赌台与座位
refused-name-system = { $person } 是赌台系统；人员须有自己的名称
refused-name-two-scripts = “{ $name }”混用了{ NAME($one, "script") }和{ NAME($other, "script") }的字母；名称只用一种文字
refused-name-written-otherwise = 名称“{ $name }”请写作“{ $plain }”

## Not ready

refused-not-ready-stopped = 尚不能接受操作：{ NAMES($places, "place") }

## Note

refused-note-long = 备注最多 { $most } 个字符

## Odds

refused-odds-how-many = { BOX($box) } 有 { NUMBER($prices) } 个赔率：{ $pays }；给出了 { NUMBER($given) } 个；请以逗号分隔
refused-odds-unreadable = { BOX($box) } 不能赔付“{ $given }”：请按规则书的写法写出大于 0 的赔率，例如“6 to 1”或“8.5 to 1”

## Office

refused-office-no-answer = 办公室此刻无法写入；请再试

## Offline

refused-offline-device = { $device } 离线
refused-offline-line = { $device }：{ $line }：{ $error }
refused-offline-no-power = { $device } 没有电源
refused-offline-not-running = { $device } 没有运行
refused-offline-part-taken = { $device }：{ $line } 只接收了部分指令

## Origin

refused-origin-foreign = 凡有改动的请求必须来自本赌场的网页，并带有其 Origin

## Outcome

refused-outcome-entered-already = 输入的结果已是 { $outcome }
refused-outcome-not-a-throw = “{ $text }”不是三颗骰子的结果；请写三个 1 至 6 的点数，如 1-3-4
refused-outcome-not-on-wheel = “{ $text }”不在轮盘上；其号码为 { LIST($numbers) }
refused-outcome-not-part = { LIST($known) } 不是骰子结果的一部分；最多三个 1 至 6 的点数
refused-outcome-one-compartment = 滚珠只停在一格，而非 { LIST($known, "and") }
refused-outcome-outside = 结果编号不在 0 至 { NUMBER($last) } 之内
refused-outcome-settled-already = 第 { $round } 局已按 { $outcome } 结算

## Outcomes

refused-outcomes-not-a-count = “{ $text }”不是结果数；请写作 1000、1,000 或 1e9

## Output

refused-output-neither = { $file } 既不是网页也不是文件；名称须以 .html 或 .pdf 结尾

## Over

refused-over-round = 第 { $round } 局已结束

## Owned

refused-owned-another-server = { $folder } 已在另一台服务器中打开；一个赌场同时只能有一台
refused-owned-unfound = 本赌场的某些日志流由一台找不到的机器持有

## Pace

refused-pace-out-of-range = 每小时 { $pace } 局；须大于 0，最多 { NUMBER($most) }

## Pack

refused-pack-more-than-files = { $file } 不是争议包的打包方式：其中不止有它的文件
refused-pack-no-pack = { $file } 不是争议包：{ $error }
refused-pack-numbers = { $file } 不是争议包：第 { $row } 行中应为数字之处不是数字
refused-pack-other-format = { $file } 的格式为 { $format }；本程序可读 { $first } 至 { $last }
refused-pack-other-maker = { $file } 不是争议包：它不是由 croupier 制作，而是由“{ $maker }”制作
refused-pack-spans = { $file } 不是争议包：其行段次序不对
refused-pack-spelled-otherwise = { $file } 不是争议包：{ $name } 不是争议包中的写法
refused-pack-too-large = 无法解开 { $file }：解开后超过 { NUMBER($most) } 字节
refused-pack-unpackable = 无法解开 { $file }：{ $error }

## Paper

refused-paper-printed = 票券 { $ticket } 已经印过；请重印，纸面会标明为副本

## Passkey

refused-passkey-added = 此通行密钥已添加过，或其编号过长
refused-passkey-not-a-key = 这不是通行密钥的公钥：须为 DER 格式的 ES256、EdDSA 或 RS256
refused-passkey-too-many = { $person } 最多可有 { $passkeys } 个通行密钥
refused-passkey-unknown = { $person } 没有此通行密钥
refused-passkey-unsigned = { $person } 尚未以通行密钥签署请求 { $request }

## Password

refused-password-length = 密码须有 { $shortest } 至 { $longest } 个可打印字符
refused-password-old-needed = 请同时提供旧密码
refused-password-own-name = 密码不能与姓名相同
refused-password-changed = { $person } 的密码已变更；请重新核对代码
refused-password-digest = 密码须以其哈希的 SHA-256（十六进制）给出
refused-password-not-own = { $person } 尚未设定自己的密码
refused-password-typed-two = { $person } 输入的两次密码不同；没有任何改动

## Pays

refused-pays-unreadable = { LIST($given) } 无法读取；每格只写一次“投注格=赔率”，例如 { $example }

## Permission

refused-permission-above-own = { $person } 不能授予或撤销高于自己的职务；其职务为{ ROLE($highest) }
refused-permission-accept-loss = 接受损失须由{ ROLES($allowed, "or") }执行；{ $person } 不在其中
refused-permission-audience = 此处仅供{ NAME($audience, "audience") }使用；{ $person } 不在其中
refused-permission-both-highest = { $other } 提出，{ $person } 批准，两人均为{ ROLES($highest, "or") }；其中一人须为较低级别
refused-permission-name-of-seat = { $person } 是座位或赌台系统的名称；人员须有自己的名称
refused-permission-no-account = { ACT($act) }须由{ ROLES($allowed, "or") }执行；{ $person } 没有账户
refused-permission-no-role = { $person } 至少须有一个职务
refused-permission-no-supervision = 至少须有一人担任{ ROLES($roles, "or") }
refused-permission-not-cage-staff = { GIVEN($allowed) ->
    [yes] { ACT($act) }须由{ ROLES($allowed, "or") }执行；{ $person } 不是账房人员
   *[no] { ACT($act) }在账房无人可执行；{ $person } 不是账房人员
 }
refused-permission-not-on-staff = { $person } 不是此台人员
refused-permission-not-table-staff = { GIVEN($allowed) ->
    [yes] { ACT($act) }须由{ ROLES($allowed, "or") }执行；{ $person } 不是此台人员
   *[no] { ACT($act) }在此台无人可执行；{ $person } 不是此台人员
 }
refused-permission-role = { GIVEN($allowed) ->
    [yes] { ACT($act) }须由{ ROLES($allowed, "or") }执行；{ $person } 的职务为{ ROLES($held) }
   *[no] { ACT($act) }在此无人可执行；{ $person } 的职务为{ ROLES($held) }
 }

## Phase

refused-phase-after-close = 只有停止下注后才能裁定结果
refused-phase-no-bets = 处于“{ PHASE($phase) }”时不能下注或撤回投注
refused-phase-no-bets-open = 现在不接受下注
refused-phase-no-cover = 此游戏没有盅盖
refused-phase-no-round = 没有进行中的局
refused-phase-not-locked = 赌台没有锁定
refused-phase-not-now = 处于“{ PHASE($phase) }”时不能{ ACT($act) }
refused-phase-only-in = { ACT($act) }须在“{ PHASE($needed) }”时进行，而非“{ PHASE($phase) }”时
refused-phase-open-already = 此台已经开台
refused-phase-tumbled-already = 本局已摇骰

## Players

refused-players-out-of-range = { NUMBER($players) } 位玩家；一张赌台有 1 至 { NUMBER($most) } 位

## Port

refused-port-taken = { $door }_port：无法监听 { $address }：{ $error }；是否有另一台服务器在运行？可用 --set { $door }_port=端口 另选端口

## Printer

refused-printer-line = { $device }：{ $line }：{ $error }；没有打印任何内容
refused-printer-line-closed = { $device }：{ $line } 关闭了连接；没有打印任何内容
refused-printer-no-answer = { $device }：{ $line } 已 { SECONDS($seconds) }没有回应；没有打印任何内容
refused-printer-no-status = { $device }：{ $line } 回应 { $answer }，不是打印机的状态；没有打印任何内容
refused-printer-not-ready = { $device } { NAMES($faults, "fault") }；没有打印任何内容

## Public

refused-public-elsewhere = 这些内容在 { $address } 向所有人公开

## Question

refused-question-unknown = 没有问题“{ $question }”；现有 { LIST($known) }

## Rank

refused-rank-above-own = { $person } 不能授予或撤销高于自己的职务；其职务为{ ROLE($highest) }
refused-rank-one-of-two = 两人中须有一人为{ ROLES($needed, "or") }

## Rate

refused-rate-acts = 指令过多；每秒最多接受 { $most } 个

## Reason

refused-reason-letters = 原因须有 1 至 { $most } 个字符
refused-reason-loss-needs = 接受损失须说明原因：--reason
refused-reason-needed = { ACT($act) }须说明原因

## Receipt

refused-receipt-fields = { $file } 不是收据；收据有 { LIST($fields) }
refused-receipt-spelled-otherwise = { $file } 不是收据的写法：其中不止有收据的字段
refused-receipt-unreadable = { $file } 不能作为收据读取：{ $error }

## Replacement

refused-replacement-itself = 票券 { $ticket } 不能换发为自己；换发的票券须有新号码
refused-replacement-none-to-expire = 票券 { $ticket } 没有可过期的替换票券；请指明替换票券，或将其时限留为 0

## Resend

refused-resend-other-bet = 以此编号的投注此前已提出，内容不同
refused-resend-other-bet-of-seat = 以此编号的投注此前已提出，内容不同：{ $seat } 在第 { $round } 局于 { BOX($box) } 下注 { MONEY($stake) }
refused-resend-other-withdrawal = 撤回 { $withdrawal } 此前以不同内容提出
refused-resend-otherwise = { $id } 先前已以不同内容发送

## Role

refused-role-not-of-account = { GIVEN($roles) ->
    [yes] { $person } 不能担任{ ROLES($roles) }；账户职务：{ ROLES($known) }
   *[no] { $person } 不能没有职务；账户职务：{ ROLES($known) }
 }
refused-role-not-of-cage = { GIVEN($roles) ->
    [yes] { $person } 不能在账房担任{ ROLES($roles) }；账房职务：{ ROLES($known) }
   *[no] { $person } 在账房不能没有职务；账房职务：{ ROLES($known) }
 }
refused-role-not-owner-of-tables = { $role } 不是表的所有者：请以 --store 给出其所有者的地址
refused-role-unknown = 没有职务“{ $role }”；账户职务：{ ROLES($known) }

## Round

refused-round-before = 自该玩家入座以来，{ $seat } 没有第 { $round } 局
refused-round-bet-before = 自该玩家入座以来，{ $seat } 没有这项投注
refused-round-from-discovery = 在此台，骰子损坏只自发现时起使各局作废
refused-round-no-bet = { $seat } 在第 { $round } 局没有投注
refused-round-none-open = 没有进行中的局；请指明受影响的各局
refused-round-not-named = 请指明受影响的各局
refused-round-not-open = 该投注属于第 { $round } 局；现为第 { $open } 局
refused-round-not-settled = 第 { $round } 局没有在此台结算
refused-round-void-already = 第 { $round } 局已按 { $by } 作废
refused-round-none-so = { $table } 没有第 { $round } 局
refused-round-not-over = { $table } 没有已结束的第 { $round } 局；下一局为第 { $next } 局

## Rounding

refused-rounding-unknown = “{ $rounding }”不是舍入方式；现有 { LIST($known) }

## Rounds

refused-rounds-all-alike = 这些投注每局结果相同；直接相乘即可
refused-rounds-losing-run = { NUMBER($rounds) } 局；连输只能在 1 至 { NUMBER($most) } 局中计算
refused-rounds-never-ends = 这些投注不使玩家亏损，此场可能永不结束；请给出局数
refused-rounds-none = 至少须有 1 局，而非 { NUMBER($rounds) }
refused-rounds-not-a-count = “{ $text }”不是局数；请写作 1000、1,000 或 1e9
refused-rounds-of-session = 一个场次 { NUMBER($rounds) } 局；须为 1 至 { NUMBER($most) }
refused-rounds-out-of-range = { NUMBER($rounds) } 局；须为 1 至 { NUMBER($most) } 的整数
refused-rounds-too-many = { NUMBER($rounds) } 局与 { NUMBER($bankrolls) } 种不同的本金过多，无法逐一计算：请给出止盈额、减少局数或取整的注额

## Rulebook

refused-rulebook-before-its-hour = { $book } 自 { $hour } 起生效：在此之前新赌台不得采用，除非其文件注明 trial = true
refused-rulebook-near = 没有规则书“{ $book }”；是否指 { LIST($near, "or") }？
refused-rulebook-replaced = { $book }（{ $hour }）已于 { $since } 被 { $other } 取代：新赌台不得采用，除非其文件注明 trial = true
refused-rulebook-unknown = 没有规则书“{ $book }”；现有 { LIST($known) }，或给出 .toml 文件

## Rules of who is who

refused-rules-version = 本赌场采用身份规则第 { $rules } 版，本程序所知为第 { $known } 版

## Running

refused-running-server = 有服务器正开着此赌场：请先停止它（强行终止后等 5 秒），或使用其 /api/office/commands

## Same person, same browser

refused-same-browser-asked = { $person } 在此浏览器中提出了请求 { $request }；第二人须使用自己的浏览器
refused-same-person-asked = 请求 { $request } 由 { $person } 提出；须由另一位人员批准
refused-same-person-confirms-self = { $person } 不能确认自己；须由他人确认
refused-same-person-loss = 接受损失须有两个不同的人：--by 姓名 --second 姓名
refused-same-person-reported = 此事由 { $person } 报告；请求 { $request } 须由另一位人员裁决
refused-same-person-stands-already = { $by } 已确认过 { $person }；还须由另一人确认

## Sample

refused-sample-out-of-range = 样本为 { NUMBER($count) }；须为 { NUMBER($least) } 至 { NUMBER($most) } 个结果
refused-sample-alike = { NAME($test, "test") }：{ $values } 个值太少或全部相同；需要 { $needed } 个
refused-sample-few = { NAME($test, "test") }：{ $outcomes } 个结果太少；{ $cells } 格需要 { $needed } 个
refused-sample-one-sided = { NAME($test, "test") }：中位以上 { $above } 个、以下 { $below } 个；各需 { $needed } 个
refused-sample-the-first-again = 第二份样本与第一份相同；请提供新的样本
refused-sample-too-short = { NUMBER($outcomes) } 个结果不足以作任何检验；至少须有 { NUMBER($needed) } 个，最好有一百万个

## Schema

refused-schema-changed = 此数据库的表与建立时不同：{ LIST($tables) }；croupier doctor 说明改动了什么

## Seat

refused-seat-all-taken = { $table } 的座位已满；请另选一桌
refused-seat-has-money = { $seat } 的余额和投注仍有 { MONEY($held) }；请先兑付
refused-seat-name-of-staff = { $seat } 是人员的名称；座位须用其他名称
refused-seat-no-cashier = { $table } 没有出纳，其他人不能安排访客入座
refused-seat-no-bet = { $seat } 在 { $table } 第 { $round } 局没有投注
refused-seat-no-such-table = 本赌场没有座位 { $table }/{ $seat }；赌台有 { LIST($tables) }
refused-seat-none = 此台没有座位 { $seat }
refused-seat-not-at-table = 本赌场没有座位 { $table }/{ $seat }；有 { LIST($seats) }
refused-seat-not-in-house = 本赌场没有座位 { $table }/{ $seat }
refused-seat-taken = 座位 { $seat } 已有人

## Seats

refused-seats-none = 至少须有 1 个座位，而非 { NUMBER($seats) }

## Seed

refused-seed-out-of-range = { $seed } 不是种子；须为 0 至 { $most } 的整数

## Session

refused-session-none = 请先登录：没有会话，或会话已结束
refused-session-not-theirs = 请只指明 { $person } 的会话，且每个只一次

## Sessions

refused-sessions-beyond-counting = { NUMBER($rounds) } 局的 { NUMBER($sessions) } 个场次无法计算；须为 1 个以上，或减少
refused-sessions-not-a-count = “{ $text }”不是场数；请写作 1000、1,000 或 1e9

## Share

refused-share-no-largest = 正态分布没有最大合计；请给出小于 1 的比例
refused-share-out-of-range = { $share } 不是比例；须大于 0 且不超过 1
refused-share-unread = “{ $text }”不是比例；请写作 5%、0.05 或 1/20

## Sides

refused-sides-out-of-range = 可选项有 { NUMBER($sides) } 个；须为 1 至 { NUMBER($most) } 个

## Simulating

refused-simulating-another = { $person } 正在模拟；一次只能进行一个模拟

## Size

refused-size-body = 一个请求最多 { $most } 字节

## Slow

refused-slow-body = 请求内容未能在 { SECONDS($seconds) } 内送达

## Sources

refused-sources-agree = 没有两个来源不一致，无须裁定
refused-sources-differ = 荷官输入 { $entered }，感应器给出 { $sensed }；由主管裁定
refused-sources-sensor-silent = 此台的结果须有两个来源；感应器尚未给出
refused-sources-third = { $outcome } 既未输入也未感应；请先更正输入的结果

## Stake

refused-stake-every-above-zero = 每个注额须大于 0
refused-stake-no-amount = 注额须大于 0.00，而非 { MONEY($stake) }
refused-stake-not-above-zero = { BOX($box) } 上的注额须大于 0.00，而非 { MONEY($stake) }
refused-stake-not-whole = { BOX($box) } 上的注额须为整数分，而非 { $stake }
refused-stake-too-many-cents = { NUMBER($stake) } 分的注额过大；最大为 { NUMBER($most) } 分

## Standstill

refused-standstill-undecided = 该局暂停：{ $person } 报告{ NAME($irregularity, "irregularity") }，而设备的报告与之不符；须先裁决请求 { $request }

## Step

refused-step-out-of-range = { $step } 不是赔率的步长；须大于 0 且不超过 { NUMBER($most) }

## Stop

refused-stop-not-above-zero = { $stop } 须大于 0.00，而非 { MONEY($amount) }

## Store

refused-store-no-answer = 数据库暂时没有回应；请稍后再问
refused-store-no-database = 没有数据库 { $address }；请用 croupier init 建立场地，或用 --floor 指明其文件夹
refused-store-no-driver = PostgreSQL 需要附加组件 postgres：pip install croupier[postgres]
refused-store-no-tables = { $address }：此数据库还没有表；请以其所有者的地址运行 croupier migrate 建立
refused-store-not-durable = { $address }：synchronous_commit 为 { $value }，且无法设定；须为 { LIST($needed, "or") }
refused-store-not-ours = { $address }：此数据库的第 { $step } 步由另一程序所作
refused-store-steps-missing = { $address }：此数据库缺少 { $missing } 步；请以其所有者的地址运行 croupier migrate 补上
refused-store-steps-missing-here = { $address }：此数据库缺少 { $missing } 步；在那里开启赌场时会补上
refused-store-steps-unknown = { $address }：此数据库有 { $steps } 步，本程序只知道 { $known } 步；请升级程序
refused-store-unopened = { $address } 不能作为数据库打开：{ $error }
refused-store-unread-address = 无法读取地址 { $address }；名称或密码中 @ 写作 %40，/ 写作 %2F，: 写作 %3A，% 写作 %25
refused-store-unusable = 无法使用 { $address } 的 PostgreSQL：{ $error }

## Strategy

refused-strategy-fails = 策略 { $strategy } 在第一局之前就失败：{ $error }
refused-strategy-more-bets = 策略 { $strategy } 在 { NUMBER($plays) } 个投注中选择；给出了 { NUMBER($given) } 个
refused-strategy-no-function = { $file } 中没有函数 { $function }
refused-strategy-no-python = { $file } 不是 Python 文件
refused-strategy-no-such-play = 策略 { $strategy } 选择了投注组合 { NUMBER($play) }；共有 { NUMBER($plays) } 个，从 0 起
refused-strategy-not-compiled = Numba 无法编译 { $strategy }：{ $error }
refused-strategy-number = “{ $strategy }”：其中的数须为 2 至 { NUMBER($most) }
refused-strategy-odd-answer = 策略 { $strategy } 的回答是 { $answer }；须为单位数，或投注组合与单位数
refused-strategy-play-unknown = 策略选择了投注组合 { NUMBER($play) }；共有 { NUMBER($plays) } 个，从 0 起
refused-strategy-several-bets = 策略 { $strategy } 在多个投注中选择；至少须有两注
refused-strategy-this-process = 策略 { $strategy } 只在此进程中；须存于文件才能使用多个进程
refused-strategy-unknown = “{ $strategy }”不是策略；现有 { LIST($known) }，或 file.py:function
refused-strategy-unreadable = { $file } 无法读取：{ $error }

## Supervision

refused-supervision-nobody = 至少须有一人担任{ ROLES($roles, "or") }

## Table

refused-table-no-table = { $table } 不是赌台
refused-table-not-here = { GIVEN($known) ->
    [yes] 此处没有赌台“{ $table }”；有 { LIST($known) }
   *[no] 此处没有赌台“{ $table }”；一张也没有
 }
refused-table-there-already = { $address } 中已有赌台 { $table }

## Terminal

refused-terminal-interrupted = 终端 { $seat } 中断
refused-terminal-lost-elsewhere = 丢失的投注须有注额并属于中断的终端；{ $seat } 的缺其一
refused-terminal-none-enrolled = { $table }/{ $seat } 没有登记终端
refused-terminal-none-in-game = 此游戏没有玩家终端
refused-terminal-not-named = 请至少指明一个终端

## Ticket

refused-ticket-amount-of-paper = 票券金额不能为 { MONEY($amount) }；须为 0.01 至 { MONEY($most) }
refused-ticket-digits = “{ $ticket }”不是票券号码；票券号码有 { $digits } 位
refused-ticket-expired = 票券 { $ticket } 已于 { MOMENT($expires) } 过期
refused-ticket-expires-before = 于 { MOMENT($issued) } 发出的票券须在其后过期，不能为 { MOMENT($expires) }
refused-ticket-life = 票券须在发出之后过期，最长 { $days } 天，不能为 { MOMENT($expires) }
refused-ticket-no-value = 票券 { $ticket } 没有价值
refused-ticket-not-expired = 票券 { $ticket } 的状态为“{ NAME($found, "ticket") }”；只有过期票券才能从无人认领款中兑付
refused-ticket-paid = 票券 { $ticket } 已在账房兑付；票券只计一次
refused-ticket-redeemed = 票券 { $ticket } 已兑换；票券只计一次
refused-ticket-unknown = 票券 { $ticket } 从未在此发出
refused-ticket-unprinted-state = “{ $state }”不是可打印的状态；有 { LIST($known) }
refused-ticket-void = 票券 { $ticket } 已作废；原因请询账房
refused-ticket-wrong-digit = { $ticket } 不是票券号码：有一位错误或两位互换
refused-ticket-number-used = 已有票券 { $ticket }；号码只用一次

## Time

refused-time-approval-seconds = 批准时限 { SECONDS($seconds) }过短；须大于 0
refused-time-ended-before = 于 { MOMENT($began) } 开始的一局不可能在更早的 { MOMENT($ended) } 结束
refused-time-not-on-paper = { $at } 不能印为时刻；须为 0 至 { $most } 毫秒
refused-time-unread = “{ $text }”不是时刻；请写作 2026-11-16 或 2026-11-16T18:00+08:00

## Time zone

refused-time-zone-unknown = “{ $zone }”不是时区；请写作例如 Asia/Singapore

## Tls

refused-tls-files = { $certificate } 与 { $key } 无法用于 TLS：{ $error }

## Token

refused-token-digest = 新令牌须以其 SHA-256（十六进制）给出，每个只用一次
refused-token-none-given = 没有机器人有座位：请给出 --tokens（每个一行），或 --demo
refused-token-sent-away = 有机器人被请离：{ $error }
refused-token-unread = 无法读取 { $file }：{ $error }

## Unconfirmed

refused-unconfirmed-loss = { $person } 尚未确认：他人可能以其名义登录
refused-unconfirmed-not-own-password = 此会话由 { $maker } 制作的密码或链接开启；请设定自己的密码、用它登录，并请他人确认您
refused-unconfirmed-vouchers = { $person } 尚未确认；还须由已确认者确认的人数：{ $missing }

## Unit

refused-unit-any-bet = 有一注无法以整分赔付；始终可以的最小单位为 { MONEY($unit) }
refused-unit-chip = 每枚 { MONEY($value) } 不是筹码单位 { MONEY($unit) } 的倍数
refused-unit-left = { BOX($box) } 上剩余的 { MONEY($left) } 不是筹码单位 { MONEY($unit) } 的倍数
refused-unit-of-habit = 注额 { MONEY($stake) } 不是 { MONEY($unit) } 的倍数
refused-unit-stake = { BOX($box) } 上的 { MONEY($stake) } 不是筹码单位 { MONEY($unit) } 的倍数
refused-unit-unpayable = { BOX($box) } 上的 { MONEY($stake) } 按 { $pays } 无法以整分赔付；可赔付的最小单位为 { MONEY($least) }

## Unknown

refused-unknown-written = 结果未知：请以同一编号再次发送同一指令

## Unreadable

refused-unreadable-json = 请求内容无法作为 JSON 读取：{ $error }

## Unsure

refused-unsure-line = { $device }：{ $line }：{ $error }；重新打印之前请查看票券是否已打印
refused-unsure-line-closed = { $device }：{ $line } 关闭了连接；重新打印之前请查看票券是否已打印
refused-unsure-no-answer = { $device }：{ $line } 已 { SECONDS($seconds) }没有回应；重新打印之前请查看票券是否已打印
refused-unsure-stuck = { $device } 卡住；重新打印之前请查看票券是否已打印

## Untrue

refused-untrue-disk = 磁盘上没有应有的内容：{ $lie }

## Workers

refused-workers-out-of-range = { NUMBER($workers) } 个工作进程；须为 1 至 { NUMBER($most) }
refused-untrue-row = 磁盘上的第 { $row } 行不属实；croupier verify 说明其错误
refused-untrue-unarchived = { $table } 第 { $row } 行不属实，故没有归档；croupier verify 说明其错误

# 规则对照：问题、对照事项、各规则书的回答。回答列于表中，故无句号。

## 问题

question-open = 何时开始下注，由谁宣布？
question-close = 何时停止下注，由谁宣布？
question-motion = 怎样的摇骰或掷珠才有效，否则如何？
question-result = 结果何时宣布，如何宣布？
question-correct = 结果、显示或亮灯有误时如何处理？
question-void = 什么情形使一局作废，由谁认定？
question-two-people = 什么事项需要两人？
question-evidence = 一局作废凭什么认定，以谁的话为准？
question-power = 停电时各阶段如何处理？
question-terminals = 玩家终端故障时其投注如何处理？
question-minimum = 低于最低注额的投注如何处理？
question-maximum = 超过最高注额的投注如何处理？
question-late = 不在下注时间内的下注或撤回如何处理？
question-placement = 筹码被移动、放置不清或放错时如何处理？
question-equipment = 骰子、滚珠或设备损坏或受干扰时如何处理？
question-not-covered = 规则未涵盖的事项由谁裁定？
question-money = 价格与限额之外，款项依据哪一条移动？
question-people = 本游戏有哪些人员？
question-prices = 每个投注格赔付多少，庄家平均保留多少？
question-readings = 文本未写明或自相矛盾之处如何解读？

## 对照事项

comparing-boxes = { BOXES($boxes) }
comparing-irregularity = { NAME($irregularity, "irregularity") }
comparing-phase = { PHASE($phase) }
comparing-ruling = 裁定 { $ruling }
comparing-subject = { NAME($subject, "subject") }

subject-announced-how = 用语
subject-announced-when = 时刻
subject-call = 宣布
subject-checked = 核对
subject-dealer = 荷官一职
subject-differential = 差额
subject-disagreement = 人与设备说法不一时
subject-early-close = 提前停止
subject-maximum = 最高注额
subject-minimum = 最低注额
subject-moment = 时刻
subject-on-behalf = 谁可代玩家下注
subject-operators = 谁主持游戏
subject-pit-manager = 区域经理一职
subject-pit-supervisor = 区域主管一职
subject-ranks = 职级
subject-registered = 已登记的投注
subject-second-person = 第二人
subject-settled = 收取与赔付
subject-shift-manager = 值班经理一职
subject-unregistered = 未登记的投注
subject-credit = 额度
subject-exempt-bet = 分摊之格中的小额投注
subject-lost-bets = 按结果条款判输的投注
subject-stake = 下注
subject-void-stakes = 作废一局的注额
subject-withdrawn-stake = 撤回的注额
subject-valid-motion = 何为有效

## 规则书的回答

compared-announced = “{ LAW($words) }”
compared-called = { ROLES($by, "or") }{ $given ->
    [displayed] 使终端显示
   *[announced] 宣布
 }“{ LAW($words) }”{ $bell ->
    [yes] ，同时摇铃
   *[no] { "" }
 }
compared-checked = 荷官将亮起的布局与骰子或轮盘核对
compared-collected = 先收取输注
compared-decides = 本局停住，由{ ROLE($decides) }或以上、且非报告之人裁定
compared-differential = { BOXES($boxes, "and") }的总注额之差不得超过所示上限
compared-early = 掷珠之前，须经{ ROLES($by, "or") }许可
compared-evidence = { NAME($evidence, "witness") }{ GIVEN($denied_by) ->
    [yes] ；设备的{ NAMES($denied_by, "denial", "or") }可与人的说法相反
   *[no] { "" }
 }
compared-irregularity = { NAME($consequence, "consequence") }；由{ ROLES($by, "or") }{ $people ->
    [2] 及第二人
   *[1] { "" }
 }认定；最迟在“{ PHASE($last) }”时
compared-limit = 按{ NAME($per, "per") }：{ NAME($breach, "breach") }
compared-loses = 结果为 { $outcome } 时，未涵盖者皆输
compared-moment = { NAME($moment, "moment") }
compared-motion = { $device ->
    [wheel] 滚珠至少转 { NUMBER($count) } 圈
   *[dice] 骰子至少摇动 { NUMBER($count) } 次
 }
compared-moved = { NAME($movement, "movement") }
compared-operators = { ROLES($by, "or") }
compared-otherwise = 否则本局作废
compared-paid = { $kind ->
    [live] 然后另作操作赔付赢注
   *[electronic] 然后赔付赢注，无需再作操作
 }
compared-power = { $act ->
    [attest] 由两人证明所见，并据此结束本局
    [attest-and-lock] 由两人证明所见，据此结束本局并锁定赌台
    [complete-entry] 完成输入并结束本局
    [complete-entry-and-lock] 完成输入、结束本局并锁定赌台
    [confirm] 已输入的结果有效，结束本局
    [confirm-and-lock] 已输入的结果有效，结束本局并锁定赌台
    [continue] 继续进行
    [finish] 完成结算，仅一次
    [finish-and-lock] 完成结算，仅一次，并锁定赌台
    [nothing] 无任何损失
    [resume-or-void] 若在 { SECONDS($seconds) }内恢复供电则继续下注，否则本局作废
    [resume-or-void-and-lock] 若在 { SECONDS($seconds) }内恢复供电则继续下注，否则本局作废并锁定赌台
    [start-again] 重新摇骰，重新开始本局
    [void] 本局作废
    [void-unseen] 本局自动作废：什么都不可能被看到，无人作证
    [wait] 待滚珠停住，以其所在为准
   *[other] { $act }
 }
compared-price = { LIST($layouts) }：{ $pays }，庄家优势 { $edge }，即 { $percent }
compared-ranks = { GIVEN($ladder) ->
    [yes] 任某职者可做其下各职之事，由低到高：{ ROLES($ladder) }
   *[no] 职务须经委派
 }
compared-reading = { LAW($read) } 另一读法：{ LAW($alternative) }
compared-result = { $announced ->
    [entered] 输入的同一时刻：宣布并亮灯，或放置中奖标记
   *[confirmed] 荷官核对回显并确认后：所有终端同时显示并亮灯
 }
compared-second = 另一位{ ROLE($second) }或以上者，但不得两人同为{ ROLE($highest) }或以上
compared-terminals = { NAME($act, "failed-bet") }
compared-title = { LAW($title) }

breach-apportion = 停止下注时按比例分摊超出部分，其余退还
breach-cap = 按最高注额计输赢，其余退还
breach-once-only = 每位玩家仅结算一次，其后均退还
breach-plays = 全额有效
breach-refuse = 拒收

moment-after-tumble = 骰子在盅盖下摇动之后
moment-before-motion = 摇骰之前
moment-before-uncovering = 揭盅之前
moment-before-spin = 掷珠之前
moment-while-ball-runs = 滚珠仍在转动时

per-box = 每格所有玩家合计
per-player-box = 每位玩家每格

denial-count = 次数
denial-direction = 方向
denial-reading = 读数
denial-start = 启动

failed-bet-not-participating = 视为玩家未参与本局
failed-bet-play = 有效
failed-bet-return = 退还

witness-device = 设备
witness-either = 人或设备均可
witness-person = 人

movement-bet = 转入赌台
movement-credit = 可购买与支付
movement-exempt = 全额有效
movement-void = 全部退还
movement-void-by-cause = 按使本局作废的条款退还
movement-withdrawn = 下注期间退还

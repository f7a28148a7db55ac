# What stands on paper: tickets, reports of rounds, and documents. The fonts that come along write English only.

paper-page = 第 { $page } 页，共 { $pages } 页

## A ticket: labels are set in capitals

paper-ticket-document = 兑现票券 { $number }
paper-ticket-title = 兑现票券
paper-ticket-validation = 验证号码
paper-ticket-issued = 发出
paper-ticket-place = 地点
paper-ticket-expires = 有效期至
paper-ticket-redeemed = 已兑换
paper-ticket-paid = 已兑付
paper-ticket-void = 作废
paper-ticket-expired = 过期
paper-ticket-duplicate = 副本

## The report of a round

paper-round-title = 赌台 { $table } 第 { $round } 局
paper-round-result = 结果
paper-round-began = 开始
paper-round-ended = 结束
paper-round-rulebook = 规则书
paper-round-hash = 规则书的哈希值
paper-round-layouts = 布局
paper-round-limits = 限额
paper-round-no-limits = 未注明
paper-round-bets = 投注
paper-round-staked = { $bets ->
    [0] 无人下注。
   *[other] { NUMBER($bets) } 注，注额共 { MONEY($staked) }。
 }
paper-round-bet = 投注
paper-round-seat = 座位
paper-round-box = 投注格
paper-round-stake = 注额
paper-round-fate = 结果如何
paper-round-clause = 条款
paper-round-story = 经过
paper-round-no-story = 没有记录。
paper-round-sums = 款项为何变动
paper-round-money = 款项
paper-round-no-money = 没有款项变动。
paper-round-from = 转出
paper-round-to = 转入
paper-round-amount = 金额
paper-round-reason = 原因
paper-round-proof = 证明
paper-round-no-proof = 未给出。
paper-proof-checkpoint-hash = 该行的哈希
paper-proof-checkpoint-row = 检查点所在行
paper-proof-corrections = 更正所在行
paper-proof-first-row = 首行
paper-proof-last-row = 末行
paper-proof-none = 无
paper-proof-row-hash = 末行的哈希
paper-proof-signature = 签名

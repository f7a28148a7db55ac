# What follows if people say that something went wrong, or attest that nothing can be shown: will-CASE, with the facts
# that croupier.table.next_acts declares.

will-actual-outcome-stands = 以骰子或滚珠实际所示为准，并记录在案。
will-actual-outcome-stands-and-lock = 以骰子或滚珠实际所示为准，并记录在案。赌台锁定，直至两人说明原因并解锁。
will-advise = 告知玩家最低注额；投注有效。
will-amend-result = 更换已输入的结果；尚未结算。
will-apportion = 停止下注时各注按比例分摊限额；其余退还。
will-bet-decision = 按裁定，投注有效、移到其格或退还。
will-cap = 超出最高注额的部分不计输赢，结算时退还。
will-decision = 按裁定，本局作废、按声明的结果结算，或退还所列投注。
will-interruption = 本局中断：投注保留，本局按条款继续或结束。
will-lock = 其他不变。赌台锁定，直至两人说明原因并解锁。
will-no-effect = 不影响任何事项，并记录在案。
will-once-only = 低于最低注额的投注，每位玩家仅结算一次，其后均退还。
will-plays = 投注按所在位置有效，并记录在案。
will-refuse = 不予受理；台面不变，并记录在案。
will-refuse-nothing = 不能证明“无结果可示”：结果已经确定。
will-reject-excess = 超出限额的部分退还玩家，后下者先退。
will-settle-again = 本局按正确结果重新结算并告知玩家；其后各局不变。
will-stand-still = 设备的报告与之不符（{ $clause }），第 { $round } 局暂停，由未作报告的主管裁决。
will-void = 第 { $round } 局作废：注额 { MONEY($total) } 退还 { $players } 位玩家并告知({ $clause })。
will-void-named-rounds = 所列各局作废，其中所有注额退还({ $clause })。
will-void-past-round = 本局作废，所有注额退还({ $clause })。
will-void-without-bets = 第 { $round } 局作废；无人下注({ $clause })。

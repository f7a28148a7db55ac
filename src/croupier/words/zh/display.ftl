# The page /display.

display-title = 显示屏
display-choose = 选择赌台
display-information = 仅供参考，以台面实际结果为准。
display-last = 上一局结果
display-now = 结果
display-none = 尚无结果
display-void = 按条款 { $clause } 作废：所有投注已退还
display-next = 第 { $round } 局
display-limits = 最低 { $minimum } · 最高 { $maximum }
display-differential = 最大差额 { $amount }
display-roads = 以往结果，最新在右
display-dice = 骰子
display-number = 号码
display-total = 总和
display-counts = 最近 { $counted } 局的出现次数
display-seen = { $number }：{ $count } 次，预期 { $expected } 次
display-closed = 此台未开台。
display-locked = 此台暂停。
display-interrupted = 本局中断。已登记的投注安全。
display-still = 本局暂停，待主管裁决。已登记的投注保留。
display-lost = 连接已断开

# Why something is refused: refused-REASON-CASE, with the facts that croupier.rules.reasons declares.

## Limits

refused-limits-none-for-all = 须有适用于所有投注格的最低和最高注额
refused-limits-unit = 筹码单位 { MONEY($unit) } 须大于 0.00
refused-limits-unit-unpayable = 筹码单位 { MONEY($unit) } 在 { $layout } 无法以整分赔付；须为 { MONEY($least) } 的倍数
refused-limits-steps = { BOX($box) }：最低 { MONEY($minimum) } 与最高 { MONEY($maximum) } 须按筹码单位 { MONEY($unit) } 递增
refused-limits-differential-needed = 此规则书须有最大差额
refused-limits-differential-unknown = 此规则书没有最大差额
refused-maximum-over = { BOX($box) } 上的 { MONEY($total) } 超过最高 { MONEY($maximum) }
refused-minimum-under = { BOX($box) } 上的 { MONEY($total) } 低于最低 { MONEY($minimum) }

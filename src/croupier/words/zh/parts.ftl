# Parts that every page may show.

## Felt

felt-own = 您的注额 { $amount }
felt-pays = 赔率 { $odds }
felt-wins = 赢
felt-which = 您指的是哪一注？
felt-none = 都不是

## Parts

parts-close = 关闭
parts-picture = 仅为示意，结果来自赌台
parts-tumbling = 正在摇骰
parts-tumblingCovered = 正在盅内摇骰
parts-underCover = 骰子在盅内
parts-lastResult = 上一局结果
parts-waiting = 等待下一局
parts-betsOpen = 接受下注
parts-ballRuns = 滚珠转动中
parts-secondsLeft = 距停止下注 { $seconds } 秒
parts-roads = 以往结果，仅供参考
parts-dice = 骰子
parts-number = 号码
parts-total = 总和
parts-noResults = 尚无结果。
parts-language = 语言
parts-room = 光线
parts-dark = 昏暗
parts-day = 日光
parts-clause = 条款 { $clause }
parts-connecting = 正在连接赌场……
parts-lost = 连接已断开。暂停下注；您已登记的投注安全。正在重新连接……
parts-refused = 此终端未在本场登记。
parts-elsewhere = 此座位已在另一终端打开。
parts-again = 重试
parts-full = 本场终端已满。
parts-houseTime = 当地时间({ $zone })
parts-understood = 知道了

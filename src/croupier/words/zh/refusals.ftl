# Why something is refused: refused-REASON-CASE, with the facts that croupier.rules.reasons declares.

## Act

refused-act-keys-only = { $device } 不能“{ $act }”；由人按键
refused-act-no-cover = { $device } 不能“{ $act }”：它没有盅盖
refused-act-prints-only = { $device } 不能“{ $act }”；打印机只能打印
refused-act-unable = { $device } 不能“{ $act }”；它能：{ LIST($able) }

## Away

refused-away-database = 数据库没有回应；在其恢复之前不接受任何操作，已登记的均安全

## Bet

refused-bet-not-in-round = { $seat } 在第 { $round } 局没有投注 { $bet }

## Busy

refused-busy-answers = 已有 { $waiting } 个等待回答；请稍后再发
refused-busy-in-motion = { $device } 正在运转；“{ $act }”须等其停住
refused-busy-questions = 此刻查询旧局的人很多；请稍后再试
refused-busy-tries = 正在核对其他尝试；请再试

## Cover

refused-cover-covered = { $device } 已盖好
refused-cover-needed = { $device } 已打开；骰子须在盅盖下摇动
refused-cover-open = { $device } 已打开

## Entry

refused-entry-no-key = 没有“{ $key }”键；只有 1 至 6 键

## Fault

refused-fault-no-cover = { $device } 不能模拟故障“{ $fault }”：它没有盅盖
refused-fault-rate = { $device }：{ $one_in } 分之一不是故障率；0 表示没有，或 1 至 { $most }
refused-fault-unable = { $device } 不能模拟故障“{ $fault }”；它能：{ LIST($able) }

## Key

refused-key-of-another-floor = { $key } 不是本赌场的密钥；请从建立它的机器复制 keys/

## Limits

refused-limits-none-for-all = 须有适用于所有投注格的最低和最高注额
refused-limits-unit = 筹码单位 { MONEY($unit) } 须大于 0.00
refused-limits-unit-unpayable = 筹码单位 { MONEY($unit) } 在 { $layout } 无法以整分赔付；须为 { MONEY($least) } 的倍数
refused-limits-steps = { BOX($box) }：最低 { MONEY($minimum) } 与最高 { MONEY($maximum) } 须按筹码单位 { MONEY($unit) } 递增
refused-limits-differential-needed = 此规则书须有最大差额
refused-limits-differential-unknown = 此规则书没有最大差额
refused-maximum-over = { BOX($box) } 上的 { MONEY($total) } 超过最高 { MONEY($maximum) }
refused-minimum-under = { BOX($box) } 上的 { MONEY($total) } 低于最低 { MONEY($minimum) }

## Link

refused-link-used = 此链接已使用或已过期；请重新索取

## Locked

refused-locked-wait = 尝试次数过多；请等待 { $seconds } 秒，或索取一次性链接

## Login

refused-login-wrong = 姓名与密码不符

## Missing

refused-missing-mqtt = { $device } 使用 MQTT：请安装 croupier[mqtt]

## Office

refused-office-no-answer = 办公室此刻无法写入；请再试

## Offline

refused-offline-device = { $device } 离线
refused-offline-line = { $device }：{ $line }：{ $error }
refused-offline-no-power = { $device } 没有电源
refused-offline-not-running = { $device } 没有运行

## Over

refused-over-round = 第 { $round } 局已结束

## Owned

refused-owned-unfound = 本赌场的某些日志流由一台找不到的机器持有

## Password

refused-password-length = 密码须有 { $shortest } 至 { $longest } 个可打印字符
refused-password-own-name = 密码不能与姓名相同

## Printer

refused-printer-failed = { $device }：{ $error }；没有打印任何内容
refused-printer-not-ready = { $device } 无法打印：{ LIST($faults) }；没有打印任何内容

## Rate

refused-rate-acts = 一次过多；每秒接受 { $most } 个

## Round

refused-round-before = 自该玩家入座以来，{ $seat } 没有第 { $round } 局
refused-round-bet-before = 自该玩家入座以来，{ $seat } 没有投注 { $bet }
refused-round-no-bet = { $seat } 在第 { $round } 局没有投注

## Sample

refused-sample-alike = { $test }：{ $values } 个值太少或全部相同；需要 { $needed } 个
refused-sample-few = { $test }：{ $outcomes } 个结果太少；{ $cells } 格需要 { $needed } 个
refused-sample-one-sided = { $test }：中位以上 { $above } 个、以下 { $below } 个；各需 { $needed } 个

## Seat

refused-seat-not-in-house = 本赌场没有座位 { $table }/{ $seat }

## Store

refused-store-no-answer = 数据库暂时没有回应；请稍后再问

## Unsure

refused-unsure-failed = { $device }：{ $error }；重新打印之前请查看票券是否已打印
refused-unsure-stuck = { $device } 卡住；重新打印之前请查看票券是否已打印

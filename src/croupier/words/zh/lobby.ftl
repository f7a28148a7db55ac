# The page /lobby.

lobby-welcome = 赌场大厅
lobby-lead = 每张赌台都按核准的规则进行，每笔赔付都注明条款。
lobby-demo = 演示。不涉及金钱；此处并非真实投注。
lobby-howTitle = 一分钟了解
lobby-how1 = 入座。在下方选择赌台和布局：您会得到座位和可用于下注的余额。
lobby-how2 = 下注。先点筹码，再点台面，直到停止下注。骰子和滚珠来自模拟设备。
lobby-how3 = 看看幕后。以荷官、区域主管、经理或账房身份进入，从那里看同一局；主管亦可审计。
lobby-play = 入座
lobby-seatFree = { $seats } 个座位，空 { $free } 个
lobby-noSeat = 没有空位
lobby-layout = 布局
lobby-watch = 显示屏
lobby-deal = 控制台
lobby-enterAs = 以此身份进入
lobby-staff = 员工入口
lobby-limits = { $minimum } 至 { $maximum }
lobby-differential = 最大差额 { $amount }
lobby-version = 版本 { $version }
lobby-last = 最近结果
lobby-noLast = 尚未进行任何一局。
lobby-tables = 赌台
lobby-floorGone = 赌场没有回应，正在重试……
lobby-rules = 规则：{ $book }
lobby-people = 当值人员

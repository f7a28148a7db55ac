# What things are called.

## A sentence with the clause that says so

cited = { $sentence }({ $clause })

## Lists

list-between = 、
list-and = 和
list-or = 或

## Spans of time

span-seconds = { $seconds } 秒

## Betting boxes: $numbers is what stands after the colon in a box's id

box-small = 小
box-big = 大
box-odd = 单
box-even = 双
box-low = 小
box-high = 大
box-red = 红
box-black = 黑
box-green = 绿
box-any-triple = 任意围骰
box-top-line = 顶线
box-single = 单骰 { $numbers }
box-total = 总和 { $numbers }
box-domino = 牌九式 { $numbers }
box-double = 双骰 { $numbers }
box-triple = 围骰 { $numbers }
box-four = 四个号码 { $numbers }
box-three = 三骰组合 { $numbers }
box-pair = 双骰加单骰 { $numbers }
box-straight = 直注 { $numbers }
box-split = 分注 { $numbers }
box-street = 街注 { $numbers }
box-corner = 角注 { $numbers }
box-six-line = 线注 { $numbers }
box-column = 列注 { $numbers }
box-dozen = 打注 { $numbers }

# 投注输赢的原因。这些句子嵌在其他句子之中，句末不加句号。

## 决定输赢的事实

fact-by-triple = { $fact }，由围骰 { $face } 得出
fact-count = { $count ->
    [0] 没有骰子开出 { $face }
    [1] 一颗骰子开出 { $face }
    [2] 两颗骰子开出 { $face }
   *[3] 三颗骰子开出 { $face }
 }
fact-dice = 骰子开出 { LIST($faces) }
fact-no-triple = 三颗骰子不全相同
fact-number = 号码为 { $number }
fact-total = 总和为 { $total }
fact-triple = 三颗骰子均开出 { $face }

## 赢的条件

rule-any = { LIST($rules, "or") }
rule-at-least = { $count ->
    [1] 一颗、两颗或三颗骰子开出 { $face }
   *[2] 两颗或三颗骰子开出 { $face }
 }
rule-count = { $count ->
    [1] 一颗骰子开出 { $face }
    [2] 两颗骰子开出 { $face }
   *[3] 三颗骰子开出 { $face }
 }
rule-dice = 骰子开出 { LIST($faces) }
rule-different = 骰子开出 { LIST($faces) } 中三个不同的号码
rule-not-triple = { $rule }，且不由围骰得出
rule-number = 号码为 { LIST($numbers, "or") }
rule-total = 总和为 { LIST($totals, "or") }
rule-triple = 三颗骰子相同

## 投注格遇某结果的输赢

explained-loses = { BOX($box) } 遇 { $outcome } 输：{ $fact }；{ LAW($kind) } 赢的条件是{ $rule }
explained-wins = { BOX($box) } 遇 { $outcome } 赢：{ $fact }；{ LAW($kind) } { $to } 赔 { $odds }

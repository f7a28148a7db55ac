# Why a bet wins or loses. The sentences stand without a capital and a full stop: they are said inside others.

## What decides a bet

fact-by-triple = { $fact } by triple { $face }
fact-count = { $count ->
    [0] no die shows { $face }
    [1] one die shows { $face }
    [2] two dice show { $face }
   *[3] three dice show { $face }
 }
fact-dice = the dice show { LIST($faces, "and") }
fact-no-triple = the three dice are not all alike
fact-number = the number is { $number }
fact-total = the total is { $total }
fact-triple = the three dice all show { $face }

## What a bet needs

rule-any = { LIST($rules, "or") }
rule-at-least = { $count ->
    [1] one, two or three dice show { $face }
   *[2] two or three dice show { $face }
 }
rule-count = { $count ->
    [1] one die shows { $face }
    [2] two dice show { $face }
   *[3] three dice show { $face }
 }
rule-dice = the dice show { LIST($faces, "and") }
rule-different = the dice show three different numbers of { LIST($faces, "and") }
rule-not-triple = { $rule } and not by a triple
rule-number = the number is { LIST($numbers, "or") }
rule-total = the total is { LIST($totals, "or") }
rule-triple = the three dice are all alike

## What a box gets on an outcome

explained-loses = { BOX($box) } loses on { $outcome }: { $fact }; { LAW($kind) } wins when { $rule }
explained-wins = { BOX($box) } wins on { $outcome }: { $fact }; { LAW($kind) } pays { $odds } to { $to }

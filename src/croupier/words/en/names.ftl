# What things are called.

## A sentence with the clause that says so

cited = { $sentence } ({ $clause })

## Lists

list-between = ,{ " " }
list-and = { " " }and{ " " }
list-or = { " " }or{ " " }

## Spans of time

span-seconds = { $seconds } s

## Betting boxes: $numbers is what stands after the colon in a box's id

box-small = Small
box-big = Big
box-odd = Odd
box-even = Even
box-low = Low
box-high = High
box-red = Red
box-black = Black
box-green = Green
box-any-triple = Any Triple
box-top-line = Top Line
box-single = Single { $numbers }
box-total = Total { $numbers }
box-domino = Domino { $numbers }
box-double = Double { $numbers }
box-triple = Triple { $numbers }
box-four = Four Numbers { $numbers }
box-three = Three Dice { $numbers }
box-pair = Double and Single { $numbers }
box-straight = Straight Up { $numbers }
box-split = Split { $numbers }
box-street = Street { $numbers }
box-corner = Corner { $numbers }
box-six-line = Six Line { $numbers }
box-column = Column { $numbers }
box-dozen = Dozen { $numbers }

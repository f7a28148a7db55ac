# Why something is refused: refused-REASON-CASE, with the facts that croupier.rules.reasons declares.

## Limits

refused-limits-none-for-all = a minimum and a maximum for all boxes are needed
refused-limits-unit = the chip unit { MONEY($unit) } must be above 0.00
refused-limits-unit-unpayable = the chip unit { MONEY($unit) } cannot be paid in whole cents on { $layout }; it must be a multiple of { MONEY($least) }
refused-limits-steps = { $box }: the minimum { MONEY($minimum) } and the maximum { MONEY($maximum) } must ascend in steps of the chip unit { MONEY($unit) }
refused-limits-differential-needed = this book needs a Differential limit
refused-limits-differential-unknown = this book has no Differential limit
refused-maximum-over = { MONEY($total) } on { $box } is over the maximum { MONEY($maximum) }
refused-minimum-under = { MONEY($total) } on { $box } is under the minimum { MONEY($minimum) }

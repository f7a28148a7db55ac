# What checks have found: found-KIND-CASE, with the facts that croupier.rules.findings declares.

## Checkpoints

found-checkpoints-begin-late = The checkpoints before { $number } are not here; the later ones vouch for the same rows.

## Software

found-software-compiled-otherwise = { $place } holds other code than its source
found-software-fact-missing = { NAME($of, "software") }: { $value } is missing
found-software-fact-new = { NAME($of, "software") }: { $value } was never approved
found-software-fact-order = { NAME($of, "software") }: the order is not the approved one
found-software-missing = { $place } is missing
found-software-new = { $place } was never approved
found-software-other = { $place } is not the approved one
found-software-uncompared = it cannot be compared with what was approved

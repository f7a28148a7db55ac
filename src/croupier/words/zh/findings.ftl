# What checks have found: found-KIND-CASE, with the facts that croupier.rules.findings declares.

## Checkpoints

found-checkpoints-begin-late = 检查点 { $number } 之前的不在此处；其后的同样为这些行作证。

## Software

found-software-compiled-otherwise = { $place } 中的代码与其源文件不同
found-software-fact-missing = { NAME($of, "software") }：缺少 { $value }
found-software-fact-new = { NAME($of, "software") }：{ $value } 从未核准
found-software-fact-order = { NAME($of, "software") }：次序与核准的不同
found-software-missing = 缺少 { $place }
found-software-new = { $place } 从未核准
found-software-other = { $place } 不是核准的那个
found-software-uncompared = 无法与核准的软件对照

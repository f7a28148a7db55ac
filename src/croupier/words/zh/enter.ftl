# The page /enter.

enter-title = 一次性链接
enter-once = 此链接只供一人登录一次。

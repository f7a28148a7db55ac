/** What stays on this machine, and under which names; anything a browser no longer gives is as if it had never been. */
type Name =
  | 'language'
  | 'light'
  | 'sound'
  | 'speak'
  | 'tickets'
  | 'terminal'
  | 'console.timer'
  | `rebet.${string}`
  | `told.${string}`;

const whole = (name: Name) => `croupier.${name}`;

export function kept<T>(name: Name, otherwise: T, where: Storage = localStorage): T {
  const text = where.getItem(whole(name));
  if (text === null) return otherwise;
  if (typeof otherwise === 'string') return text as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}

export function keep(name: Name, value: unknown, where: Storage = localStorage): void {
  where.setItem(whole(name), typeof value === 'string' ? value : JSON.stringify(value));
}

export function forget(name: Name, where: Storage = localStorage): void {
  where.removeItem(whole(name));
}

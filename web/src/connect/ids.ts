/** Ids made here, before anything is sent: ascending, and never the same twice, whatever the clock does. */

const life = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
let count = 0;

export function nextId(): string {
  count += 1;
  return `${Date.now().toString(36)}-${life}-${count.toString(36)}`;
}

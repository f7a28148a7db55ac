/**
 * What of a page is looked at stands in its address, after the `#`: so it can be sent to a colleague, and the way back
 * is the browser's. The server never sees it.
 */

/** The value of a name in the address, or nothing. */
export const inAddress = (name: string): string => new URLSearchParams(location.hash.slice(1)).get(name) ?? '';

/** Take names out of the address, where others would see them or they would act again. */
export function dropFromAddress(...names: readonly string[]): void {
  if (names.some(inAddress))
    history.replaceState(null, '', linked(Object.fromEntries(names.map((name) => [name, '']))));
}

/** The address with other values; an empty value is left out. */
function linked(next: Readonly<Record<string, string>>): string {
  const all = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries(next)) {
    if (value) all.set(name, value);
    else all.delete(name);
  }
  return `${location.pathname}${location.search}${all.size ? `#${all}` : ''}`;
}

/** `new Route({ table: '', tab: 'rounds' })`: the names a page knows, each with its value where the address has none. */
export class Route<Shape extends Readonly<Record<string, string>>> {
  #at = $state.raw() as Shape;

  /** Made while a component is. */
  constructor(readonly shape: Shape) {
    this.#read();
    $effect(() => {
      const read = () => this.#read();
      for (const event of ['hashchange', 'popstate']) addEventListener(event, read);
      return () => {
        for (const event of ['hashchange', 'popstate']) removeEventListener(event, read);
      };
    });
  }

  get at(): Shape {
    return this.#at;
  }

  /** Show something else. `replace`: the same thing with another filter, so that "back" does not stop at it. */
  go(next: Partial<Shape>, how: 'push' | 'replace' = 'push'): void {
    history[`${how}State`](null, '', this.link(next));
    this.#read();
  }

  link(next: Partial<Shape>): string {
    return linked(
      Object.fromEntries(Object.entries(next).map(([name, value]) => [name, value === this.shape[name] ? '' : value!])),
    );
  }

  #read(): void {
    const at = Object.entries(this.shape).map(([name, otherwise]) => [name, inAddress(name) || otherwise]);
    this.#at = Object.fromEntries(at) as Shape;
  }
}

/** Tests run in Node with modules as a browser has them, so that effects happen, and with the little of a page they ask. */
class Store extends Map {
  getItem = (name) => this.get(name) ?? null;
  setItem = (name, text) => void this.set(name, String(text));
  removeItem = (name) => void this.delete(name);
}

/** An address that can be gone to and back from. */
function addresses(page) {
  const past = ['/page'];
  const location = { pathname: '/page', search: '', hash: '' };
  const go = (address) => (location.hash = address.slice(location.pathname.length));
  return {
    location,
    history: {
      pushState: (_state, _title, address) => go(past.push(address) && address),
      replaceState: (_state, _title, address) => go((past[past.length - 1] = address)),
      back: () => {
        past.pop();
        go(past.at(-1));
        page.dispatchEvent(new Event('popstate'));
      },
    },
  };
}

export default {
  name: 'page',
  viteEnvironment: 'client',
  setup(global) {
    const page = new EventTarget();
    const made = {
      localStorage: new Store(),
      sessionStorage: new Store(),
      document: { documentElement: { dataset: {} }, hidden: false },
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
      ...addresses(page),
    };
    for (const [name, value] of Object.entries(made))
      Object.defineProperty(global, name, { value, writable: true, configurable: true });
    return { teardown() {} };
  },
};

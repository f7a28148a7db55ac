/** Tests run in Node with modules as a browser has them: effects of Svelte happen. */
export default { name: 'page', viteEnvironment: 'client', setup: () => ({ teardown() {} }) };

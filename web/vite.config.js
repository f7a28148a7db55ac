import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const here = import.meta.dirname;
// Every NAME.html beside this file is a page, served at /NAME.
const pages = Object.fromEntries(
  globSync('*.html', { cwd: here }).map((file) => [basename(file, '.html'), resolve(here, file)]),
);

/** The licences of what is shipped beside the code that the bundler knows of. */
function fontLicences() {
  const font = 'node_modules/@fontsource-variable/encode-sans/LICENSE';
  return {
    name: 'font-licences',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'licences/encode-sans.txt', source: readFileSync(resolve(here, font)) });
    },
  };
}

export default defineConfig({
  root: here,
  base: '/',
  plugins: [svelte(), fontLicences()],
  build: {
    outDir: resolve(here, '../src/croupier/web/dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a strict policy: everything has an address of its own
    modulePreload: { polyfill: false },
    license: { fileName: 'licences/pages.md' },
    rolldownOptions: { input: pages },
  },
  // In tests as in a browser: effects happen.
  ...(process.env.VITEST ? { resolve: { conditions: ['browser'] }, server: { fs: { allow: ['..'] } } } : {}),
  test: { include: ['src/**/*.test.ts'], setupFiles: ['src/words/setup.ts'], environment: './environment.js' },
});

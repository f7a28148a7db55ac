import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';
import config from './svelte.config.js';

/** What Prettier lays out and TypeScript already checks is left to them. */
export default defineConfig(
  { ignores: ['node_modules/', 'src/wire.ts', 'src/words/ids.d.ts'] },
  typescript.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: typescript.parser, extraFileExtensions: ['.svelte'], svelteConfig: config },
    },
  },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-undef': 'off',
      'svelte/no-useless-mustaches': 'off', // a space between two elements is written so
    },
  },
);

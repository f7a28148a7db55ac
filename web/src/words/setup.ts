/** Tests know every word. */
import { teach } from './catalogue.svelte';

const files = import.meta.glob<string>('../../../src/croupier/words/*/*.ftl', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const of = (language: string) =>
  Object.entries(files)
    .filter(([file]) => file.includes(`/words/${language}/`))
    .map(([, text]) => text);

teach('en', of('en'));
teach('zh', of('zh'));
teach('qps', of('en'));

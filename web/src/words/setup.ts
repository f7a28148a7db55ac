/** Tests know every word. */
import { teach } from './catalogue.svelte';
import { LANGUAGES } from './languages';

const files = import.meta.glob<string>('../../../src/croupier/words/*/*.ftl', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const of = (language: string) =>
  Object.entries(files)
    .filter(([file]) => file.includes(`/words/${language}/`))
    .map(([, text]) => text);

for (const { id } of LANGUAGES) teach(id, of(id));
teach('qps', of('en'));

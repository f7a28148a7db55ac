import { words } from '../../words/catalogue.svelte';

export const t = words('terminal');
words('rule', 'explanations');
words('sum', 'sums');

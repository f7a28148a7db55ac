import { words } from '../../words/catalogue.svelte';

export const t = words('audit');
words('explained', 'explanations');
words('round', 'story');
words('found', 'findings');
words('sum', 'sums');

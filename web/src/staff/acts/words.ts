/** Acts, and what they ask for, in the reader's language. */
import { words } from '../../words/catalogue.svelte';

export const act = words('acts');

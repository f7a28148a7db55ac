/** Words of the parts that every page shares. */
import { words } from '../words/catalogue.svelte';

export const t = words('parts');

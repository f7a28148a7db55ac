import { words } from '../../words/catalogue.svelte';

/** What would change with another book. */
export const change = words('change', 'staff');

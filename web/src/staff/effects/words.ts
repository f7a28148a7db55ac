import { words } from '../../words/catalogue.svelte';

export const does = words('effects', 'staff');

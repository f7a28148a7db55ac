import { words } from '../../words/catalogue.svelte';

export const request = words('requests', 'staff');

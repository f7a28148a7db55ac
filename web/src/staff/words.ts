/** Words that the pages of the staff share. */
import { words } from '../words/catalogue.svelte';

export const t = words('staff');

/** What somebody asks for, or has asked for: an act with what it is about, as a sentence. */
import { words } from '../words/catalogue.svelte';

words('did', 'commands');
export { sentence as commandSentence } from '../words/catalogue.svelte';

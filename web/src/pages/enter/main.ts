import { start } from '../start';
import Enter from './Enter.svelte';

void start(Enter);

import { start } from '../../parts/start';
import Enter from './Enter.svelte';

void start(Enter);

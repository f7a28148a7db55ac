import { start } from '../../parts/start';
import Terminal from './Terminal.svelte';

void start(Terminal);

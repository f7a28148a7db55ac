import { start } from '../start';
import Terminal from './Terminal.svelte';

void start(Terminal);

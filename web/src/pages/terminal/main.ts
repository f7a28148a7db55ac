import { start } from '../../parts/start';
import Terminal from './Terminal.svelte';

start(Terminal);

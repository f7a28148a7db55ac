import { start } from '../../parts/start';
import Console from './Console.svelte';

void start(Console);

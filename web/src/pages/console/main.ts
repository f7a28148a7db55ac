import { start } from '../start';
import Console from './Console.svelte';

void start(Console);

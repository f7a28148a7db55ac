import { start } from '../../parts/start';
import Office from './Office.svelte';

void start(Office);

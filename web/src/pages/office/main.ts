import { start } from '../start';
import Office from './Office.svelte';

void start(Office);

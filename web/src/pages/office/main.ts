import { start } from '../../parts/start';
import Office from './Office.svelte';

start(Office);

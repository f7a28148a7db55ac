import { start } from '../../parts/start';
import Lab from './Lab.svelte';

void start(Lab);

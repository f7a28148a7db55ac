import { start } from '../start';
import Lab from './Lab.svelte';

void start(Lab);

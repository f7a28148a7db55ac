import { start } from '../../parts/start';
import Display from './Display.svelte';

void start(Display);

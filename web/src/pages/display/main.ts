import { start } from '../start';
import Display from './Display.svelte';

void start(Display);

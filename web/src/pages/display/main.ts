import { start } from '../../parts/start';
import Display from './Display.svelte';

start(Display);

import { start } from '../../parts/start';
import Lab from './Lab.svelte';

start(Lab);

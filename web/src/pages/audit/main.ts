import { start } from '../../parts/start';
import Audit from './Audit.svelte';

void start(Audit);

import { start } from '../start';
import Audit from './Audit.svelte';

void start(Audit);

import { start } from '../../parts/start';
import Pit from './Pit.svelte';

void start(Pit);

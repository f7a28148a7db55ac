import { start } from '../start';
import Pit from './Pit.svelte';

void start(Pit);

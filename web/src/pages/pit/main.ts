import { start } from '../../parts/start';
import Pit from './Pit.svelte';

start(Pit);

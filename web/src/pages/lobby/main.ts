import { start } from '../../parts/start';
import Lobby from './Lobby.svelte';

void start(Lobby);

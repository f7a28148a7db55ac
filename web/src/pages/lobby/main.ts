import { start } from '../start';
import Lobby from './Lobby.svelte';

void start(Lobby);

import { start } from '../../parts/start';
import Cashier from './Cashier.svelte';

void start(Cashier);

import { start } from '../start';
import Cashier from './Cashier.svelte';

void start(Cashier);

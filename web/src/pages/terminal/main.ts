import { mount } from 'svelte';
import Terminal from './Terminal.svelte';

mount(Terminal, { target: document.getElementById('page')! });

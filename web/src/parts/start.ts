/** How every page begins: in its language, in its light. */
import { mount, type Component } from 'svelte';
import { setLanguage, language } from '../i18n/language.svelte';
import { show } from './light.svelte';

export function start(page: Component): void {
  setLanguage(language());
  show();
  mount(page, { target: document.getElementById('page')! });
}

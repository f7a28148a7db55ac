/** How every page begins: in its language, in its light. */
import { mount, type Component } from 'svelte';
import { language } from '../words/language.svelte';
import { fetchTranslation } from '../law/translation.svelte';
import { setLanguage } from '../words/catalogue.svelte';
import { show } from '../app/light.svelte';

const PATIENCE_MS = 2_000;

export async function start(page: Component): Promise<void> {
  await setLanguage(language());
  show();
  // Whoever reads a translation is not shown English first; without the words the page begins all the same.
  await Promise.race([fetchTranslation(), new Promise((over) => setTimeout(over, PATIENCE_MS))]);
  mount(page, { target: document.getElementById('page')! });
}
